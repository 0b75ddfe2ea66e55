"""Sentences and clauses: each case is written with ``|`` where a sentence begins; its text is the rest."""

import time

import pytest

from pincite.text.sentences import clause_starts, sentence_starts, sentences

ENGLISH = {
    "two": "It works. |It really does.",
    "question and exclamation": "Does it? |Yes! |It does.",
    "several stops": "What?! |No!!! |Well.",
    "lower case after an exclamation in a quote": "“Stop!” she said. |“No.”",
    "quote after the stop": 'He said "go." |Then he left.',
    "curly quote after the stop": "He said “go.” |Then he left.",
    "bracket after the stop": "(It works.) |Good.",
    "bracket around a remark": "This (?) One and that (!) One are odd. |Yes.",
    "omission": "He said […] Nothing at all. |Yes.",
    "opening bracket begins": "It works. |(It really does.)",
    "opening quote begins": "It works. |“It does.”",
    "e.g. and i.e.": "Use a client, e.g. HTTPX, i.e. The client. |Then go.",
    "spaced e. g.": "Use a client, e. g. HTTPX. |Then go.",
    "etc. inside": "Apples, pears, etc. Granny Smith too.",
    "etc. last": "We sell apples, pears, etc. |The shop is open.",
    "titles": "Mr. The Dr. Smith and Prof. A. B. Jones met. |They talked.",
    "initials": "J. R. R. Tolkien and C.S. Lewis wrote. |They did.",
    "single letter last": "We need plan B. |The first one failed.",
    "acronym inside": "The U.S. Army came. |It left.",
    "acronym last": "He lives in the U.S. |He likes it.",
    "time of day": "At 10 a.m. Smith came. |At 5 p.m. |He left.",
    "company": "Acme Inc. Chicago and Foo Co. Ltd. Boston merged. |It failed.",
    "references": "See Fig. 3, No. 5, p. 7, Sec. A, vol. 2 and Eq. 1. |That is all.",
    "month": "On Jan. 5 we met. |On Feb. Anna left.",
    "No. as an answer": "Is it? |No. |That is all.",
    "versus": "It is A vs. B here. |Yes.",
    "decimals": "It costs 3.14 or .5 dollars. |Good.",
    "version": "Orbit 3.0 is here. |Use v2.0. |Older ones fail.",
    "version last": "We ship Orbit 3.0. |New features follow.",
    "url": "See https://example.org/a.html?q=1. |Then go to example.com. |Done.",
    "file name": "Read timeouts.md. |Then read it again.",
    "file name inside": "Read docs/timeouts.md and setup.py first. |Then go.",
    "dot word": "The .NET runtime. |Node.js. |Next one.",
    "number last": "The answer is 42. |It was computed.",
    "year last": "It was founded in 1999. |Growth followed.",
    "number last in English": "The size of the window is 3. |Users change it.",
    "number begins": "It works. |3 items remain.",
    "list numbers": "1. First item. |It is.\n|2. Second item.",
    "section number": "## 2.1. Results\nThey are good. |Really.",
    "list letters": "a. First item\nB. Second item\niv. Third item",
    "quoted list number": "> 1. First",
    "emphasised list number": "**1.** First",
    "list item after a stop": "It has parts.\n|- one\n- two",
    "numbered list item after a stop": "It has parts.\n|1. one",
    "dash is no item on the same line": "It works. - one",
    "strong": "**Note.** |Next one. |*Really.* |_Yes._ |~~No.~~ |Good.",
    "strong begins": "It works. |**Note** this.",
    "code span": "Call `a. B` now. |`foo` does it. |Use `x. Y` z.",
    "two backticks": "Call ``a. ` B`` now. |Done.",
    "unclosed backtick": "Call `a. |Be careful.",
    "code span ends at a blank line": "Call `a. |Be careful.\n\n|It` is",
    "link": "[Read it.](https://example.org/a) |Then go.",
    "link without an end": "[Read it.](see below) Then go.",
    "footnote": "It works.[^1] |Next.[2] |Then.¹ |Good.",
    "tag": "<b>Note.</b> |Next.",
    "ellipsis": "Well... |That works… |Good.",
    "ellipsis inside": "He paused ... and went. |He paused … Nobody came.",
    "ellipsis at the beginning": "... |And so on.",
    "spaced ellipsis": "He paused . . . |It was late.",
    "blank before the stop": "It works . |It does .",
    "wrapped": "It works\nwell and\nDoes so.\n|Next.",
    "blank line": "Heading\n\n|Text without stop\n \t\n|More",
    "blank line with carriage returns": "One\r\n\r\n|two\r\ngoes on\r\r|three",
    "page break": "One\f|two\u2029|three",
    "blank line after an abbreviation": "and so on, e.g.\n\n|The rest",
    "leading blank lines": "\n\n One. |Two.\n\n",
    "stop before a comma": "Yahoo!, Inc. and etc., too.",
    "nothing but signs follow": "It works. **",
    "ends in a quote after blanks": "It works. )",
    "no-break space": "It works.\u00a0|It does.",
    "dash begins": "It works. |– Really?",
    "closing direction mark": "It works.\u200f |It does.",
    "slash": "Use and/or. |Then. |It is Dipl.-Ing. Smith.",
    "smiley": "It works. |🎉 Great.",
    "roman": "World War II. |Soldiers of the army and of the navy.",
    "underscored name": "Set max_value. |Then go.",
}

GERMAN = {
    "two": "Es geht. |Sehr gut.",
    "z. B.": "Nimm z. B. Äpfel, z.B. Birnen, z.\u00a0B. Die Pflaume. |Gut.",
    "z. B. wrapped": "Nimm z.\nB. Äpfel. |Gut.",
    "d. h.": "Es geht, d. h. Es läuft, d.h. Alles. |Gut.",
    "u. a.": "Es gibt u. a. Äpfel, i. d. R. Birnen, o. g. Dinge. |Gut.",
    "z. Zt.": "Er ist z. Zt. Leiter und z. Hd. Frau Braun. |Gut.",
    "usw. inside": "Äpfel usw. Birnen gibt es. |Gut.",
    "usw. last": "Äpfel, Birnen usw. |Die Liste ist lang.",
    "bzw.": "Äpfel bzw. Birnen, ggf. Pflaumen, ca. Drei. |Gut.",
    "titles": "Dr. Braun, Prof. Dr. Klein, Hr. Groß und Fr. Lang. |Sie gingen.",
    "numbers": "Nr. 5, Abs. 2, Art. 3, S. 7, Abb. 1, Kap. IV, Nr. X. |Das ist alles.",
    "Art as a word": "Er ist von dieser Art. |Sie nicht. |Das ist eine Art. |Manche sagen das.",
    "ordinal date": "Am 3. Oktober und am 3. 10. 2024 kam er. |Er blieb.",
    "ordinal date with numbers": "Am 3.10. Treffen wir uns. |Gut.",
    "ordinal century": "Im 19. Jahrhundert war das so. |Gut.",
    "ordinal weekday": "Montag, 3. Mai. |Gut.",
    "number last": "Er wurde 3. |Die anderen waren besser.",
    "number in brackets last": "Er war gut (Platz 3.) |Andere nicht.",
    "year last": "Das war 1999. |Niemand merkte es.",
    "king": "Ludwig XIV. König von Frankreich. |Er herrschte. |So war Ludwig XIV. |Der König starb.",
    "version": "Orbit 3.0. |Neue Funktionen gibt es.",
    "quote": "„Es geht.“ |Er ging. |»Komm!« |Sie kam.",
    "quote goes on": "„Komm!“ sagte er. |„Komm“, sagte er.",
    "ellipsis": "Er ging … Haus und Hof. |Aber dann… |Schluss.",
    "street": "Die Str. Paris ist lang. |St. Gallen liegt dort.",
    "years": "Um 50 v. Chr. Rom, um 3 n. Chr. |Die Zeit verging.",
    "et al.": "Müller et al. Berlin zeigen das. |Gut.",
    "abbreviation in brackets": "(vgl. Abs. 3) Gut.",
    "stop and bracket": "Es geht (vgl. Abs. 3). |Gut.",
    "unknown abbreviation before lower case": "Die allgem. und bes. schönen Dinge. |Gut.",
    "compound": "Die Klein-Nr. Fünf und Abs.-Nr. Sechs. |Gut.",
}

OTHERS = {
    "chinese": ("zh", "你好。|我很好！|你呢？|好。"),
    "chinese quote": ("zh", "他说：“好。”|然后走了。"),
    "chinese comma after": ("zh", "“好！”，他说。|走了。"),
    "chinese remark": ("zh", "他（？）来了。|好。"),
    "japanese": ("ja", "はい。|いいえ。"),
    "japanese quote goes on": ("ja", "「はい。」と言った。|次。"),
    "japanese quote ends": ("ja", "「はい。」\n|漢字。"),
    "wide stop": ("ja", "３．１４です．|次．"),
    "variation selector": ("zh", "好。\ufe00走。|好"),
    "arabic": ("ar", "كيف حالك؟ |أنا بخير. |شكرا"),
    "urdu": ("ur", "یہ ہے۔ |وہ ہے"),
    "hindi": ("hi", "यह है। |वह है॥ |ठीक"),
    "russian": ("ru", "Это А. С. Пушкин, т. е. Поэт. |Он писал. |Хорошо."),
    "french": ("fr", "Il dit : « Oui. » |Puis il part. |Le chapitre 3. |Fin."),
    "unknown, ordinal": ("", "Am 3. Oktober war das."),
    "unknown, number in English": ("", "Set it to 3. |Users of the tool like that."),
    "language with a region": ("en-GB", "Set it to 3. |Users like that."),
}


def unmarked(case: str) -> str:
    return case.replace("|", "")


def show(text: str, starts: list[int]) -> str:
    return "|".join(text[a:b] for a, b in zip(starts, [*starts[1:], len(text)], strict=True))


@pytest.mark.parametrize("case", ENGLISH.values(), ids=ENGLISH)
def test_english_sentences(case: str) -> None:
    text = unmarked(case)
    assert show(text, sentence_starts(text, 0, len(text), "en")) == case


@pytest.mark.parametrize("case", GERMAN.values(), ids=GERMAN)
def test_german_sentences(case: str) -> None:
    text = unmarked(case)
    assert show(text, sentence_starts(text, 0, len(text), "de")) == case


@pytest.mark.parametrize(("language", "case"), OTHERS.values(), ids=OTHERS)
def test_sentences_of_other_languages(language: str, case: str) -> None:
    text = unmarked(case)
    assert show(text, sentence_starts(text, 0, len(text), language)) == case


@pytest.mark.parametrize(("start", "end"), [(0, 0), (3, 3), (5, 2)])
def test_an_empty_range_has_no_sentences(start: int, end: int) -> None:
    assert sentence_starts("One. Two.", start, end) == []
    assert sentences("One. Two.", start, end) == []
    assert clause_starts("One, two.", start, end) == []


def test_a_range_is_read_on_its_own() -> None:
    text = "Hi Dr. Braun. It works. Good"
    assert sentence_starts(text, 14, 24, "en") == [14]
    assert sentence_starts(text, 14, 25, "en") == [14, 24]
    assert sentence_starts("z. B. Die", 3, 9, "de") == [3]


def test_a_start_is_never_inside_a_cluster() -> None:
    text = "Stop. \u0301Go. Be\n\n \u0301c"
    assert show(text, sentence_starts(text, 0, len(text), "en")) == "Stop. \u0301Go. |Be\n\n| \u0301c"


def test_sentences_are_trimmed_and_blank_ones_dropped() -> None:
    text = "\n\n One.  Two.\r\n\r\nThree \n"
    assert [text[a:b] for a, b in sentences(text, 0, len(text))] == ["One.", "Two.", "Three"]
    assert sentences(" \n\n ", 0, 4) == []


CLAUSES = {
    "comma": "If so, |then; |else: |no – |yes — |end",
    "no blank": "At 10:30, |3,14 and a:b;c—d",
    "quote after the comma": "“Yes,” |he said, |and (so,) |left",
    "emphasis": "**Note:** |this",
    "chinese": "如果，|那么；|好：|是、|否",
    "chinese dash": "如果—|那么",
    "quote after the wide comma": "「如果，」|那么",
    "arabic": "نعم، |لا؛ |كيف",
    "at the end": "so, |it goes, ",
    "inside a cluster": "so, \u0301a",
    "wrapped": "so,\n|it goes",
}


@pytest.mark.parametrize("case", CLAUSES.values(), ids=CLAUSES)
def test_clauses(case: str) -> None:
    text = unmarked(case)
    assert show(text, clause_starts(text, 0, len(text))) == case


LONG = {
    "stops": "." * 100_000,
    "stops and letters": "a." * 50_000,
    "stop and link": ".](" * 100_000,
    "stop and note": ".[^" * 100_000,
    "stop and tags": ".</" * 100_000,
    "backticks": "` `` ``` " * 15_000,
    "one run of backticks": "`" * 100_000,
    "line ends": "\n \t" * 100_000,
    "carriage returns": "\r" * 100_000,
    "line ends and one long indent": "\n" + " " * 100_000,
    "blanks": "a. " + " " * 100_000,
    "numbers on one line": "am 1. b " * 40_000,
    "initials": "A. " * 30_000,
    "quotes after a stop": '.")' * 100_000,
    "openers": "a. " + "(" * 100_000,
    "commas": "," * 100_000,
    "commas and quotes": ',")' * 100_000,
    "wide commas": "，" * 100_000,
    "wide stops": "。" * 100_000,
    "flags": "🇩🇪。" * 50_000,
    "roman": "X" * 100_000 + ". A",
}


@pytest.mark.parametrize("text", LONG.values(), ids=LONG)
def test_cost_is_linear(text: str) -> None:
    """A quadratic rule would take minutes here."""
    before = time.process_time()
    sentence_starts(text, 0, len(text))
    clause_starts(text, 0, len(text))
    assert time.process_time() - before < 5
