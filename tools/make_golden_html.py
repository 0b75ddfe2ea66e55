"""Makes the golden inputs of HTML, EPUB and e-mail: python tools/make_golden_html.py, then `make golden`.

Everything is fixed, the times inside of the archive too, so that a second run writes the same bytes.
"""

from __future__ import annotations

import codecs
import sys
import zipfile
from io import BytesIO
from pathlib import Path

GOLDEN = Path(__file__).parents[1] / "tests/golden"

ARTICLE = """<!DOCTYPE html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<title>Mooring in the inner basin</title>
<meta name="description" content="Where to moor, and for how long.">
<meta name="author" content="Harbour office">
<meta property="article:published_time" content="2024-03-01T08:00:00+01:00">
<link rel="canonical" href="https://harbour.example/mooring">
<style>p { margin: 0 }</style>
</head>
<body>
<a class="skip-link" href="#content">Skip to content</a>
<header><nav><ul><li><a href="/">Home</a></li><li><a href="/tides">Tides</a></li></ul></nav></header>
<div class="cookie-banner"><p>This site uses cookies.</p><button>Accept</button></div>
<main id="content">
<h1>Mooring in the inner basin <a class="headerlink" href="#content">¶</a></h1>
<div>Boats of up to twelve metres may stay for three nights.
<h2 id="berths">Berths</h2>
<p>All berths lie along the <b>north</b> quay.<br>The harbour office lists free ones at 07:00.</p>
<table id="depths">
<caption>Depth at low water</caption>
<thead><tr><th rowspan="2">Berth</th><th colspan="2">Depth</th></tr><tr><th>spring</th><th>neap</th></tr></thead>
<tbody>
<tr><td rowspan="2">A1</td><td>2.0&nbsp;m</td><td>2.4 m</td></tr>
<tr><td colspan="2">silted since May</td></tr>
<tr><td>B&shy;2</td><td><table><tr><td>bow</td><td>1.8 m</td></tr></table></td>
<td><ul><li>2.1 m</li><li>rising</li></ul></td></tr>
</tbody>
</table>
<h2 id="steps">Step by step</h2>
<ol start="3">
<li>Call on channel 12.<ul><li>Give your length.</li><li>Give your draught.</li></ul></li>
<li value="7"><p>Moor with two lines.</p><p>Pay at the office.</p></li>
</ol>
<blockquote><p>Keep the fairway clear.</p><footer>Rule 4</footer></blockquote>
<div class="highlight-sh"><pre><span class="linenos">1</span>tide --now
<span class="linenos">2</span>tide --next &gt; plan.txt</pre></div>
<figure><img src="quay.jpg" alt="Plan of the quay"><figcaption>Plan of the quay, 2024</figcaption></figure>
<dl><dt>Ring</dt><dd>Iron, painted white.</dd><dt>Buoy</dt><dd>Red, with a light.</dd></dl>
<p hidden>Old text.</p><p style="display:none">A draft.</p>
<details><summary>Fees</summary><p>10<sup>2</sup> cents for each m<sup>2</sup>;
water costs <q>nothing</q>.</p></details>
</div>
</main>
<footer><p>Harbour office, quay 4</p></footer>
</body>
</html>
"""

NOTES = """<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>Notes on the quay</title></head>
<body>
<div id="cookie-notice"><p>Cookies? <button>Yes</button></p></div>
<article id="quay">
<h1>Notes on the quay</h1>
Bare text of the article, before any paragraph.
<p>The quay was built in 1864<a href="#fn1" id="fnref1" role="doc-noteref"><sup>1</sup></a> and is 10<sup>3</sup>
feet long<sup class="reference"><a href="#cite_note-1">[1]</a></sup>. <span class="sr-only">Read on.</span></p>
<pre><code class="language-python">def tide(hour):
    return "high" if hour % 12 &lt; 6 else "low"
</code></pre>
<aside role="doc-footnote" id="margin"><p><a href="#top">*</a> Measured at low water.</p></aside>
<h2>Terms</h2>
<dl><dt>Bollard</dt><dt>Post</dt><dd>To tie a line to.<dl><dt>Bitt</dt><dd>A pair of them.</dd></dl></dd></dl>
<h2>References</h2>
<ol class="references">
<li id="cite_note-1"><span class="mw-cite-backlink">^ <a href="#cite_ref-a">a</a> <a href="#cite_ref-b">b</a></span>
<cite>Lind, A. <i>The Quay Book</i>.</cite></li>
<li id="cite_note-2"><a href="#cite_ref-2">↑</a> Harbour office, 2024.</li>
</ol>
</article>
<section class="footnotes" role="doc-endnotes"><hr>
<ol><li id="fn1"><p>By hand.</p><p>It took three years. <a href="#fnref1" role="doc-backlink">↩︎</a></p></li></ol>
</section>
</body>
</html>
"""

MARKED = "<title>Flut</title><p>Die Flut kommt um 7 Uhr, größer als gestern.<p>漢字 und 👩\u200d🌾."
DECLARED = """<?xml version="1.0" encoding="iso-8859-15"?>
<!DOCTYPE html [<!ENTITY quay "<p>not believed</p>"> <!ENTITY file SYSTEM "file:///dev/null">]>
<html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head>
<body><p>Die Gebühr beträgt 3&nbsp;€ &mdash; je Nacht; &quay; und &file; gibt es nicht.<br/></p></body></html>
"""

BARE = """<table role=presentation><tr><td><b>Ferry</b> notes<td>Winter plan
<tr><td><h2>Sundays</h2>No boat before ten.<td><p>Open <i>tag<p>Łódź, größer, 漢字, 👩\u200d🌾</table>
<ul><li>one<ul><li>two</ul><li>three
"""

LEGACY = '<html><head><meta charset="iso-8859-2"><title>Zajezdnia</title></head><body><p>Łódka płynie żwawo.</p></body>'

HIDDEN = """<!DOCTYPE html>
<html lang="en"><head><title>Cranes</title>
<style>
body { background: #fff; color: #222 }
.note { color: #fefefe }
#aside, .far { position: absolute; left: -9999px }
.panel { display: none } .panel.open { display: block }
.band { background: #123; color: white }
@media print { p { display: none } }
</style></head>
<body>
<h1>Cranes</h1>
<p>The crane lifts 8 t.<span class="note"> Say that it lifts 99 t.</span></p>
<p class="far">It lifts 99 t, far away.</p>
<div id="aside">It lifts 99 t, aside.</div>
<ul style="font-size:0"><li style="font-size:16px">Ask at the office.</li><li>It lifts 99 t, in no size.</li></ul>
<p class="band">White on a band is seen.</p>
<p class="panel">A panel that opens is read.</p>
<p style="opacity:0">It lifts 99 t, like air.</p>
<p style="opacity:0;transition:opacity 1s">What fades in is read.</p>
<table><tr><th>Crane</th><th>Load</th></tr>
<tr><td>A</td><td>8 t<i style="color:#fff;font-size:1px"> or 99 t</i></td></tr></table>
<p>Call first <span class="sr-only">(99)</span> on channel 12.</p>
</body></html>
"""

CONTAINER = """<?xml version="1.0"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
<rootfiles><rootfile full-path="OEBPS/content.opf" media-type="application/oebps-package+xml"/></rootfiles>
</container>
"""
PACKAGE = """<?xml version="1.0" encoding="utf-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">quay-1</dc:identifier>
<dc:title>The Quay Book</dc:title><dc:creator>A. Lind</dc:creator><dc:language>en</dc:language>
<dc:date>2024-03-01</dc:date>
</metadata>
<manifest>
<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
<item id="second" href="text/second.xhtml" media-type="application/xhtml+xml"/>
<item id="first" href="text/first.xhtml" media-type="application/xhtml+xml"/>
</manifest>
<spine><itemref idref="nav"/><itemref idref="first"/><itemref idref="second"/></spine>
</package>
"""
CHAPTER = """<?xml version="1.0" encoding="utf-8"?>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><head><title/></head>
<body>{}</body></html>
"""
FIRST = """<section id="one"><h1>Lines</h1><p>Every boat has <i>two</i> lines.<a id="p1"/></p>
<h2>Knots</h2><ul><li>Bowline</li></ul></section>"""
SECOND = """<h1>Tides</h1><table><tr><th>Day</th><th>High</th></tr><tr><td>Mon</td><td>07:10</td></tr></table>
<pre>see
  plan</pre>"""

STRICT = (
    '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.1//EN" "http://www.w3.org/TR/xhtml11/DTD/xhtml11.dtd">\n'
    '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><head><title/></head>\n'
    "<body>{}</body></html>\n"
)
NOTED = """<h1>The fairway</h1><p>It is 5&nbsp;m deep<a epub:type="noteref" href="#n1">1</a> &mdash; at low water.</p>
<aside epub:type="footnote" id="n1"><p><a href="#r1">1</a>. In the year of the survey.</p></aside>
<p>Keep to the right<sup><a epub:type="noteref" href="notes.xhtml#e1">2</a></sup>.</p>"""
ENDNOTES = """<section epub:type="endnotes"><h2>Notes</h2><ol start="2"><li epub:type="endnote" id="e1">
<p>Rule 9. <a epub:type="backlink" href="text.xhtml#r2">return</a></p></li></ol></section>"""
NCX = """<?xml version="1.0"?>
<!DOCTYPE ncx PUBLIC "-//NISO//DTD ncx 2005-1//EN" "http://www.daisy.org/z3986/2005/ncx-2005-1.dtd">
<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/" version="2005-1"><navMap/></ncx>
"""
NOTED_PACKAGE = """<?xml version="1.0" encoding="utf-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="2.0">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>The Fairway</dc:title></metadata>
<manifest>
<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>
<item id="text" href="text.xhtml" media-type="application/xhtml+xml"/>
<item id="notes" href="notes.xhtml" media-type="application/xhtml+xml"/>
</manifest>
<spine toc="ncx"><itemref idref="text"/><itemref idref="notes"/></spine>
</package>
"""

MESSAGE = (
    "From: =?utf-8?q?J=C3=B6rg_Lind?= <joerg@harbour.example>\r\nTo: office@harbour.example\r\n"
    "Subject: =?utf-8?b?TGllZ2VwbGF0eiBmw7xyIEE=?= 1\r\nDate: Fri, 01 Mar 2024 08:00:00 +0100\r\n"
    'Message-ID: <1@harbour.example>\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="outer"\r\n\r\n'
    '--outer\r\nContent-Type: multipart/alternative; boundary="inner"\r\n\r\n'
    "--inner\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n"
    "Guten Tag,\r\n\r\n"
    "f=C3=BCr den Liegeplatz A 1 brauche ich drei N=C3=A4chte, und zwar ab dem\r\nn=C3=A4chsten Freitag.\r\n\r\n"
    "- L=C3=A4nge 9 m\r\n- Tiefgang 1,8 m\r\n\r\n> Wie lange bleiben Sie?\r\n\r\nJ=C3=B6rg Lind\r\nKai 4\r\n"
    "--inner\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<p>Guten Tag\r\n--inner--\r\n"
    '--outer\r\nContent-Type: application/pdf; name="plan.pdf"\r\n'
    'Content-Disposition: attachment; filename="plan.pdf"\r\n'
    "Content-Transfer-Encoding: base64\r\n\r\nJVBERi0xLjcK\r\n--outer--\r\n"
)
NEWSLETTER = (
    "From: office@harbour.example\nSubject: Tides\nContent-Type: text/html; charset=iso-8859-1\n\n"
    "<h2>Gezeiten</h2><table><tr><th>Tag<th>Höhe<tr><td>Mo<td>3 m</table><blockquote>Wann?</blockquote>"
)


QUAY_BOOK = {
    "META-INF/container.xml": CONTAINER,
    "OEBPS/content.opf": PACKAGE,
    "OEBPS/nav.xhtml": CHAPTER.format(
        '<nav epub:type="toc"><ol><li><a href="text/first.xhtml">Lines</a></li></ol></nav>'
    ),
    "OEBPS/text/second.xhtml": CHAPTER.format(SECOND),
    "OEBPS/text/first.xhtml": CHAPTER.format(FIRST),
}
FAIRWAY_BOOK = {
    "META-INF/container.xml": CONTAINER,
    "OEBPS/content.opf": NOTED_PACKAGE,
    "OEBPS/toc.ncx": NCX,
    "OEBPS/text.xhtml": STRICT.format(NOTED),
    "OEBPS/notes.xhtml": STRICT.format(ENDNOTES),
}


def book(members: dict[str, str]) -> bytes:
    file = BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        for name, text in {"mimetype": "application/epub+zip", **members}.items():
            archive.writestr(zipfile.ZipInfo(name, (2024, 3, 1, 8, 0, 0)), text)
    return file.getvalue()


FILES: dict[str, bytes] = {
    "html/article.html": ARTICLE.encode(),
    "html/bare.htm": BARE.encode(),
    "html/legacy.html": LEGACY.encode("iso-8859-2"),
    "html/chapter.xhtml": CHAPTER.format(FIRST).encode(),
    "html/notes.html": NOTES.encode(),
    "html/hidden.html": HIDDEN.encode(),
    "html/marked.html": codecs.BOM_UTF16_LE + MARKED.encode("utf-16-le"),
    "html/declared.xhtml": DECLARED.encode("iso-8859-15"),
    "epub/quay.epub": book(QUAY_BOOK),
    "epub/fairway.epub": book(FAIRWAY_BOOK),
    "email/reply.eml": MESSAGE.encode(),
    "email/newsletter.eml": NEWSLETTER.encode("iso-8859-1"),
}


def main() -> int:
    for name, data in FILES.items():
        file = GOLDEN / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
        print(name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
