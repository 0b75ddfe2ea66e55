"""Terms: what a keyword index (BM25) is made of, and what a query looks up in it.

**A word** gives its folded form and, where that differs, its stem, both as plain terms of one name space.
Why two: the folded form is in every document whatever its language was taken for, so a query in another language, or
one too short to tell, still finds it; and a document with the very word of the query gets both terms, one with another
form of it gets the stem only, so an exact match does not score below a related one. A known language gives its own
stem; an unknown one those of German and English, on both sides. A third language (``"fr"``) gives folded forms only.

**A German compound** of known words gives the stems of its parts, too, so that Vertrag finds Wartungsvertrag; not in
texts known to be in another language. A query's compounds stay whole: looking up their parts (Sport, Art) finds other
words in other languages, and a question in German on English documents ranked worse for it.

**A code** (anything with a joint: hyphen, slash, dot, underscore, colon, at, plus, apostrophe, a change from letters to
digits, camelCase) gives itself whole, each pair of neighbouring parts, and the parts. Joints are left out, except
between digits: ``ORB-4711`` is ``ORB4711``, ``client_credentials`` is ``clientCredentials``, ``re-use`` is ``reuse``,
but ``3.14`` is not ``314``. Pairs let ``204.B`` find ``XK-7/204.B`` before a text that has 204 and B somewhere.
Parts of one letter are not terms of their own. Hash sums and encoded data (base64) are one term, not hundreds.

**Scripts without spaces** (Chinese, Japanese, Thai …; Korean too) give overlapping pairs of characters; documents also
the single Chinese characters, so that a query of one character finds them.

**Stop words** stay in documents, where BM25 gives them next to no weight and a query of nothing else ("to be or not to
be", "The Who") needs them. Queries drop them as long as another term remains. In capitals (IT, WHO) they are names.

A document's terms repeat as its words do, since BM25 counts them; a query's are unique. There are no operators.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from itertools import pairwise

from pincite.text.compounds import parts_of
from pincite.text.folding import KEPT_DIGRAPHS, MARKS, fold, fold_digraphs, prepare
from pincite.text.language import language_of
from pincite.text.stopwords import STOP_WORDS

ALGORITHM_VERSION = 2
"""Raised with every change that gives other terms for some text: an index made before has to be made anew."""

MAX_TERM_CHARS = 64
"""A longer run without a joint becomes a hash; a longer code is not kept whole, only in pairs and parts."""
MIN_DATA_CHARS = 40
"""From here on a code that is mostly hash sum is one term (a SHA-1 has 40 characters)."""
MAX_CHANGES = 6
"""A run with more pieces of letters and of digits than this is a hash sum: cutting it up gives only noise."""
MIN_STEM_CHARS = 3
"""Shorter words have no ending to lose."""
MAX_CACHED_TOKENS = 1 << 16
"""Per language; a full cache is emptied, which costs less than keeping the order of use."""
MAX_CACHED_CHARS = 40

OPERATOR_WORDS = frozenset(["and", "or", "not", "und", "oder", "nicht"])
"""In capitals a habit from other search engines, not a name."""

Part = tuple[str, str]
"""A joint (may be empty) and the part that follows it, as written."""
Languages = tuple[str, ...]
"""Whose stems and stop words are taken: one language, both, or none."""


@dataclass(frozen=True, slots=True)
class Analyser:
    """Turns texts into terms. Safe to share between threads; remembers the terms of tokens that it has seen.

    >>> Analyser().document_terms("The ORB-4711 renewed", "en")
    ['the', 'orb4711', 'orb', '4711', 'renewed', 'renew']
    >>> Analyser().query_terms("the renewing", "en")
    ['renewing', 'renew']
    """

    name: str = "words"
    seen: dict[Languages, dict[str, tuple[str, ...]]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    @property
    def fingerprint(self) -> str:
        """Names what the terms depend on; an index made with another one does not fit."""
        from importlib.metadata import version  # loads the e-mail parser, which an import of pincite can do without

        return f"{self.name}/{ALGORITHM_VERSION} snowballstemmer/{version('snowballstemmer')}"

    def document_terms(self, text: str, language: str = "") -> list[str]:
        """The terms of a passage in reading order, with repeats. Without a language, the text is asked for it."""
        languages = stem_languages(text, language)
        seen = self.seen.setdefault(languages, {})
        terms: list[str] = []
        for token in tokens(text):
            known = seen.get(token)
            if known is None:
                known = tuple(token_terms(token, languages, document=True))
                if len(token) <= MAX_CACHED_CHARS:
                    if len(seen) >= MAX_CACHED_TOKENS:
                        seen.clear()
                    seen[token] = known
            terms += known
        return terms

    def query_terms(self, text: str, language: str = "") -> list[str]:
        """The terms to look up, each once, in reading order; none for a query without a letter or digit."""
        languages = stem_languages(text, language)
        shouted = text.isupper()
        strong: dict[str, None] = {}
        weak: dict[str, None] = {}
        for token in tokens(text):
            bare = possessive_pattern().sub("", token.strip("_"))
            a_name = len(bare) > 1 and bare.isupper() and not shouted and bare.lower() not in OPERATOR_WORDS
            chosen = weak if is_stop_word(bare, languages) and not a_name else strong
            chosen.update(dict.fromkeys(token_terms(token, languages, document=False)))
        return list(strong or weak)


def stem_languages(text: str, language: str) -> Languages:
    """The known language (``de-AT`` is ``de``), both where it is not known, none where it is a third one.

    >>> stem_languages("", "de-AT"), stem_languages("ORB-4711", ""), stem_languages("", "fr")
    (('de',), ('de', 'en'), ())
    """
    known = language.replace("_", "-").partition("-")[0].lower() or language_of(text)
    if not known:
        return tuple(STOP_WORDS)
    return (known,) if known in STOP_WORDS else ()


def tokens(text: str) -> list[str]:
    """Words and codes as written, codes in one piece, with a sign behind that belongs to them (C++, C#, 50%)."""
    prepared = prepare(text)
    found: list[str] = token_pattern(prepared.isascii()).findall(prepared)
    return found


def token_terms(token: str, languages: Languages, *, document: bool) -> list[str]:
    """The terms of one token, each once, the whole first."""
    if not token.isascii() and unspaced_pattern().search(token):
        return unspaced_terms(token, languages, document=document)
    sign = sign_pattern().search(token)
    parts = split_parts(possessive_pattern().sub("", token[: sign.start()] if sign else token))
    several = len(parts) > 1
    if several:
        terms = code_terms(parts, languages, document=document)
    else:
        terms = word_terms(joined(parts), languages, document=document)
    if sign and terms:
        terms.insert(0, terms[0] + sign.group())
    return list(dict.fromkeys(map(finished, terms)))


def code_terms(parts: list[Part], languages: Languages, *, document: bool) -> list[str]:
    """A code whole, its runs between joints, its pairs of neighbours, its parts. At least two parts."""
    whole = joined(parts)
    if is_data(parts):
        return [whole]
    terms: list[str] = []
    if 0 < len(whole) <= MAX_TERM_CHARS:
        # Only a word of two (re-used, maxTokens) has an ending to lose as a whole.
        terms += word_terms(whole, languages if len(parts) == 2 else (), document=document)
    terms += map(joined, runs(parts))
    terms += map(joined, pairwise(parts))
    for _, part in parts:
        folded = fold(part)
        if (len(folded) > 1 or folded.isdigit()) and (document or not is_stop_word(part, languages)):
            terms += word_terms(folded, languages, document=document)
    return list(filter(None, terms))


def word_terms(word: str, languages: Languages, *, document: bool) -> list[str]:
    """A folded word and its stems; nothing for nothing. Stop words keep their form."""
    if not (MIN_STEM_CHARS <= len(word) <= MAX_TERM_CHARS and word.isalpha()) or is_stop_word(word, languages):
        return [word] if word else []
    if len(languages) > 1 and word in KEPT_DIGRAPHS:
        languages = ("en",)  # the German stemmer takes guest for Güst
    found = [word, *(stem(word) for stem in stemmers(languages))]
    if document and "de" in languages:
        [german] = stemmers(("de",))
        found += map(german, parts_of(word))
    return found


def word_forms(text: str) -> frozenset[str]:
    """The terms that say that a word is in a document, in whatever form and language; of a code only the whole.

    >>> sorted(word_forms("Verträge"))
    ['vertrag', 'vertrage']
    """
    forms: set[str] = set()
    for token in tokens(text):
        whole = token_terms(token, (), document=False)[:1]
        forms.update(whole)
        if whole and whole[0].isalpha():
            forms.update(finished(stem(fold(token))) for stem in stemmers(tuple(STOP_WORDS)))
    return frozenset(forms)


def by_word(terms: Iterable[str]) -> list[tuple[str, ...]]:
    """A query's terms, those together that are forms of one word: of a word that a passage has in another form, or in
    another language's stem, nothing is missing. Parts of codes stay apart.

    >>> by_word(["rates", "rate", "rat", "limit"])
    [('rates', 'rate', 'rat'), ('limit',)]
    """
    several = list(terms)
    first: dict[str, str] = {}
    for term in several:
        forms = [term]
        if len(term) >= MIN_STEM_CHARS and term.isalpha():
            forms += (finished(stem(term)) for stem in stemmers(tuple(STOP_WORDS)))
        mine = next((first[form] for form in forms if form in first), term)
        for form in forms:
            first.setdefault(form, mine)
    words: dict[str, list[str]] = {}
    for term in several:
        words.setdefault(first[term], []).append(term)
    return list(map(tuple, words.values()))


def unspaced_terms(token: str, languages: Languages, *, document: bool) -> list[str]:
    """Overlapping pairs of characters of the scripts without spaces, the usual terms of what stands between."""
    terms: list[str] = []
    for number, piece in enumerate(unspaced_pattern().split(token)):
        if number % 2 == 0:
            terms += token_terms(piece, languages, document=document)
            continue
        characters = character_pattern().findall(fold(piece))
        alone = len(characters) == 1
        terms += [character for character in characters if alone or (document and is_chinese(character))]
        terms += map("".join, pairwise(characters))
    return list(map(finished, terms))


def is_chinese(character: str) -> bool:
    """Whether a character (with its marks) is a word by itself, unlike Kana, Hangul or Thai."""
    return "\u3400" <= character[0] <= "\u9fff" or "\uf900" <= character[0] <= "\ufaff" or character[0] >= "\U00020000"


def split_parts(token: str) -> list[Part]:
    """A token at its joints, at changes between letters and digits, and in camelCase.

    >>> split_parts("XK-7/204.B")
    [('', 'XK'), ('-', '7'), ('/', '204'), ('.', 'B')]
    >>> split_parts("maxTokens2")
    [('', 'max'), ('', 'Tokens'), ('', '2')]
    """
    parts: list[Part] = []
    for joint, run in joint_pattern().findall(token.strip("_")):
        first, *rest = [run] if len(run) > MAX_TERM_CHARS else run_pieces(run)
        parts.append((joint if parts else "", first))
        parts += [("", piece) for piece in rest]
    return parts


def run_pieces(run: str) -> list[str]:
    """Digits, and letters cut in camelCase and before the s of ``PDFs``; a hash sum in one piece."""
    if run.isalpha() and (run.islower() or run.isupper() or run[1:].islower()):
        return [run]
    changes = digit_pattern().findall(run)
    if len(changes) > MAX_CHANGES:
        return [run]
    return [piece for change in changes for piece in camel_pattern().findall(change)]


def runs(parts: list[Part]) -> list[list[Part]]:
    """The parts between two joints together, where they are several: ``Timeout2`` in ``httpx.Timeout2``."""
    together: list[list[Part]] = []
    for joint, part in parts:
        if joint or not together:
            together.append([])
        together[-1].append((joint, part))
    return [run for run in together if len(run) > 1]


def joined(parts: Iterable[Part]) -> str:
    """The parts as one folded term: joints stay between digits only.

    >>> joined([("", "XK"), ("-", "7"), ("/", "204"), (".", "B")])
    'xk7/204b'
    """
    pieces: list[str] = []
    after_digit = False
    for joint, part in parts:
        folded = fold(part)
        if after_digit and joint and folded[:1].isdigit():
            pieces.append(joint[0])
        pieces.append(folded)
        after_digit = folded[-1:].isdigit()
    return "".join(pieces)


def is_data(parts: list[Part]) -> bool:
    """Whether a code is a hash sum or base64: long, and most of it in runs that could not be cut into pieces."""
    chars = sum(len(joint) + len(part) for joint, part in parts)
    hashed = sum(len(part) for _, part in parts if not part.isalpha() and not part.isdigit())
    return chars >= MIN_DATA_CHARS and 2 * hashed >= chars


def finished(term: str) -> str:
    """The term with its digraphs folded, or a hash of it where it is too long: whoever pastes it still finds it."""
    if len(term) <= MAX_TERM_CHARS:
        return fold_digraphs(term)
    return "sha256:" + sha256(term.encode()).hexdigest()[:16]


def is_stop_word(word: str, languages: Languages) -> bool:
    """Whether a query can do without the word; where the language is not known, in either."""
    word = word.casefold().replace("'", "").replace("’", "")
    return any(word in STOP_WORDS[language] for language in languages)


@cache
def stemmers(languages: Languages) -> tuple[Callable[[str], str], ...]:
    """The stemming functions of the languages, loaded when first used.

    The pure Python classes are named, not ``snowballstemmer.stemmer``: that one hands out PyStemmer where somebody has
    it installed, whose version may stem differently. Each call gets a fresh stemmer, since they keep the word that they
    work on and are not safe in threads; that costs a quarter of a microsecond.
    """
    from snowballstemmer.english_stemmer import EnglishStemmer
    from snowballstemmer.german_stemmer import GermanStemmer

    classes = {"de": GermanStemmer, "en": EnglishStemmer}

    def stemmer(language: str) -> Callable[[str], str]:
        stemmer_class = classes[language]
        return lambda word: str(stemmer_class().stemWord(word))

    return tuple(map(stemmer, languages))


JOINTS = r"-./:@\\+'’‐"
"""Between two digits also the comma, between two capitals the ampersand; the underscore counts as a word character."""

UNSPACED = (
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17d3\u3005-\u3007\u3041-\u309a\u309d-\u309f"
    "\u30a1-\u30fa\u30fc-\u318f\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff"
    "\U0001b000-\U0001b16f\U00020000-\U0003ffff"
)
"""Thai, Lao, Burmese, Hangul, Khmer, Kana, Bopomofo and Chinese characters."""

CAPITALS = "A-ZÀ-ÖØ-ÞΑ-ΩЀ-Я"
SMALL = "a-zß-öø-ÿα-ωа-џ"


@cache
def token_pattern(ascii_only: bool) -> re.Pattern[str]:
    """A token, see ``tokens``. Linear: no two neighbours in it can match the same character."""
    word = "[A-Za-z0-9_]" if ascii_only else rf"[\w{MARKS}]"
    joint = rf"(?:::|[{JOINTS}]|(?<=[0-9]),(?=[0-9])|(?<=[A-Z])&(?=[A-Z]))"
    return re.compile(rf"{word}+(?:{joint}{word}+)*(?:\+\+|[#%](?!{word}))?")


@cache
def joint_pattern() -> re.Pattern[str]:
    """A joint, or nothing, and the run up to the next one."""
    return re.compile(rf"([{JOINTS}_,&]*)((?:[^\W_]|[{MARKS}])+)")


@cache
def sign_pattern() -> re.Pattern[str]:
    """The sign that belongs to the word before it."""
    return re.compile(r"(?:\+\+|[#%])$")


@cache
def possessive_pattern() -> re.Pattern[str]:
    """The English genitive, which is no part of the name."""
    return re.compile(r"['’][sS]$")


@cache
def digit_pattern() -> re.Pattern[str]:
    """Runs of digits and runs of anything else."""
    return re.compile(r"\d+|\D+")


@cache
def camel_pattern() -> re.Pattern[str]:
    """Capitals before a plural s (PDFs), or up to the last before a small letter (XML in XMLParser), or a word."""
    return re.compile(rf"[{CAPITALS}]{{2,}}(?=s(?![{SMALL}]))|[{CAPITALS}]+(?![{SMALL}])|[{CAPITALS}]?[^{CAPITALS}]+")


@cache
def unspaced_pattern() -> re.Pattern[str]:
    """A run of characters of the scripts without spaces; splitting puts it in every second place."""
    return re.compile(f"([{UNSPACED}][{UNSPACED}{MARKS}]*)")


@cache
def character_pattern() -> re.Pattern[str]:
    """A character with its marks."""
    return re.compile(f".[{MARKS}]*", re.DOTALL)
