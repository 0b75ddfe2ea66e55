"""A conversation: questions that lean on the ones before them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from pincite.answer.question import SHORT_PART_WORDS, read_question
from pincite.answer.versions import names_version, numbers_named
from pincite.model import Answer
from pincite.ports import Analyser
from pincite.text.language import language_of
from pincite.text.stopwords import words_of

_OPENING = re.compile(
    r"\W*(?:and|but|so|then|also|or|what about|how about|und|aber|dann|auch|oder|wie (?:ist|sieht) es (?:mit|bei)"
    r"|was ist mit)\b",
    re.IGNORECASE,
)
"""How a question begins that goes on with the one before."""
_POINTING = words_of(
    """
    it its they them their this these those that he she his her there then instead es sie er ihm ihr ihn ihnen ihre
    ihres ihrem ihren dies diese dieser dieses diesem diesen das dort damit dafür dabei davon darauf stattdessen
    """
)
_WORD = re.compile(r"\w+")
MOST_CARRIED = 8
"""How many words of the questions before are carried over, the last ones first."""

Ask = Callable[[str], Answer]
Rewrite = Callable[[Sequence["Turn"], str], str]
"""A language model that makes a question stand alone, given the turns before it."""


@dataclass(frozen=True, slots=True)
class Turn:
    """``question`` as it was put, ``standalone`` as it was asked, which is the same where it leans on nothing."""

    question: str
    standalone: str
    answer: Answer


@dataclass(slots=True, kw_only=True)
class Conversation:
    """Keeps the thread between questions. ``ask`` asks one that stands alone.

    With ``rewrite`` a language model makes follow-up questions stand alone. Without one the words of the last question
    carry over to a question that leans on it: one that begins as a continuation, has a word that points back, or is too
    short to say what it is about.
    """

    ask: Ask
    analyser: Analyser
    rewrite: Rewrite | None = None
    turns: list[Turn] = field(default_factory=list)

    def put(self, question: str) -> Turn:
        """Asks the question in the light of those before it. A question that fails (any error of ``ask`` or
        ``rewrite``) leaves the thread as it was."""
        standalone = self._standalone(question)
        turn = Turn(question, standalone, replace(self.ask(standalone), question=question))
        self.turns.append(turn)
        return turn

    def _standalone(self, question: str) -> str:
        if not self.turns or not question.strip():
            return question
        if self.rewrite:
            return self.rewrite(tuple(self.turns), question).strip() or question
        return carried_over(self.turns[-1].standalone, question, self.analyser)


def carried_over(before: str, question: str, analyser: Analyser) -> str:
    """The question with the words of the one before it that it leans on, as a sentence of their own; a version that it
    names itself takes the place of the other one.

    >>> from pincite.text.terms import Analyser
    >>> carried_over("How long does a cursor live in version 3?", "And in version 2?", Analyser())
    'cursor live. How long? And in version 2?'
    >>> carried_over("How long does a cursor live?", "Who may see the audit log of a workspace?", Analyser())
    'Who may see the audit log of a workspace?'
    """
    if not leans(question, analyser):
        return question
    own = {word.text.casefold() for word in read_question(question, analyser, language_of(question)).words}
    words = [word.text for word in read_question(before, analyser, language_of(before)).words]
    if numbers_named(question):
        words = [word for word in words if word not in numbers_named(before) and not names_version(word)]
    kept = [word for word in words if word.casefold() not in own][:MOST_CARRIED]
    return " ".join(filter(None, (f"{' '.join(kept)}." if kept else "", _asked(before, question), question.strip())))


def leans(question: str, analyser: Analyser) -> bool:
    """Whether the question needs the one before it to be understood."""
    words = {word.casefold() for word in _WORD.findall(question)}
    content = read_question(question, analyser, language_of(question)).words
    return bool(_OPENING.match(question)) or bool(words & _POINTING) or len(content) < SHORT_PART_WORDS - 1


_KIND = re.compile(
    r"\b(?:how (?:long|many|much|often|old|fast|soon|quickly|early|late|far|big|large)"
    r"|wie ?(?:lange|viele?|oft|schnell|alt|früh|spät|weit|hoch|groß))\b",
    re.IGNORECASE,
)


def _asked(before: str, question: str) -> str:
    """What kind of answer the question before wanted ("How long?"), where this one does not say it."""
    wanted = _KIND.search(before)
    asks = re.search(
        r"\b(?:how|what|which|who|when|where|why|wie|was|welche\w?|wer|wann|wo|warum)\b", question, re.IGNORECASE
    )
    return f"{wanted.group()}?" if wanted and not asks else ""
