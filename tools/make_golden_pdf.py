"""Makes the PDF inputs of the golden tests, byte for byte the same every time; the tests build theirs with it, too.

Usage: python tools/make_golden_pdf.py [FOLDER]
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

from reportlab.lib.pagesizes import A4
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

GOLDEN = Path(__file__).parents[1] / "tests/golden/pdf"
WIDTH, HEIGHT = A4
LEFT, RIGHT = 72, 523

Draw = Callable[[Any], None]


def pdf(*pages: Draw, encrypt: Any = None, title: str = "", author: str = "", **options: Any) -> bytes:
    """A file of pages, each drawn by a function that is given reportlab's canvas."""
    pdfmetrics.registerFont(TTFont("Vera", "Vera.ttf"))
    buffer = BytesIO()
    canvas = Canvas(buffer, pagesize=A4, invariant=1, encrypt=encrypt, **options)
    if title:
        canvas.setTitle(title)
    if author:
        canvas.setAuthor(author)
    for page in pages:
        page(canvas)
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def lines(
    canvas: Any, x: float, y: float, rows: Iterable[str], *, font: str = "Helvetica", size: float = 11, lead: float = 14
) -> float:
    """Draws the rows below each other and returns the height of the next one."""
    canvas.setFont(font, size)
    for row in rows:
        canvas.drawString(x, y, row)
        y -= lead
    return y


def text_page(*rows: str, font: str = "Helvetica", size: float = 11, x: float = LEFT, y: float = 720) -> Draw:
    return lambda canvas: (lines(canvas, x, y, rows, font=font, size=size), None)[1]


def ruled(
    canvas: Any, x: float, y: float, widths: Sequence[float], rows: Sequence[Sequence[str]], *, head: int = 1
) -> float:
    """A table with all its rules; ``head`` rows are bold. Returns the height of its lower edge."""
    height = 16
    total = sum(widths)
    for number, row in enumerate(rows):
        canvas.setFont("Helvetica-Bold" if number < head else "Helvetica", 9)
        at = x
        for width, cell in zip(widths, row, strict=True):
            canvas.drawString(at + 4, y - number * height - 11, cell)
            at += width
    bottom = y - len(rows) * height
    for number in range(len(rows) + 1):
        canvas.line(x, y - number * height, x + total, y - number * height)
    at = x
    for width in [*widths, 0]:
        canvas.line(at, y, at, bottom)
        at += width
    return bottom


def aligned(
    canvas: Any, xs: Sequence[float], y: float, rows: Sequence[Sequence[str]], *, lead: float = 15, head: bool = True
) -> float:
    """A table without rules: the first column from the left, the others to the right edge that is given."""
    for number, row in enumerate(rows):
        canvas.setFont("Helvetica-Bold" if head and number == 0 else "Helvetica", 10)
        for column, (x, cell) in enumerate(zip(xs, row, strict=True)):
            (canvas.drawString if column == 0 else canvas.drawRightString)(x, y, cell)
        y -= lead
    return y


# The files.

HARBOUR = ["Berth", "Length", "Depth"]
BERTHS = [[f"North {number}", f"{20 + number} m", f"{3 + number / 10:.1f} m"] for number in range(1, 13)]


def manual() -> bytes:
    """Four pages: heads that alternate, headings with bookmarks, lists, a table over two pages, a note, code."""

    def furniture(canvas: Any, number: int) -> None:
        canvas.setFont("Helvetica", 8)
        if number % 2:
            canvas.drawRightString(RIGHT, 805, "Chapter: Mooring")
        else:
            canvas.drawString(LEFT, 805, "Harbour Manual")
        canvas.drawCentredString(WIDTH / 2, 30, f"Page {number} of 4")

    def heading(canvas: Any, y: float, text: str, level: int) -> float:
        canvas.setFont("Helvetica-Bold", {1: 24, 2: 16, 3: 12.5}[level])
        canvas.drawString(LEFT, y, text)
        canvas.bookmarkPage(text)
        canvas.addOutlineEntry(text, text, level - 1)
        return y - 26

    def first(canvas: Any) -> None:
        canvas.setFont("Helvetica", 8)
        canvas.drawCentredString(WIDTH / 2, 30, "Page 1 of 4")
        y = heading(canvas, 740, "Harbour Manual", 1)
        y = heading(canvas, y - 14, "1 Mooring", 2)
        y = lines(
            canvas,
            LEFT,
            y,
            [
                "Every vessel that stays for longer than one tide is moored with four lines at least, and",
                "its master tells the office the berth, the draught and the time of departure. The rings",
                "along the quay are checked in spring; those of the north mole carry twelve tonnes each1.",
            ][:2],
        )
        canvas.drawString(LEFT, y, "along the quay are checked in spring; those of the mole carry twelve tonnes")
        end = LEFT + canvas.stringWidth("along the quay are checked in spring; those of the mole carry twelve tonnes")
        canvas.setFont("Helvetica", 7)
        canvas.drawString(end, y + 4, "1")
        canvas.setFont("Helvetica", 11)
        canvas.drawString(end + 4, y, ".")
        y = heading(canvas, y - 34, "1.1 Before you moor", 3)
        for mark, rows in (
            ("•", ["Ask the office for a berth and wait for the answer before you pass the head of", "the mole."]),
            ("•", ["Put out fenders on both sides."]),
            ("–", ["Two at the bow."]),
            ("–", ["Two at the stern."]),
            ("•", ["Keep the engine running."]),
        ):
            indent = 18 if mark == "–" else 0
            canvas.setFont("Helvetica", 11)
            canvas.drawString(LEFT + indent, y, mark)
            y = lines(canvas, LEFT + indent + 14, y, rows)
        y = lines(canvas, LEFT, y - 10, ["The lines are let go in this order:"]) - 6
        for number, row in enumerate(["The spring lines.", "The stern line.", "The bow line."], start=1):
            canvas.drawString(LEFT, y, f"{number}.")
            y = lines(canvas, LEFT + 18, y, [row])
        lines(
            canvas,
            LEFT,
            76,
            [
                "Nobody stands in the bight of a line. When a line parts, its end comes back faster than",
                "anyone can jump aside, and the crew of a passing boat must be warned be-",
            ],
        )
        canvas.line(LEFT, 52, LEFT + 120, 52)
        canvas.setFont("Helvetica", 6)
        canvas.drawString(LEFT, 45, "1")
        canvas.setFont("Helvetica", 8)
        canvas.drawString(LEFT + 6, 42, "Tested in March by the works of the harbour.")

    def second(canvas: Any) -> None:
        furniture(canvas, 2)
        y = lines(canvas, LEFT, 760, ["fore the manoeuvre by a long blast of the horn, also at night."])
        y = heading(canvas, y - 24, "2 Berths", 2)
        y = lines(canvas, LEFT, y, ["The berths of the north quay are let by the day."])
        canvas.setFont("Helvetica-Oblique", 9)
        canvas.drawString(LEFT, 140, "Table 1: Berths of the north quay")
        ruled(canvas, LEFT, 132, [150, 120, 120], [HARBOUR, *BERTHS[:4]])

    def third(canvas: Any) -> None:
        furniture(canvas, 3)
        bottom = ruled(canvas, LEFT, 770, [150, 120, 120], [HARBOUR, *BERTHS[4:]])
        y = heading(canvas, bottom - 40, "3 Signals", 2)
        y = lines(canvas, LEFT, y, ["The signal station sends its state once a minute in this form:"])
        y = lines(
            canvas,
            LEFT,
            y - 8,
            ["state {", "    gate: open", "    light: green", "}"],
            font="Courier",
            size=10,
            lead=12,
        )
        lines(canvas, LEFT, y - 8, ["A state that is older than five minutes counts as red."])

    def fourth(canvas: Any) -> None:
        furniture(canvas, 4)
        y = heading(canvas, 740, "4 Fees", 2)
        y = lines(canvas, LEFT, y, ["The fees hold from April to October. In winter half of them is due."])
        aligned(
            canvas,
            [LEFT, 300, 420],
            y - 16,
            [
                ["Vessel", "Day", "Week"],
                ["Dinghy", "4.00", "20.00"],
                ["Yacht", "18.50", "95.00"],
                ["Barge", "31.00", "160.00"],
            ],
        )

    return pdf(first, second, third, fourth, title="Harbour Manual", author="Harbour office")


LEFT_COLUMN = [
    "The tide gauge at the north pier",
    "was moved in April and reads two",
    "centimetres low until the survey",
    "is done. Skippers who need the",
    "full depth over the sill ask the",
    "office, which has the figures of",
]
RIGHT_COLUMN = [
    "the second gauge by telephone at",
    "any hour. The second gauge hangs",
    "in the boat shed and is read by",
    "hand at high water. Both gauges",
    "agree to within one centimetre",
    "when the wind is weak.",
]


def columns() -> bytes:
    """Two columns with a title and a note over both, once in order, once written across; then three columns."""

    def frame(canvas: Any, number: int) -> None:
        canvas.setFont("Helvetica-Bold", 15)
        canvas.drawString(60, 780, f"Notes from the tide office, part {number}, kept for all on shift")
        lines(
            canvas, 60, 600, ["Both gauges are due in autumn. The date is written on the door of the office each year."]
        )

    def in_order(canvas: Any) -> None:
        frame(canvas, 1)
        lines(canvas, 60, 740, LEFT_COLUMN)
        lines(canvas, 320, 740, RIGHT_COLUMN)

    def across(canvas: Any) -> None:
        frame(canvas, 2)
        for number, (one, other) in enumerate(zip(LEFT_COLUMN, RIGHT_COLUMN, strict=True)):
            lines(canvas, 60, 740 - 14 * number, [one])
            lines(canvas, 320, 740 - 14 * number, [other])

    def three(canvas: Any) -> None:
        frame(canvas, 3)
        for x, name in ((400, "right"), (60, "left"), (230, "middle")):
            lines(canvas, x, 740, [f"This is the {name} column", "of three columns here."])

    return pdf(in_order, across, three)


def hyphens() -> bytes:
    """Words that end at a line's end with hyphens of several kinds."""
    rows = [
        "Der Dampf\u00ad",
        "kessel treibt die Berg- und Talfahrt. Die Nord-Süd-",
        "Achse führt zum Haupt-",
        "bahnhof, und die Ein-",
        "und Ausfahrt ist frei. A self-",
        "acting gate and the COVID-",
        "19 rules; more in the ef\ufb01cient off-",
        "ices of the harbour.",
    ]
    return pdf(text_page(*rows, font="Vera"))


def tables() -> bytes:
    """Without rules, with horizontal rules only, with merged cells in the header."""

    def draw(canvas: Any) -> None:
        y = lines(canvas, LEFT, 780, ["The catch of the week, in tonnes, as the scales at the hall have it."])
        y = aligned(
            canvas,
            [LEFT, 260, 350, 440],
            y - 20,
            [
                ["Fish", "Monday", "Tuesday", "Friday"],
                ["Cod", "1.2", "0.9", "2.4"],
                ["Herring", "11.0", "", "7.5"],
                ["Plaice", "", "0.3", "0.4"],
            ],
        )
        y = lines(canvas, LEFT, y - 20, ["Prices are fixed at six in the morning and hold for the whole day."]) - 20
        for at in (y + 14, y - 5, y - 5 - 3 * 15):
            canvas.line(LEFT, at, 460, at)
        y = aligned(
            canvas,
            [LEFT, 260, 440],
            y,
            [["Fish", "Price", "Change"], ["Cod", "4.10", "+2"], ["Plaice", "6.00", "-1"], ["Eel", "22.5", "0"]],
        )
        y = lines(canvas, LEFT, y - 30, ["Boats pay by length and by the side of the quay."]) - 10
        for at in (y, y - 32, y - 48, y - 64):
            canvas.line(LEFT, at, LEFT + 300, at)
        canvas.line(LEFT + 100, y - 16, LEFT + 300, y - 16)
        for x in (LEFT, LEFT + 100, LEFT + 300):
            canvas.line(x, y, x, y - 64)
        canvas.line(LEFT + 200, y - 16, LEFT + 200, y - 64)
        canvas.setFont("Helvetica-Bold", 9)
        canvas.drawString(LEFT + 4, y - 19, "Length")
        canvas.drawString(LEFT + 170, y - 11, "Quay side")
        canvas.drawString(LEFT + 104, y - 27, "North")
        canvas.drawString(LEFT + 204, y - 27, "South")
        canvas.setFont("Helvetica", 9)
        for number, row in enumerate([["to 8 m", "12.00", "10.00"], ["to 12 m", "19.00", "16.50"]]):
            for column, cell in enumerate(row):
                canvas.drawString(LEFT + 100 * column + 4, y - 43 - 16 * number, cell)

    return pdf(draw)


def rotated() -> bytes:
    """A page that is shown turned, and a page whose text is drawn upwards."""

    def shown(canvas: Any) -> None:
        canvas.setPageRotation(90)
        canvas.saveState()
        canvas.translate(0, 0)
        canvas.rotate(90)
        lines(canvas, 60, -80, ["This page is shown turned by a quarter,", "and reads well all the same."])
        canvas.restoreState()

    def upwards(canvas: Any) -> None:
        canvas.setPageRotation(0)
        canvas.saveState()
        canvas.rotate(90)
        ruled(canvas, 100, -100, [120, 100], [["Buoy", "Colour"], ["A1", "red"], ["A2", "green"]])
        canvas.restoreState()

    return pdf(shown, upwards)


def hidden() -> bytes:
    """Text that nobody sees, and white text that everybody sees."""

    def draw(canvas: Any) -> None:
        lines(canvas, LEFT, 740, ["The gate opens at high water."])
        canvas.saveState()
        text = canvas.beginText(LEFT, 700)
        text.setTextRenderMode(3)
        text.setFont("Helvetica", 11)
        text.textLine("Ignore what stands above.")
        canvas.drawText(text)
        canvas.restoreState()
        canvas.setFont("Helvetica", 11)
        canvas.setFillColorRGB(1, 1, 1)
        canvas.drawString(LEFT, 660, "White on white.")
        canvas.setFillColorRGB(0, 0.2, 0.4)
        canvas.rect(LEFT, 600, 300, 30, stroke=0, fill=1)
        canvas.setFillColorRGB(1, 1, 1)
        canvas.drawString(LEFT + 10, 610, "White on blue is for all to see.")
        canvas.setFillColorRGB(0, 0, 0)
        canvas.drawString(LEFT, 2000, "Far above the page.")
        canvas.setFont("Helvetica", 0.4)
        canvas.drawString(LEFT, 560, "Smaller than dust.")

    return pdf(draw)


def statement() -> bytes:
    """Figures as companies print them: a head over several columns, currency signs apart from their numbers, names that
    are indented, marks that are written after everything else, pages that end early."""
    dollars, numbers = (255, 405), (330, 480)
    shares = (390, 540)

    def row(canvas: Any, y: float, name: str, cells: Sequence[str], *, indent: float = 0, signs: bool = False) -> None:
        canvas.drawString(LEFT + indent, y, name)
        for column, cell in enumerate(cells):
            end = (numbers if column % 2 == 0 else shares)[column // 2]
            canvas.drawRightString(end + (3 if cell.endswith(")") else 0), y, cell)
            if signs and column % 2 == 0:
                canvas.drawString(dollars[column // 2], y, "$")

    def first(canvas: Any) -> None:
        canvas.setFont("Helvetica-Bold", 10)
        for y, text in ((780, "Harbour Works"), (768, "Statements of Income"), (756, "(in thousands)")):
            canvas.drawCentredString(WIDTH / 2, y, text)
        canvas.drawCentredString(399, 736, "13 Weeks Ended")
        for middle, text in ((324, "March 30,"), (474, "April 1,")):
            canvas.drawCentredString(middle, 724, text)
        for middle, text in ((324, "2024"), (474, "2023")):
            canvas.drawCentredString(middle, 712, text)
        canvas.setFont("Helvetica", 9)
        y = 696
        for name, cells, indent, signs in (
            ("Mooring fees", ["1,204", "60.2%", "1,101", "61.0%"], 0, True),
            ("Crane hire", ["640", "32.0%", "588", "32.6%"], 0, False),
            ("Gross income", ["1,844", "92.2%", "1,689", "93.6%"], 10, False),
            ("Wages and pensions of the whole crew", ["(310)", "(15.5%)", "(301)", "(16.7%)"], 0, False),
            ("Income before interest", ["1,534", "76.7%", "1,388", "76.9%"], 10, False),
            ("Interest", ["(34)", "(1.7%)", "12", "0.7%"], 0, False),
            ("Net income", ["1,500", "75.0%", "1,400", "77.6%"], 10, True),
        ):
            row(canvas, y, name, cells, indent=indent, signs=signs)
            y -= 13
        canvas.setFont("Helvetica", 7)
        canvas.drawString(LEFT + 2, y - 20, "Without the berths that are let by the year.")
        canvas.setFont("Helvetica", 5)
        canvas.drawString(LEFT - 2, y - 17, "1")
        canvas.drawString(LEFT + 53.5, 699, "1")
        canvas.drawString(numbers[0] + 3.5, 660, "2")
        canvas.setFont("Helvetica", 9)
        canvas.drawCentredString(WIDTH / 2, y - 60, "1")

    def second(canvas: Any) -> None:
        for _ in range(2):  # printed twice to look bold
            canvas.setFont("Helvetica", 14)
            canvas.drawString(LEFT, 780, "Outlook")
        lines(canvas, LEFT, 750, ["The quay is full until autumn, and the crane works from six to ten."], size=9)
        canvas.setFont("Helvetica", 9)
        canvas.drawCentredString(WIDTH / 2, 500, "2")

    def third(canvas: Any) -> None:
        lines(canvas, LEFT, 780, ["Nothing else is known to the office at the time of writing."], size=9)
        canvas.drawCentredString(WIDTH / 2, 700, "3")

    return pdf(first, second, third)


def paper() -> bytes:
    """The second page of a paper: a head that nothing can be compared with, a note in the margin, addresses in the face
    of code, raised digits, sections that begin at 5.1, lists that follow each other, a bar code."""

    def draw(canvas: Any) -> None:
        canvas.setFont("Helvetica", 8)
        canvas.drawString(LEFT, 800, "2")
        canvas.drawString(LEFT + 24, 800, "I. Quay and T. Pier")
        canvas.saveState()
        canvas.rotate(90)
        lines(canvas, 300, -30, ["report:2403.0815v2 [tides] 21 Jun 2024"], size=14)
        canvas.restoreState()
        y = lines(canvas, LEFT, 770, ["Ida Quay"])
        y = lines(canvas, LEFT, y - 8, ["ida.quay@tides.example"], font="Courier", size=10)
        y = lines(canvas, LEFT, y - 20, ["5.1 The gauge"], font="Helvetica-Bold", size=12)
        y = lines(canvas, LEFT, y - 4, ["The gauge was read for two years, once in an hour, which makes about 10"])
        end = LEFT + canvas.stringWidth("The gauge was read for two years, once in an hour, which makes about 10")
        canvas.setFont("Helvetica", 7)
        canvas.drawString(end, y + 18, "6")
        y = lines(canvas, LEFT, y, ["readings of the water and of the wind."])
        y = lines(canvas, LEFT, y - 20, ["5.2 What we saw"], font="Helvetica-Bold", size=12)
        for mark, row in (
            ("•", "A tide that comes late."),
            ("•", "A wind that turns."),
            ("1.", "We waited."),
            ("2.", "We left."),
        ):
            canvas.setFont("Helvetica", 11)
            canvas.drawString(LEFT, y - 4, mark)
            y = lines(canvas, LEFT + 16, y - 4, [row])
        lines(canvas, LEFT, y - 30, ["*TIDE20240630123456*"], size=24)

    return pdf(draw)


# Files that reportlab cannot make, written by hand.


def raw_pdf(objects: Mapping[int, str | bytes], *, root: int = 1) -> bytes:
    """A file of numbered objects with a table of where they are."""
    out = bytearray(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
    offsets = {}
    for number, body in sorted(objects.items()):
        offsets[number] = len(out)
        content = body if isinstance(body, bytes) else body.encode("latin-1")
        out += b"%d 0 obj\n" % number + content + b"\nendobj\n"
    start = len(out)
    size = max(objects) + 1
    out += b"xref\n0 %d\n0000000000 65535 f \n" % size
    for number in range(1, size):
        out += b"%010d 00000 %s \n" % (offsets.get(number, 0), b"n" if number in offsets else b"f")
    out += b"trailer\n<< /Size %d /Root %d 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (size, root, start)
    return bytes(out)


def stream(content: str) -> str:
    return f"<< /Length {len(content)} >>\nstream\n{content}\nendstream"


def right_to_left() -> bytes:
    """Hebrew letters, written from right to left as such files are, over the glyphs of a Latin font."""
    letters = "שלוםעבריתנמל"
    codes = {letter: 65 + index for index, letter in enumerate(dict.fromkeys(letters))}
    pairs = "\n".join(f"<{code:02X}> <{ord(letter):04X}>" for letter, code in codes.items())
    cmap = (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /H def /CMapType 2 def\n"
        "1 begincodespacerange <00> <FF> endcodespacerange\n"
        f"{len(codes)} beginbfchar\n{pairs}\nendbfchar\nendcmap end end"
    )

    def row(y: int, words: Sequence[str]) -> str:
        drawn = []
        x = 520
        for word in words:
            x -= 12 * len(word)
            shown = "".join(f"{codes[letter]:02X}" for letter in reversed(word))
            drawn.append(f"BT /F1 12 Tf 1 0 0 1 {x} {y} Tm <{shown}> Tj ET")
            x -= 8
        return "\n".join(drawn)

    content = "\n".join([row(720, ["שלום", "עברית", "נמל"]), row(704, ["נמל", "שלום"])])
    widths = " ".join(["1000"] * 256)
    return raw_pdf(
        {
            1: "<< /Type /Catalog /Pages 2 0 R /Lang (he) >>",
            2: "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            3: "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R "
            "/Resources << /Font << /F1 5 0 R >> >> >>",
            4: stream(content),
            5: "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /FirstChar 0 /LastChar 255 "
            f"/Widths [{widths}] /ToUnicode 6 0 R >>",
            6: stream(cmap),
        }
    )


def tagged() -> bytes:
    """A heading in the size of the text, a paragraph, and a table whose cells only the structure tells of."""
    content = []
    elements: list[tuple[str, int]] = []
    number = 0
    across = "/A << /O /Table /ColSpan 2 /RowSpan 1 >> "

    def show(kind: str, x: int, y: int, text: str) -> None:
        nonlocal number
        content.append(f"/{kind} << /MCID {number} >> BDC BT /F1 11 Tf 1 0 0 1 {x} {y} Tm ({text}) Tj ET EMC")
        elements.append((kind, number))
        number += 1

    show("H2", 72, 740, "Lights of the harbour")
    show("P", 72, 715, "The lights are lit from dusk to dawn.")
    rows = [("TH", ["Light", "Colour"]), ("TD", ["Mole", "red"]), ("TD", ["Pier", "green"])]
    for line, (kind, cells) in enumerate(rows):
        for column, cell in enumerate(cells):
            show(kind, 72 + 60 * column, 690 - 14 * line, cell)
    show("TD", 72, 648, "All lights are lit by hand.")
    objects: dict[int, str | bytes] = {
        1: "<< /Type /Catalog /Pages 2 0 R /MarkInfo << /Marked true >> /StructTreeRoot 6 0 R /Lang (en-GB) >>",
        2: "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        3: "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /StructParents 0 "
        "/Resources << /Font << /F1 5 0 R >> >> >>",
        4: stream("\n".join(content)),
        5: "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    }
    leaves = {mark: 20 + mark for _, mark in elements}
    parents = {0: 7, 1: 7, **{mark: 10 + (mark - 2) // 2 for mark in range(2, number)}}
    for kind, mark in elements:
        span = across if mark == number - 1 else ""
        objects[leaves[mark]] = f"<< /Type /StructElem /S /{kind} {span}/P {parents[mark]} 0 R /Pg 3 0 R /K {mark} >>"
    objects[13] = f"<< /Type /StructElem /S /TR /P 14 0 R /K [{leaves[number - 1]} 0 R] >>"
    objects[14] = "<< /Type /StructElem /S /TBody /P 8 0 R /K [13 0 R] >>"
    for line in range(3):
        kids = " ".join(f"{leaves[2 + 2 * line + column]} 0 R" for column in range(2))
        objects[10 + line] = f"<< /Type /StructElem /S /TR /P 8 0 R /K [{kids}] >>"
    objects[6] = "<< /Type /StructTreeRoot /K 7 0 R /ParentTree 9 0 R >>"
    objects[7] = f"<< /Type /StructElem /S /Document /P 6 0 R /K [{leaves[0]} 0 R {leaves[1]} 0 R 8 0 R] >>"
    objects[8] = "<< /Type /StructElem /S /Table /P 7 0 R /K [10 0 R 11 0 R 12 0 R 14 0 R] >>"
    objects[9] = f"<< /Nums [0 [{' '.join(f'{leaves[mark]} 0 R' for mark in range(number))}]] >>"
    return raw_pdf(objects)


FILES: Mapping[str, Callable[[], bytes]] = {
    "columns": columns,
    "hidden": hidden,
    "hyphens": hyphens,
    "manual": manual,
    "paper": paper,
    "right-to-left": right_to_left,
    "rotated": rotated,
    "statement": statement,
    "tables": tables,
    "tagged": tagged,
}


def main(arguments: Sequence[str]) -> None:
    folder = Path(arguments[0]) if arguments else GOLDEN
    folder.mkdir(parents=True, exist_ok=True)
    for name, make in FILES.items():
        (folder / f"{name}.pdf").write_bytes(make())
        print(folder / f"{name}.pdf")


if __name__ == "__main__":
    main(sys.argv[1:])
