"""Judges a statement by the quotes that are to support it, without a language model.

Facts (numbers, units, dates, versions, identifiers, names) of the statement have to be those of the quotes; negations,
modal words, words of quantity and comparatives may not be turned; the words must be the quotes' own, as far as words
can be compared without a model. What only a reader can tell (synonyms, irony, a conclusion) is never ``verified``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pincite.answer.agreement import (
    agrees,
    bare_unit,
    figures,
    is_figure,
    likeness,
    nearness,
    parts_of,
    shared,
    units_named,
)
from pincite.answer.alignment import Aligned, align
from pincite.answer.deriving import COMPARISON, Derivation, compared, reckoned
from pincite.answer.evidence import LONGEST_STATEMENT, Evidence, Passage, has_word, plain, terms_of
from pincite.answer.facts import Fact
from pincite.answer.judged import Judged, no
from pincite.answer.scripts import disguised
from pincite.answer.turning import RECKONED, contradicts, is_kept, senses_among, turned_by
from pincite.answer.word_by_word import cut, in_own_clause, left_condition, moved_facts, other_versions, reordered
from pincite.answer.wording import MOST, MUST, NEGATION, SOME, negations, opposite, senses_in
from pincite.model import Verdict
from pincite.text.language import language_of

LEAST_COVERED = 0.5
"""The share of a statement's content words and facts that the quotes must have for a paraphrase."""
ALIKE = 0.7
"""From this share of words in the same order on a statement is compared word by word."""
SHORTEST_ALIKE = 4
_WORST: tuple[Verdict, ...] = ("unsupported", "paraphrase", "derived", "verified")
_REPLY = re.compile(r"\A\s*(?:yes|no|ja|nein|doch)\s*[,.;:!–-]+\s*(?=\S)", re.IGNORECASE)


def judge(statement: str, evidence: Sequence[Evidence]) -> Judged:
    """The verdict on the statement, that of its worst sentence; the evidence is one or several quotes.

    >>> quote = Evidence(quote="A cursor lives for 15 minutes.", language="en")
    >>> [judge(said, [quote]).verdict for said in ("A cursor lives for 15 minutes.", "A cursor lives 20 minutes.")]
    ['verified', 'unsupported']
    """
    if len(statement) > LONGEST_STATEMENT:
        return no("too-long", f"the statement has more than {LONGEST_STATEMENT} characters")
    said = plain(_REPLY.sub("", statement, count=1))
    language = language_of(said) or (evidence[0].language if _ascii_words(said) else "")
    sentences = [part for part in Passage(said, language).sentences if part.words]
    if not sentences:
        return no("no-words", "the statement says nothing")
    if said.rstrip().endswith("?") and not any("?" in each.quote for each in evidence):
        return no("question", "the statement is a question, the quote is none")
    known = {word for each in evidence for word in disguised(f"{each.quote}\n{each.context}")}
    unknown = [word for word in disguised(said) if word not in known]
    if unknown:
        return no("script", f"{unknown[0]!r} has letters of several alphabets, and there is no such word in the quote")
    bench = Bench.of(evidence, said, language)
    judged = [bench.judge(part) for part in sentences]
    return min(judged, key=lambda each: _WORST.index(each.verdict))


def speaks_of(statement: str, evidence: Evidence) -> bool:
    """Whether the quote has a fact or a content word of the statement, or is in another language."""
    said = Passage(statement, language_of(statement))
    quote = Passage(evidence.quote, evidence.language)
    return likeness(said, quote) > 0 or bool(said.language and quote.language and said.language != quote.language)


def _ascii_words(text: str) -> bool:
    return text.isascii()


@dataclass(frozen=True)
class Bench:
    """The evidence, ready to be compared with one sentence after the other of one statement."""

    statement: str
    passages: tuple[Passage, ...]
    context: Passage
    language: str

    @property
    def quoted(self) -> str:
        return "\n".join(passage.text for passage in self.passages)

    @classmethod
    def of(cls, evidence: Sequence[Evidence], statement: str, language: str) -> Bench:
        passages = tuple(Passage(each.quote, each.language, each.before, each.after) for each in evidence)
        context = Passage("\n".join(dict.fromkeys(each.context for each in evidence)), evidence[0].language)
        return cls(statement, passages, context, language)

    def judge(self, sentence: Passage) -> Judged:
        word_by_word = self._word_by_word(sentence)
        if word_by_word and (word_by_word.verdict != "paraphrase" or word_by_word.reason == "condition"):
            return word_by_word
        derivations: list[Derivation] = []
        wrong = self._unsupported_fact(sentence, derivations)
        if wrong:
            return wrong
        comparison = self._compared(sentence)
        if comparison:
            if not comparison.holds:
                return no("comparison", f"the quotes say otherwise: {comparison.said} does not hold")
            derivations.append(comparison)
        turned = self._turned(sentence, derived=bool(derivations))
        if turned:
            return turned
        if derivations:
            return Judged("derived", "arithmetic", "follows from the quotes: " + "; ".join(d.said for d in derivations))
        return word_by_word or self._covered(sentence)

    # --- word by word ------------------------------------------------------------------------------------------------

    def _word_by_word(self, sentence: Passage) -> Judged | None:
        """The verdict where the sentence is nearly one of the quotes' own, else nothing."""
        best: tuple[float, Passage, Aligned] | None = None
        for passage in self.passages:
            for source in (*passage.sentences, passage):
                aligned = align(sentence.words, source.words)
                if aligned and (best is None or aligned.share > best[0]):
                    best = aligned.share, source, aligned
        if best is None:
            return None
        share, source, aligned = best
        whole = share == 1 and not aligned.theirs
        if not whole and (share < ALIKE or len(sentence.words) < SHORTEST_ALIKE):
            return None
        mine, theirs = senses_among(aligned.mine), senses_among(aligned.theirs)
        lost = {sense for sense in theirs - mine if is_kept(sense) or opposite(sense) in mine}
        differing = sorted((mine - theirs) | lost)
        if differing and not self._follows(sentence):
            if not mine and in_own_clause(source, aligned):
                return None
            return turned_by(differing[0], [*aligned.mine, *aligned.theirs])
        wrong = cut(source, aligned) or moved_facts(sentence, source, aligned)
        if wrong:
            return wrong
        derivations: list[Derivation] = []
        wrong = self._unsupported_fact(sentence, derivations)
        if wrong or derivations:
            return None if derivations or COMPARISON.search(sentence.text) or "=" in sentence.text else wrong
        new = [word for word in aligned.mine if word in sentence.content and not self._has(word, sentence.language)]
        if new and any(is_figure(word) for word in aligned.theirs):
            return no("words", f"{', '.join(new)} stands where the quote has {' '.join(aligned.theirs)}")
        left_out = [
            word for word in aligned.theirs if word in source.content and not has_word(word, sentence.terms, "")
        ]
        if new:
            return Judged("paraphrase", "reworded", f"not in the quote: {', '.join(new)}; the facts agree")
        if reordered(aligned, sentence, source):
            return Judged("paraphrase", "reordered", "has the quote's words in another order")
        if left_out:
            return Judged("paraphrase", "shortened", f"leaves out {', '.join(left_out)}; the facts agree")
        condition = left_condition(source, aligned)
        if condition:
            return Judged("paraphrase", "condition", f"leaves out what follows {condition!r}")
        return Judged("verified", "word-for-word" if whole else "same-words", "the quote says it")

    def _follows(self, sentence: Passage) -> bool:
        return COMPARISON.search(sentence.text) is not None and self._compared(sentence) is not None

    def _has(self, word: str, language: str) -> bool:
        return any(has_word(word, passage.terms, language) for passage in self.passages)

    # --- facts -------------------------------------------------------------------------------------------------------

    def _unsupported_fact(self, sentence: Passage, derivations: list[Derivation]) -> Judged | None:
        """The verdict where a fact is not the quotes'; what follows by reckoning is added to ``derivations``."""
        known = [fact for passage in self.passages for fact in passage.facts]
        for fact in sentence.facts:
            if fact.weak or self._supported(fact, known):
                continue
            derived = reckoned(fact, self.statement, known, self.quoted) if fact.kind == "number" else None
            if derived is None:
                return no(fact.kind, f"{fact.text} is not in the quote{'' if len(self.passages) == 1 else 's'}")
            derivations.append(derived)
        return self._other_unit(sentence)

    def _other_unit(self, sentence: Passage) -> Judged | None:
        """The verdict where the sentence names a unit without a number that no quote names."""
        known = {unit for passage in (*self.passages, self.context) for unit in units_named(passage)}
        for word in sentence.flat.split():
            unit = bare_unit(word)
            if unit is None or unit in known or any(unit == fact.unit and not fact.weak for fact in sentence.facts):
                continue
            if any(unit.dimension == other.dimension for other in known):
                return no("unit", f"the quote does not speak of {word.strip('.,;:')}")
        return None

    def _supported(self, fact: Fact, known: Sequence[Fact]) -> bool:
        if any(agrees(fact, other) for other in known):
            return True
        if fact.kind in ("name", "identifier", "version"):
            about = any(agrees(fact, other) for other in self.context.facts)
            return about or (not fact.values and not fact.version and self._stands(fact))
        if fact.version and fact.kind == "number" and not fact.dimension and self._is_about_version(fact):
            return any(other.kind == "version" and other.version == fact.version for other in self.context.facts)
        return bool(fact.dimension) and self._unit_elsewhere(fact, known)

    def _is_about_version(self, fact: Fact) -> bool:
        before = self.statement[: self.statement.find(fact.text)].rstrip()
        return re.search(r"(?:[Vv]ersions?|[Rr]eleases?|\b[Vv]\.?|\bin|\b[A-Z]\w+)$", before) is not None

    def _stands(self, fact: Fact) -> bool:
        """Whether the name or identifier stands in a quote or its context; a name in any form."""
        word = Passage(fact.text).flat
        pattern = re.compile(rf"(?<![\w/.-]){re.escape(word)}(?!\w)")
        about = (*self.passages, self.context)
        if any(pattern.search(passage.flat) for passage in about):
            return True
        own = terms_of(word, self.language) if fact.kind == "name" and not fact.text.isupper() else frozenset()
        return any(own & passage.terms for passage in about)

    def _unit_elsewhere(self, fact: Fact, known: Sequence[Fact]) -> bool:
        """Whether the bare number is quoted and its unit named beside it, as in a table's header."""
        bare = any(other.kind == "number" and not other.dimension and other.numbers & fact.numbers for other in known)
        return bare and any(fact.unit in units_named(passage) for passage in (*self.passages, self.context))

    def _compared(self, sentence: Passage) -> Derivation | None:
        quantities = [
            (fact, part)
            for passage in self.passages
            for part in passage.clauses
            for fact in part.facts
            if fact.kind == "number" and fact.dimension
        ]

        def figure_of(about: str, rather_than: str) -> Fact | None:
            mine, other = Passage(about, self.language), Passage(rather_than, self.language)

            def nearness(part: Passage) -> int:
                own = shared(mine.content, part)
                return 2 * own - shared(other.content, part) if own else 0

            best = max(quantities, key=lambda pair: nearness(pair[1]), default=None)
            return best[0] if best and nearness(best[1]) > 0 else None

        return compared(sentence.text, figure_of)

    # --- turned meaning ----------------------------------------------------------------------------------------------

    def _turned(self, sentence: Passage, *, derived: bool) -> Judged | None:
        """The verdict where a negation, a modal word, a word of quantity or a comparative says something else."""
        nearest = self._nearest(sentence)
        if derived and negations(sentence.flat) and not any(negations(passage.flat) for passage in self.passages):
            return no("negation", "the statement says no, the quotes do not")
        for clause in () if derived else sentence.clauses:
            near_it = self._nearest(clause)
            if all((negations(part.flat) > 0) != (negations(clause.flat) > 0) for part in near_it):
                return no("negation", "one of statement and quote says no, the other does not")
            wrong = other_versions(clause, near_it)
            if wrong:
                return wrong
        wrong = None if derived else self._exchanged(sentence)
        if wrong:
            return wrong
        mine = senses_in(sentence.flat)
        near = frozenset(sense for part in nearest for sense in senses_in(part.flat))
        everything = frozenset(sense for passage in self.passages for sense in senses_in(passage.flat))
        denied = NEGATION in mine and NEGATION in near
        for sense in sorted(mine):
            known = near if sense == MUST else everything
            if sense in known or (derived and sense[0] in RECKONED):
                continue
            if contradicts(sense, near, denied=denied):
                return turned_by(sense, sentence.words)
        if SOME in near and not mine & {SOME, MOST} and SOME not in mine:
            return no("quantity", "the quote says it of some only")
        if MOST in near and not mine & {SOME, MOST}:
            return no("quantity", "the quote says it of most only")
        return None

    def _exchanged(self, sentence: Passage) -> Judged | None:
        """The verdict where a number of the sentence stands in the quotes, but beside other words than in it."""
        theirs = [part for passage in self.passages for part in parts_of(passage) if figures(part)]
        for part in parts_of(sentence):
            for fact in figures(part):
                rivals = [other for other in theirs if any(f.dimension == fact.dimension for f in figures(other))]
                shares = [nearness(part, other) for other in rivals]
                best = max(shares, default=0)
                near = [other for other, share in zip(rivals, shares, strict=True) if share == best]
                if not best or any(agrees(fact, other) for each in near for other in each.facts):
                    continue
                if any(agrees(fact, other) for each in rivals for other in each.facts):
                    return no("number", f"{fact.text} stands beside other words in the quote")
        return None

    def _nearest(self, sentence: Passage) -> list[Passage]:
        """The clauses of the quotes that share the most with the sentence; all where none shares anything."""
        clauses = [part for passage in self.passages for part in passage.clauses]
        shares = [likeness(sentence, part) for part in clauses]
        best = max(shares, default=0)
        return [part for part, share in zip(clauses, shares, strict=True) if share >= 0.75 * best]

    # --- words -------------------------------------------------------------------------------------------------------

    def _covered(self, sentence: Passage) -> Judged:
        facts = [fact for fact in sentence.facts if not fact.weak]
        own = sentence.content
        there = {word for word in own if self._has(word, "") or has_word(word, self.context.terms, "")}
        missing = sorted(own - there)
        languages = {passage.language for passage in self.passages}
        if self.language and "" not in languages and self.language not in languages:
            if not facts and not there:
                return no(
                    "nothing-to-compare", "in another language than the quote, without a number or name in common"
                )
            return Judged("paraphrase", "other-language", "in another language than the quote; the facts agree")
        total = len(own) + len(facts)
        few_words = bool(facts) and len(own) <= 2 and not language_of(sentence.text)
        if total and (len(there) + len(facts)) / total < LEAST_COVERED and not few_words:
            return no("words", f"the quote does not speak of {', '.join(missing[:6])}")
        if not total:
            return no("no-words", "the statement says nothing that can be compared")
        said = f"not in the quote: {', '.join(missing[:6])}; " if missing else ""
        return Judged("paraphrase", "reworded", f"{said}the facts agree")
