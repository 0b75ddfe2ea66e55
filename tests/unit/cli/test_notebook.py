from __future__ import annotations

import html
import re
from base64 import b64decode

from pincite.cli.notebook import draw_chunks, draw_comparison
from pincite.engine import chunk_document, load_text
from pincite.engine.evaluation.comparing import Comparison


def shown_text(picture: str) -> str:
    """What a reader sees, without the numbers of the chunks."""
    return html.unescape(re.sub(r"<[^>]*>", "", re.sub(r"<b>\[\d+\]</b> ", "", picture)))


def test_every_chunk_is_a_band_and_the_whole_text_is_shown() -> None:
    text = "# A <b>\n\nFirst & second.\n\n## B\n\nThird.\n"
    document = load_text(text)
    picture = draw_chunks(document, chunk_document(document, strategy="sections"))
    assert picture._repr_html_() == picture.html
    assert shown_text(picture.html) == text
    assert re.findall(r"<b>\[(\d)\]</b>", picture.html) == ["1", "2"]
    assert "&lt;b&gt;" in picture.html
    assert 'title="chunk 2, length ' in picture.html
    assert picture.html.count('style="color: #8b95a5"') == 3  # two headings, and the line ends at the end


def test_what_chunks_share_is_striped_and_drawing_stops_after_the_first_ones() -> None:
    document = load_text("abcdef", document_id="a.txt")
    chunks = chunk_document(document, strategy="characters:max_characters=4,overlap_characters=2")
    whole = draw_chunks(document, chunks)
    assert whole.html.count("repeating-linear-gradient") == 2
    assert shown_text(whole.html) == "abcdef"
    assert shown_text(draw_chunks(document, chunks, most=1).html) == "abcd"
    assert shown_text(draw_chunks(document, []).html) == "abcdef"


def test_a_comparison_is_a_drawing_that_says_its_verdict() -> None:
    picture = draw_comparison(Comparison.of({}, []))
    found = re.fullmatch(r'<img alt="([^"]+)" src="data:image/svg\+xml;base64,([^"]+)">', picture.html)
    assert found
    assert found[1].startswith("no question has a relevant passage")
    assert b64decode(found[2]).startswith(b"<svg ")
