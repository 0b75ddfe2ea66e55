"""Makes the golden inputs of HTML, EPUB and e-mail: python tools/make_golden_html.py, then `make golden`.

Everything is fixed, the times inside of the archive too, so that a second run writes the same bytes.
"""

from __future__ import annotations

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

BARE = """<table role=presentation><tr><td><b>Ferry</b> notes<td>Winter plan
<tr><td><h2>Sundays</h2>No boat before ten.<td><p>Open <i>tag<p>Łódź, größer, 漢字, 👩\u200d🌾</table>
<ul><li>one<ul><li>two</ul><li>three
"""

LEGACY = '<html><head><meta charset="iso-8859-2"><title>Zajezdnia</title></head><body><p>Łódka płynie żwawo.</p></body>'

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


def book() -> bytes:
    members = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": CONTAINER,
        "OEBPS/content.opf": PACKAGE,
        "OEBPS/nav.xhtml": CHAPTER.format(
            '<nav epub:type="toc"><ol><li><a href="text/first.xhtml">Lines</a></li></ol></nav>'
        ),
        "OEBPS/text/second.xhtml": CHAPTER.format(SECOND),
        "OEBPS/text/first.xhtml": CHAPTER.format(FIRST),
    }
    file = BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        for name, text in members.items():
            archive.writestr(zipfile.ZipInfo(name, (2024, 3, 1, 8, 0, 0)), text)
    return file.getvalue()


FILES: dict[str, bytes] = {
    "html/article.html": ARTICLE.encode(),
    "html/bare.htm": BARE.encode(),
    "html/legacy.html": LEGACY.encode("iso-8859-2"),
    "html/chapter.xhtml": CHAPTER.format(FIRST).encode(),
    "epub/quay.epub": book(),
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
