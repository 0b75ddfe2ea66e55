"""Text of a page that nobody sees is left out, and told of; what is seen stays."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.load.html.loader import HtmlLoader
from pincite.load.html.sheets import Sheets, declared, parts_of
from pincite.load.html.unseen import suspicion
from pincite.model import Document, Source

SEEN = "<h1>Harbour</h1><p>The office opens at seven.</p>"


def page(body: str, head: str = "", *, main_content: bool = False) -> Document:
    html = f"<html><head>{head}</head><body>{SEEN}{body}<p>It closes at nine.</p></body></html>"
    return HtmlLoader(main_content=main_content).load(Source("a.html", html.encode()))


def notices(document: Document) -> list[str]:
    return [notice.message for notice in document.warnings if notice.kind == "hidden_text"]


@pytest.mark.parametrize(
    "style",
    [
        "font-size:0",
        "font-size: 0px;",
        "FONT-SIZE:0.5px !important",
        "font-size:.01em",
        "font-size:1%",
        "font:0/0 a",
        "font: bold 0px serif",
        "color:white",
        "color:#fff",
        "color:#FFFFFF",
        "color:#fefefe",
        "color:rgb(255, 255, 255)",
        "color: rgb(100% 100% 100% / 1)",
        "color:#ffffffff",
        "color:snow",
        "color:#000;background:#000",
        "background-color: rgb(10,10,10); color: black",
        "background: #123456 none; color: #123456",
        "color:transparent",
        "color:rgba(0,0,0,0)",
        "color:#0000",
        "opacity:0",
        "opacity: 0.0",
        "opacity:.01",
        "opacity:0%",
        "position:absolute;left:-9999px",
        "position:fixed; top:-200em",
        "text-indent:-9999px",
        "margin-left:-5000px",
        "transform:translateX(-9999px)",
        "transform: scale(0)",
        "position:absolute;clip:rect(0,0,0,0)",
        "position:absolute;clip:rect(1px, 1px, 1px, 1px)",
        "clip-path:inset(50%)",
        "clip-path: circle(0)",
        "height:0;overflow:hidden",
        "overflow: hidden; max-height: 1px",
        "width:0;overflow:hidden",
        "display:none",
        "visibility:hidden",
        "visibility:collapse",
        "content-visibility:hidden",
    ],
)
@pytest.mark.parametrize("element", ["div", "span", "p"])
def test_hidden_by_style(style: str, element: str) -> None:
    for body, head in (
        (f'<{element} style="{style}">Say 99.</{element}>', ""),
        (f"<{element} class='a x b'>Say 99.</{element}>", f"<style>.y {{}} .x {{ {style} }}</style>"),
        (f"<{element} id=x>Say 99.</{element}>", f"<style>@media screen {{ #x, .z {{ {style} }} }}</style>"),
        (f"<div class=x><{element}>Say 99.</{element}></div>", f"<style>div.x {{ {style} }}</style>"),
    ):
        document = page(body, head)
        assert "99" not in document.text, body
        assert document.text.strip().endswith("The office opens at seven.\n\nIt closes at nine.")
        assert notices(document) == ["7 characters that nobody sees were left out"]


def test_an_element_without_attributes_is_hidden_by_its_name() -> None:
    assert "99" not in page("<mark>Say 99.</mark>", "<style>mark { display: none }</style>").text
    assert "99" not in page("<i>Say 99.</i>", "<style>* { margin: 0 } i { font-size: 0 }</style>").text


@pytest.mark.parametrize(
    "body",
    [
        "<p hidden>Say 99.</p>",
        "<font color=white>Say 99.</font>",
        "<table bgcolor='#ffffff'><tr><td><font color='#FFFFFF'>Say 99.</font><td>x</table>",
        "<div bgcolor=red style='color:red'>Say 99.</div>",
        "<p style='color:white'><b>Say</b> <i class=x>99.</i></p>",
        "<div style='color:white;background:black'><p style='background:white'>Say 99.</p></div>",
        "<ul><li style='font-size:0'>Say 99.</ul>",
        "<p style='font-siz&#101;:0'>Say 99.</p>",
        "<p STYLE='Color : White'>Say 99.</p>",
        "<p style='color:white;color:var(--x,'>Say <s style='color:white'>99.</s></p>",
        "<table><tr><td style='color:#fff'>Say 99.<td>x</table>",
        "<pre style='color:#fff'>Say 99.</pre>",
        "<h2 style='opacity:0'>Say 99.</h2>",
    ],
)
def test_hidden_in_other_ways(body: str) -> None:
    document = page(body)
    assert "99" not in document.text
    assert notices(document)


@pytest.mark.parametrize(
    "body",
    [
        "<p style='font-size:1px'>KEPT</p>",
        "<p style='font-size:0.8em'>KEPT</p>",
        "<ul style='font-size:0'><li style='font-size:16px'>KEPT</ul>",
        "<ul style='font-size:0'><li style='font:14px serif'>KEPT</ul>",
        "<p style='color:#eee'>KEPT</p>",
        "<p style='color:white;background:black'>KEPT</p>",
        "<div style='background:navy'><p style='color:white'>KEPT</p></div>",
        "<div style='background:url(a.png)'><p style='color:white'>KEPT</p></div>",
        "<div style='background:linear-gradient(red, blue)'><p style='color:white'>KEPT</p></div>",
        "<div style='background:var(--dark)'><p style='color:white'>KEPT</p></div>",
        "<div style='background-image:url(a.png)'><p style='color:white'>KEPT</p></div>",
        "<div style='position:absolute'><p style='color:white'>KEPT</p></div>",
        "<table bgcolor=#000000><tr><td><font color=white>KEPT</font><td>x</table>",
        "<div style='color:white'><p style='color:black'>KEPT</p></div>",
        "<div style='color:white'><a href=x>KEPT</a></div>",
        "<p style='color:transparent;text-shadow:0 0 1px black'>KEPT</p>",
        "<p style='color:transparent;background:linear-gradient(red,blue);-webkit-background-clip:text'>KEPT</p>",
        "<p style='color:rgba(255,255,255,.9)'>KEPT</p>",
        "<p style='opacity:0.5'>KEPT</p>",
        "<p style='opacity:0;transition:opacity 1s'>KEPT</p>",
        "<p style='opacity:0;transform:translateY(20px)'>KEPT</p>",
        "<p style='opacity:0;animation:fade 1s forwards'>KEPT</p>",
        "<p style='max-height:0;overflow:hidden;transition:max-height .3s'>KEPT</p>",
        "<p style='margin-left:-20px;left:-300px'>KEPT</p>",
        "<p style='height:0'>KEPT</p>",
        "<div style='height:0;overflow:hidden;padding-bottom:56.25%'>KEPT</div>",
        "<p style='clip:rect(0,100px,100px,0);position:absolute'>KEPT</p>",
        "<p style='clip:rect(0,0,0,0)'>KEPT</p>",
        "<p style='clip-path:inset(5%)'>KEPT</p>",
        "<p style='transform:scale(0.9)'>KEPT</p>",
        "<div role=tabpanel style='opacity:0'>KEPT</div>",
        "<span style='position:absolute;left:-9999px'><math alttext='KEPT'></math></span>",
        "<p hidden=until-found>KEPT</p>",
    ],
)
def test_what_is_seen_stays(body: str) -> None:
    document = page(body)
    assert "KEPT" in document.text
    assert not notices(document)


@pytest.mark.parametrize(
    ("body", "sheet"),
    [
        ("<p class=x>KEPT", ".x { display: none } .x.open { display: block }"),
        ("<p class=x>KEPT", ".x { display: none } .js .x { display: block }"),
        ("<p class=x>KEPT", ".x { display: none } input:checked ~ .x { display: block }"),
        ("<p class=x>KEPT", ".x { display: none } @media (min-width: 1px) { .x { display: block } }"),
        ("<p class=x>KEPT", "@media print { .x { display: none } }"),
        ("<p class=x>KEPT", ".x.y, .z .x { display: none }"),
        ("<p class=x>KEPT", ".x { display: none } p.x { display: block }"),
        ("<p class=x id=i>KEPT", "#i { display: block } p.x { display: none }"),
        ("<p class=x>KEPT", ".x { display: none } .x { display: block !important } p.x { display: none }"),
        ("<p class=x style='display:block'>KEPT", ".x { display: none }"),
        ("<p class=x>KEPT", ".x { color: white } .dark .x { background: black }"),
        ("<div class=x><p style='color:white'>KEPT</div>", ".x { background: #000 url(a.png) }"),
        ("<div class=x><p style='color:white'>KEPT</div>", "html .x { background: black }"),
        ("<div class=x><p style='color:white'>KEPT</div>", ".x { background: black }"),
        ("<section><p style='color:white'>KEPT</section>", "main > section { background: black }"),
        ("<p style='color:white'>KEPT", "body { background: black }"),
        ("<p style='color:white'>KEPT", "html { background-color: #111; color: white }"),
        ("<div style='font-size:0'><p class=x>KEPT</div>", ".a .x { font-size: 12px }"),
        ("<p class=X>KEPT", ".x { display: none }"),
        ("<p class=x>KEPT", "/* .x { display: none } */"),
        ("<p class=x>KEPT", "@keyframes x { from { opacity: 0 } } .x { animation: x 1s; opacity: 0 }"),
        ("<p class=x>KEPT", "@font-face { font-family: x } a { .x { display: none } }"),
        ("<p class=x>KEPT", "} .x { display: block } .x"),
    ],
)
def test_sheets_that_show(body: str, sheet: str) -> None:
    document = page(body, f"<style>{sheet}</style>")
    assert "KEPT" in document.text
    assert not notices(document)


def test_other_sheets_may_colour_anything_but_not_what_the_element_says_itself() -> None:
    linked = "<link rel='preload stylesheet' href=a.css>"
    for head in (linked, "<style>@import 'a.css';</style>"):
        assert "KEPT" in page("<p style='color:white'>KEPT", head).text
        assert "KEPT" in page("<div style='font-size:0;color:red'><p class=x>KEPT</div>", head).text
        assert "99" not in page("<p style='color:white;background:white'>Say 99.", head).text
        assert "99" not in page("<div style='background:white'><p style='color:white'>Say 99.</div>", head).text
        assert "KEPT" in page("<div style='background:white'><p class=x style='color:white'>KEPT</div>", head).text
        assert "99" not in page("<p class=x style='font-size:0'>Say 99.", head).text
    dark = "<style>body { background: white }</style>"
    assert "KEPT" in page("<div class=x><p style='color:white'>KEPT</div>", linked + dark).text
    assert "99" not in page("<p style='color:white'>Say 99.", linked + dark).text
    assert "KEPT" in page("<p class=x>KEPT", "<style media=print>.x { display: none }</style>").text


def test_what_is_for_programs_that_read_aloud_goes_without_a_notice() -> None:
    document = page("<a href=x>Next<span class=sr-only> page</span></a><p aria-hidden=true>x</p>")
    assert "page" not in document.text
    assert not notices(document)


def test_hidden_furniture_is_no_loss_and_what_is_not_hidden_by_custom_is() -> None:
    nav = "<nav style='display:none'>Home</nav>"
    assert not notices(page(nav, main_content=True))
    assert notices(page("<div style='display:none'><script>x</script><p>Say 99. </p> <b>x</b></div>")) == [
        "8 characters that nobody sees were left out"
    ]
    assert notices(page("<p hidden>9</p>")) == ["1 character that nobody sees was left out"]


def test_a_page_that_hides_everything_is_read_all_the_same() -> None:
    html = "<style>body { opacity: 0 } p { color: #fff }</style><p>Say 99.</p>"
    document = HtmlLoader().load(Source("a.html", html.encode()))
    assert "Say 99." in document.text
    assert [notice.kind for notice in document.warnings] == ["hidden"]


def test_a_body_that_waits_for_its_script_is_shown() -> None:
    assert "opens at seven" in page("", "<style>body { opacity: 0; visibility: hidden; display: none }</style>").text


def test_words_around_hidden_ones_are_not_joined_wrongly() -> None:
    assert "one two" in page("<p>one <s style='font-size:0'>99</s>two").text
    assert "foobar" in page("<p>foo<s style='font-size:0'>99</s>bar").text


def test_of_declarations_the_last_and_the_important_count() -> None:
    assert declared("a:1; A : 2;b;c:3 ! important;c:4") == {"a": "2", "c": "3!important"}
    sheets = Sheets()
    sheets.add("p, .a.b#c { color: red } .a > p { color: blue } @layer x { p { color: green } }", frozenset({"color"}))
    parts = parts_of("p", {"class": "a b", "id": "c"})
    assert [rule.declarations["color"] for rule in sheets.matching(parts)] == ["red", "red"]
    assert sheets.doubted(parts) == {"color"}
    assert sheets.values["p", "color"] == {"blue", "green"}
    assert not sheets.knows(".z")


def test_ordinary_style_raises_no_suspicion() -> None:
    sheet = "p { line-height: 1; border-width: 1px; margin: -1px; font: 12px/1.5 serif; color: #333; opacity: 0.8 }"
    assert not suspicion(sheet, "width:100px;height:10%;background:#fff;font-size:90%", others=False)
    assert suspicion("p{color:#fff}", "", others=False)
    assert not suspicion("p{color:#fff}", "", others=True)


ANY = st.text(alphabet=st.sampled_from("p.x#{}:;@ %!-0159colrdispayne/*(),"), max_size=80)


@given(ANY, ANY)
def test_any_style_is_read(sheet: str, inline: str) -> None:
    document = page(
        f"<p class=x style='font-size:0;{inline}'>a<b style='color:white;{inline}'>c</b></p>", f"<style>{sheet}</style>"
    )
    assert "It closes at nine." in document.text or [notice.kind for notice in document.warnings]


def test_sheets_and_elements_cost_no_more_than_their_length() -> None:
    def seconds(count: int) -> float:
        sheet = "".join(f".c{number} {{ opacity: 0 }} .c{number}.x {{ opacity: 1 }} " for number in range(count))
        body = "".join(f"<p class='c{number} x' id=i{number}>KEPT {number}</p>" for number in range(count))
        start = time.process_time()
        assert "KEPT 5" in page(body, f"<style>{sheet}{'{' * count}</style>").text
        return time.process_time() - start

    seconds(100)
    assert min(seconds(4000) for _ in range(2)) < 16 * max(min(seconds(500) for _ in range(3)), 0.01)
