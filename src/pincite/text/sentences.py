"""Where sentences and clauses begin: rules for German and English, and cautious ones for all other languages.

A missed border joins two sentences, which a reader hardly notices; a wrong one cuts "z. B." in two. So where the
letters leave it open (an abbreviation, an ordinal or an initial before a capital), a sentence begins only with a
word that often begins sentences. All functions are linear in the range and read nothing outside it, except for the
one character that tells whether a start would fall into a grapheme cluster.
"""

import re
from dataclasses import dataclass
from typing import Final

from pincite.text.graphemes import border_before, is_border, trim
from pincite.text.stopwords import words_of

# A name or a number always follows; written with a capital, while the same letters in lower case may be a word.
TITLES: Final = words_of("""
    Dr Prof Hr Fr Hrn Frl Mag Ing Dipl Mr Mrs Ms Mx Messrs Gen Col Capt Cpt Lt Sgt Maj Cmdr Adm Rev Hon
    Pres Gov Sen Rep Supt Mme Mlle Mgr Sra Srta Dra Sig Sres Univ
""")

# Something always follows them, so that they never end a sentence. Lower case, inner blanks left out.
NEVER_LAST: Final = words_of("""
    z.b z.t z.zt z.hd d.h d.i i.d.r i.d.s i.a i.v i.w i.e.s u.a u.u o.g u.e s.o s.u v.a m.e m.w a.a.o i.s.d i.s.v
    u.zw n.b bzw vgl ggf ggfs evtl evt sog ca inkl exkl einschl zzgl abzgl bspw beispielsw insb insbes bes lt nr nrn
    ziff abs hrsg entspr resp zz zzt allg urspr eigtl vs e.g i.e eg viz cf approx esp incl excl q.v c.f т.е т.к напр
""")

# Never last before a number ("S. 5", "Jan. 3"); before a word they may be words themselves ("No. That is all.").
BEFORE_NUMBER: Final = words_of("""
    no nos p pp s sp vol vols ch chap sec sect fig figs eq eqs ref refs art art kap bd bde abb tab anm anl anh rn rz
    rdnr satz ver pos tel jan feb mar mär apr jun jul aug sep sept oct okt nov dec dez par para pt ed op lfd str № стр
""")

WORDS_TOO: Final = words_of("no art fig ed ref par pos dec mar sat")

# Often last, but a name or a number may follow: a sentence begins only with a word from `OPENERS`.
MAY_BE_LAST: Final = words_of("""
    usw etc usf ff al inc ltd corp co bros jr sr est dept chr jh jhd jhdt std min mind sek mio mrd tsd max abt aufl
    ausg bsp kl gr geb gest verh ehem ev kath dgl ähnl gem hl st ste mt ft ave blvd rd mon tue tues wed thu thurs fri
""")

OPENERS: Final = words_of("""
    der die das den dem des ein eine einen einem einer eines es er sie wir ihr ich du man in im am an auf aus bei beim
    mit nach von vom vor zu zum zur für durch gegen ohne um unter über seit während wegen trotz wenn aber und oder doch
    denn dann dies diese dieser dieses diesen diesem so wer was wie wo wann warum welche welcher welches als da daher
    damit danach dazu dabei dadurch darum deshalb deswegen dennoch dort hier nur auch noch nun jetzt heute später sein
    seine ihre unser unsere mein meine kein keine alle alles viele jeder jede jedes beide sobald solange sowohl sonst
    derzeit statt bis ob obwohl weil dass nicht zwar zudem außerdem allerdings jedoch anschließend
    schließlich zuerst zunächst
    the this that these those it he she we they you i his her its their our my your there here on at for if when while
    where why how who what which but and or not no yes as to by from with without into after before since because
    although though however therefore thus hence moreover furthermore then also finally first second next later now
    once both each every all some many most several only such other another one two three let see is are was were do
    does did can could should would may might will a an of until unless during under over between
    le la les un une il elle ils elles nous vous je ce cette ces et mais dans pour el los las una y pero en para
    он она они мы вы я это в на и но
""")

# Languages that write ordinals without a stop: a number before a stop ends a sentence like a word.
NUMBERS_ARE_WORDS: Final = words_of("en fr es it pt nl sv ca gl ro")

IDEOGRAPHIC_STOPS: Final = "。！？｡．"
STOPS: Final = ".!?…‼⁇⁈⁉؟۔।॥።։។။" + IDEOGRAPHIC_STOPS

# What may stand between a stop and the blank after it: quotes, brackets, emphasis, notes, the target of a link, a tag.
CLOSER: Final = (
    r"""(?:["'”’“‘»›«‹)}*_~」』）】〉》〕｣⁾¹²³⁰-⁹\u200e\u200f\u202c\u2069]|\]\([^\s()]{0,400}+\)|\]|\[\^?\w{1,20}+\]"""
    r"""|</\w{1,20}+>|[ \xa0\u202f]»(?=\s|\Z))"""
)
BLANK_LINE: Final = r"(?:\r\n?+|\n)[^\S\r\n]*+(?:\r\n?+|\n)\s*+|[\f\u2029]\s*+"
# The look ahead changes nothing and makes it three times as fast: at most places one character settles it.
CANDIDATES: Final = re.compile(
    rf"(?=[`{STOPS}\r\n\f\u2029])"
    rf"(?:(?P<ticks>`++)|(?P<stop>[{STOPS}]++)(?P<closers>{CLOSER}*+)|(?P<blank>{BLANK_LINE}))"
)
BLANK_LINE_AT: Final = re.compile(BLANK_LINE)
BLANKS: Final = re.compile(r"\s*+")
TICKS: Final = re.compile(r"`++")
LONGEST_CODE_SPAN: Final = 1_000

# What may stand before the first word of a sentence; a backtick is not skipped: code may begin one in lower case.
LEAD: Final = re.compile(r"""["'“”„‚‘«»‹›(\[{*_~<#>¿¡–—‑•·+\-\u200e\u200f\u2066-\u2069 \xa0\u202f]{0,16}+""")
LIST_ITEM: Final = re.compile(r"(?:[-*+•]|\d{1,4}[.)]|[a-zA-Z]\))[ \t]")
NO_START: Final = frozenset(",;:.!?…)]}،؛、，；：。！？）」』】〉》%&=/|")
WORD: Final = re.compile(r"[^\W_]++")
LINE_MARKS: Final = " \t\xa0#>*_+•([|-"
LIST_NUMBER: Final = re.compile(r"\d{1,3}(?:\.\d{1,3})*+|[A-Za-z]|[ivx]{1,5}|[IVX]{1,5}")
ORDINAL: Final = re.compile(r"\d{1,3}|\d{1,2}\.(?:0?[1-9]|1[0-2])")
ROMAN: Final = re.compile(r"[IVXLC]+")
SHORT_PARTS: Final = re.compile(r"(?:[^\W\d_]{1,2}\.)*+[^\W\d_]{1,2}")
SPELLED_APART: Final = re.compile(r"(?:(?<![^\W_])[^\W\d_]{1,2}\.\s{0,2}){1,3}\Z")
COMPOUND: Final = re.compile(r"[-–—/(]")
ENGLISH: Final = words_of("the and of is are to with that for")
GERMAN: Final = words_of("der die das den dem und ist sind im am mit zu ein eine nicht von auf")
WORDS: Final = re.compile(r"\w+")
OPENING: Final = "([{\"'“”„‚‘«»‹›*_~<#>§"
EMPHASIS: Final = "*_~"
LONGEST_WORD: Final = 40
EVIDENCE_CHARACTERS: Final = 200

CLAUSE: Final = re.compile(
    r"""(?=[,;:–—،؛，、；：､])(?:"""
    r"""[,;:–—،؛](?:["'”’“»›)\]}*_~]*+\s++|(?=[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff]))"""
    r"""|[，、；：､]++[”’」』）】〉》]*+\s*+)"""
)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A candidate: one or more full stops with what closes after them, inside the range ``[start, end)``."""

    text: str
    start: int
    end: int
    match: re.Match[str]


def sentence_starts(text: str, start: int, end: int, language: str = "") -> list[int]:
    """Offsets, in code points and ascending, at which the sentences of ``[start, end)`` begin; the first is ``start``.

    A sentence runs to the next start: white space after it belongs to it. A blank line always ends a sentence, a
    single line end never does by itself. ``language`` is a tag such as ``de`` or ``en-GB``; empty means unknown, and
    only the question whether "3." is an ordinal then looks at the words around. An empty range has no starts. Where
    ``start`` is a border between grapheme clusters, all starts are.

    >>> text = "Am 3. Oktober kam Dr. Braun, z. B. mit Nr. 4. Er blieb."
    >>> [text[a:] for a in sentence_starts(text, 0, len(text))][1:]
    ['Er blieb.']
    """
    if start >= end:
        return []
    starts = [start]
    body = skip_blanks(text, start, end)
    language = language[:2].lower()
    code_end = start
    for match in CANDIDATES.finditer(text, start, end):
        if match.start() < code_end:
            continue
        place = match.end()
        kind = match.lastgroup
        if kind == "ticks":
            code_end = code_span_end(text, match, end)
            continue
        if kind == "blank":
            place = border_before(text, place, known=starts[-1])
        else:
            place = start_after_stop(Candidate(text, start, end, match), language)
        if max(body, starts[-1]) < place < end and is_border(text, place, known=starts[-1]):
            starts.append(place)
    return starts


def sentences(text: str, start: int, end: int, language: str = "") -> list[tuple[int, int]]:
    """Half-open ranges of the sentences in ``[start, end)``, in code points, trimmed of blanks; no range is blank.

    >>> text = "It works.  Really!\\n\\nBye"
    >>> [text[a:b] for a, b in sentences(text, 0, len(text))]
    ['It works.', 'Really!', 'Bye']
    """
    starts = sentence_starts(text, start, end, language)
    ranges = (trim(text, first, last) for first, last in zip(starts, [*starts[1:], end], strict=False))
    return [(first, last) for first, last in ranges if first < last]


def clause_starts(text: str, start: int, end: int) -> list[int]:
    """Offsets, in code points and ascending, at which the clauses of ``[start, end)`` begin; the first is ``start``.

    A clause ends with a comma, semicolon, colon or dash before white space, or with such a mark of a script that
    writes none. It runs to the next start. Meant for one sentence: its full stops are not looked at.

    >>> text = "At 10:30, he said: go"
    >>> [text[a:] for a in clause_starts(text, 0, len(text))]
    ['At 10:30, he said: go', 'he said: go', 'go']
    """
    if start >= end:
        return []
    starts = [start]
    for match in CLAUSE.finditer(text, start, end):
        place = match.end()
        if place < end and is_border(text, place, known=starts[-1]):
            starts.append(place)
    return starts


def start_after_stop(candidate: Candidate, language: str) -> int:
    """Where the next sentence begins, or -1 where the stop ends none."""
    text, end, match = candidate.text, candidate.end, candidate.match
    after = match.end()
    place = skip_blanks(text, after, end)
    stop, closers = match["stop"], match["closers"]
    ideographic = stop[-1] in IDEOGRAPHIC_STOPS
    if place == end or text[place] in NO_START or (place == after and not ideographic):
        return -1
    if closers and closers[0] in ")]）" and text[max(candidate.start, match.start() - 1)] in "([（":
        return -1  # "(?)" and "[…]" are remarks inside a sentence
    if ideographic:
        quoted = bool(closers) and "\u3041" <= text[place] <= "\u309f"  # 「はい。」と言った: the sentence goes on
        number = stop == "．" and text[place].isdigit()
        return -1 if quoted or number else place
    if LIST_ITEM.match(text, place, end) and not {"\n", "\r"}.isdisjoint(text[after:place]):
        return place
    return place if ends_here(candidate, place, language) else -1


def ends_here(candidate: Candidate, place: int, language: str) -> bool:
    """Whether a sentence ends at the stop and another begins at ``place``, the first character after the blanks."""
    text, match = candidate.text, candidate.match
    first = end_of(LEAD, text, place, candidate.end)
    if first == candidate.end or text[first].islower() or text[first] in NO_START:
        return False
    stop = match["stop"]
    if not stop.strip(".…"):
        window = text[max(candidate.start, match.start() - LONGEST_WORD) : match.start()]
        spaced = not window or window[-1].isspace()
        if stop != ".":
            return not spaced or opens(text, first, candidate.end)  # "er ging … Haus": words are left out
        if not spaced:
            return ends_after_word(candidate, window, first, language)
    return True


def ends_after_word(candidate: Candidate, window: str, first: int, language: str) -> bool:
    """The same for a single full stop after the last word of ``window``; ``first``: where the next word begins."""
    text, end, stop_at = candidate.text, candidate.end, candidate.match.start()
    raw = window.rsplit(None, 1)[-1]
    word = raw.lstrip(OPENING).rstrip(EMPHASIS)
    if LIST_NUMBER.fullmatch(word) and begins_line(text, candidate.start, stop_at - len(raw)):
        return False
    closed = bool(candidate.match["closers"].strip(EMPHASIS))
    if ORDINAL.fullmatch(word) or (len(word) > 1 and ROMAN.fullmatch(word)):
        return closed or opens(text, first, end) or numbers_are_words(candidate, language)
    if SHORT_PARTS.fullmatch(word):
        if is_never_last(window):
            return False
        if len(word) != 2:
            return closed or opens(text, first, end)
    last = COMPOUND.split(word)[-1]
    key = last.lower()
    if last in TITLES or key in NEVER_LAST:
        return False
    if key in BEFORE_NUMBER:
        follower = end_of(WORD, text, first, end) - first
        if text[first].isdigit() or text[first] in "§#" or follower == 1:
            return False
        return key in WORDS_TOO or opens(text, first, end)
    return key not in MAY_BE_LAST or opens(text, first, end)


def opens(text: str, first: int, end: int) -> bool:
    """Whether the word at ``first`` is one that often begins a sentence."""
    return text[first : end_of(WORD, text, first, end)].lower() in OPENERS


def is_never_last(window: str) -> bool:
    """Whether ``window`` ends in an abbreviation of several letters, written with or without blanks: "z. B", "d.h"."""
    match = SPELLED_APART.search(f"{window[-20:]}.")
    parts = "".join(match[0].lower().split()).split(".")[:-1] if match else []
    return any(".".join(parts[number:]) in NEVER_LAST for number in range(len(parts)))


def begins_line(text: str, start: int, index: int) -> bool:
    """Whether only white space and the marks of headings, quotes, lists stand before ``index`` on its line."""
    window_start = max(start, index - 16)
    before = text[window_start:index].rstrip(LINE_MARKS)
    return before[-1] in "\r\n" if before else window_start == start


def numbers_are_words(candidate: Candidate, language: str) -> bool:
    """Whether a number before a full stop is just a number, as in English, and no ordinal, as in German."""
    if language:
        return language in NUMBERS_ARE_WORDS
    middle = candidate.match.start()
    first = max(candidate.start, middle - EVIDENCE_CHARACTERS)
    around = candidate.text[first : min(candidate.end, middle + EVIDENCE_CHARACTERS)]
    words = WORDS.findall(around)
    return len([word for word in words if word in ENGLISH]) > len([word for word in words if word in GERMAN])


def code_span_end(text: str, ticks: re.Match[str], end: int) -> int:
    """End of the code span that the run of backticks opens; the end of the run itself where none closes it."""
    limit = min(end, ticks.end() + LONGEST_CODE_SPAN)
    blank_line = BLANK_LINE_AT.search(text, ticks.end(), limit)
    if blank_line:
        limit = blank_line.start()
    for closing in TICKS.finditer(text, ticks.end(), limit):
        if len(closing[0]) == len(ticks[0]):
            return closing.end()
    return ticks.end()


def skip_blanks(text: str, start: int, end: int) -> int:
    return end_of(BLANKS, text, start, end)


def end_of(pattern: re.Pattern[str], text: str, start: int, end: int) -> int:
    """Where the match of ``pattern`` at ``start`` ends; ``start`` itself where there is none."""
    match = pattern.match(text, start, end)
    return match.end() if match else start
