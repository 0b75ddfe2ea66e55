"""Make the DOCX and PDF documents of the sample corpus ``examples/orbit``.

The text of the documents is kept in this file, in a small markup (see ``blocks``). Each document
is rendered either with python-docx (real heading styles, lists, tables with a header row, page
header and page number) or with reportlab (running head and page number on every page, an
outline of the headings). Dates and identifiers are fixed, so that two runs write identical
bytes.

How to run it, from the root of the repository::

    python tools/make_orbit_files.py            # writes into examples/orbit
    python tools/make_orbit_files.py some/dir   # writes into another folder
"""

from __future__ import annotations

import argparse
import io
import re
import zipfile
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import docx
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Pt
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    BaseDocTemplate,
    Flowable,
    Frame,
    PageTemplate,
    Paragraph,
    Spacer,
    Table,
    TableStyle,
)

DEFAULT_TARGET = Path(__file__).resolve().parent.parent / "examples" / "orbit"
AUTHOR = "Orbit documentation team"


@dataclass(frozen=True)
class H:
    """A heading of level 1 to 3."""

    level: int
    text: str


@dataclass(frozen=True)
class P:
    """A paragraph of running text."""

    text: str


@dataclass(frozen=True)
class Items:
    """A list, with bullets or with numbers."""

    entries: tuple[str, ...]
    numbered: bool = False


@dataclass(frozen=True)
class Grid:
    """A table whose first row is the header."""

    rows: tuple[tuple[str, ...], ...]


Block = H | P | Items | Grid


@dataclass(frozen=True)
class Document:
    """One document: where it goes, what it says at the top of every page, and its text."""

    path: str
    title: str
    head: str
    date: datetime
    text: str


def blocks(text: str) -> list[Block]:
    """Read the markup of the documents.

    Blocks are separated by blank lines. A block that begins with ``#`` is a heading, with ``- `` or
    ``1. `` a list whose entries may continue on indented lines; a block with `` | `` in its first
    line is a table, one row per line. Everything else is a paragraph.
    """
    result: list[Block] = []
    for chunk in text.strip().split("\n\n"):
        lines = chunk.split("\n")
        if mark := re.match(r"(#+) (.*)", chunk):
            result.append(H(len(mark[1]), mark[2]))
        elif mark := re.match(r"- |1\. ", chunk):
            entries = re.split(r"\n(?:- |\d+\. )", chunk.removeprefix(mark[0]))
            texts = tuple(re.sub(r"\n +", " ", entry) for entry in entries)
            result.append(Items(texts, numbered=mark[0] == "1. "))
        elif " | " in lines[0]:
            result.append(Grid(tuple(tuple(line.split(" | ")) for line in lines)))
        else:
            result.append(P(" ".join(lines)))
    return result


SERVICE_LEVELS = Document(
    path="service-level-agreement.docx",
    title="Service level agreement",
    head="Orbit - Service level agreement",
    date=datetime(2025, 6, 2, 9, 0, tzinfo=UTC),
    text="""
# Service level agreement

This agreement describes the availability that customers of Orbit can rely on, how it is
measured and how quickly the provider answers. It is part of every contract for the plans Team
and Enterprise. The plan Starter is offered without a commitment.

## Definitions

- Service: the ingestion endpoint, the query endpoints and the console in the region of the
  customer.
- Minute of unavailability: a minute in which more than 5 percent of all valid requests to a
  part of the service fail with a status of 500 or above.
- Month: a calendar month in UTC.
- Working hours: Monday to Friday from 08:00 to 18:00 in the time zone of the region, except on
  public holidays at the seat of the provider.

## Availability

### Commitment

Part of the service | Team | Enterprise
Ingestion | 99.7 percent | 99.95 percent
Queries and exports | 99.5 percent | 99.9 percent
Console | 99.0 percent | 99.5 percent

Availability is the share of minutes in a month that were not minutes of unavailability. Each
part of the service is measured by itself, from three places outside the region.

### What is not counted

- Planned maintenance that was announced in time.
- Failures of networks that are not operated by the provider.
- Requests beyond the published rate limits.
- Functions that are marked as a preview.

## Maintenance

Planned maintenance takes place on Sundays between 03:00 and 05:00 UTC.

It is announced at least five working days ahead on the status page and by e-mail to the owners
of a workspace. Ingestion continues during planned maintenance; readings are stored in a queue
and become visible afterwards. Urgent security work may be carried out at any time and is
announced as early as the circumstances permit.

Planned maintenance may not exceed six hours in a month.

## Answers of the support desk

Plan | Channel | First answer | Hours
Starter | Community forum | No commitment | none
Team | E-mail | Within 8 working hours | Working hours
Enterprise | E-mail and telephone | Within 1 hour | Around the clock

The times apply to the first qualified answer by a person. An automatic confirmation does not
count. Tickets can be written in English and German; other languages are translated by machine.

## Reporting and claims

The provider publishes the availability of the past month on the third working day of the
following month. A customer who sees a breach of the commitment reports it as follows:

1. Open a ticket with the subject SLA claim.
2. Name the workspace, the part of the service and the time range in UTC.
3. Attach request identifiers of at least five failed requests.

A claim must be submitted within 30 days after the end of the month concerned.

The provider examines the claim within ten working days. If it is justified, the customer
receives a credit towards the next invoice. Credits are not paid out in cash, and further claims
because of the same event are excluded as far as the law permits.

## Right of termination

If the commitment for ingestion is missed in three consecutive months, the customer may end the
contract with a notice of 14 days. Amounts that were paid in advance are then refunded for the
unused time.

## Changes

The provider may change this agreement with a notice of 60 days. A change to the disadvantage of
the customer does not apply before the end of the current contract term.
""",
)

CREDITS_POLICY = Document(
    path="support/credits-policy.docx",
    title="Credits policy of the support desk",
    head="Orbit support desk - internal",
    date=datetime(2025, 7, 14, 9, 0, tzinfo=UTC),
    text="""
# Credits policy of the support desk

This policy says when the support desk grants credits, how high they are and who has to agree.
It is internal. The figures must not be named to customers before a decision has been made.

## Credits for missed availability

A justified claim under the service level agreement is answered with a credit according to the
following table. The percentage refers to the monthly price of the plan without extensions.

Availability in the month | Credit for Team | Credit for Enterprise
below the commitment, at least 99.0 percent | 5 percent | 10 percent
below 99.0, at least 97.0 percent | 15 percent | 25 percent
below 97.0 percent | 30 percent | 50 percent

If several parts of the service are affected in the same month, only the highest credit is
granted. The sum of all credits in a calendar year is limited to two monthly prices.

## Goodwill credits

### When they are appropriate

- The customer lost working time because of a wrong answer from the desk.
- A promised call back did not happen twice in a row.
- A known issue affected the customer although a workaround had been available and was not
  passed on.

### Who may grant them

Role | Amount per case | Amount per customer and year
Support agent | up to 50 EUR | 150 EUR
Shift lead | up to 200 EUR | 600 EUR
Head of support | up to 2,000 EUR | 6,000 EUR
Management | without limit | without limit

Goodwill credits above 2,000 EUR are decided by the management.

An agent who wants to exceed the own limit asks the next role before anything is said to the
customer. The answer is due within four working hours.

## What is never credited

- Hardware and shipping; these are handled by the exchange desk.
- Fees for late payment.
- Accounts on the plan Starter, with one exception: a wrongly suspended account receives one
  free month.
- Events that lie more than 90 days in the past.

## Procedure

1. Check the claim against the availability report, not against the memory of the shift.
2. Record the reason with one of the codes CR-10 to CR-40.
3. Obtain the agreement of the responsible role.
4. Enter the credit in the billing tool; it appears on the next invoice.
5. Tell the customer, with the amount and the invoice on which it will appear.

### Reason codes

Code | Meaning | Evidence
CR-10 | Availability missed | Availability report
CR-20 | Wrong answer from the desk | Link to the ticket
CR-30 | Workaround not passed on | Number of the known issue
CR-40 | Wrongly suspended account | Payment record

## Control

The head of support reviews a sample of ten percent of all credits every month. A credit without
a reason code is reversed unless the code is supplied within three working days.

A credit that was granted expires if it has not been used within 12 months.
""",
)

GATEWAY_MANUAL = Document(
    path="v3/edge-gateway-manual.pdf",
    title="Edge gateway EG-200: installation and operation",
    head="Orbit - Edge gateway EG-200 manual",
    date=datetime(2025, 9, 1, 9, 0, tzinfo=UTC),
    text="""
# Edge gateway EG-200

The EG-200 collects the readings of radio devices, buffers them and passes them on to Orbit 3.0.
This manual is written for electricians and for network administrators. It applies to gateways
with image GW-2/77.D or later.

## Safety

- Disconnect the supply before you open the cable chamber.
- Do not mount the gateway within 20 cm of a place where people work permanently.
- The housing must be connected to protective earth outdoors.

## Technical data

Property | Value
Supply | 9 to 36 V DC, at most 7 W
Temperature in operation | -25 to +60 degrees Celsius
Protection | IP67 with closed cable chamber
Radio | LoRa 868 MHz and LTE category 4
Wired network | Ethernet 100 Mbit/s, connector M12
Devices | Up to 64 per gateway
Weight | 1.3 kg without bracket

## Mounting

Choose a place that is at least two metres above the ground and free of metal surfaces in the
direction of the devices. The antenna points upwards. The bracket fits masts with a diameter of
30 to 60 mm; for walls, use four screws of size M6.

Tighten the screws of the cable chamber with a torque of 1.8 Nm.

### Distance to devices

In open terrain a distance of up to 5 km can be bridged. Inside buildings, expect 300 m through
two concrete walls. Check the field strength in the console: values above -105 dBm are good,
values below -118 dBm lead to lost readings.

## Network

The gateway opens all connections itself. No inbound port has to be opened in the firewall. The
following outbound connections must be allowed:

Purpose | Protocol | Port | Needed
Readings and control | MQTT over TLS | 8883 | always
Firmware and configuration | HTTPS | 443 | always
Time | NTP | 123 | unless a local server is set
Name resolution | DNS | 53 | always

Proxies are supported for HTTPS only. Where MQTT is blocked, readings can be sent over HTTPS as
well; set transport.fallback=https in the configuration. The delay of the readings then grows to
about one minute.

If both Ethernet and LTE are available, Ethernet is preferred. The gateway changes to LTE after
90 seconds without an answer and returns once Ethernet has been stable for ten minutes.

## Putting into service

1. Connect the supply and wait until the status light turns blue.
2. Scan the code on the label with the installer app.
3. Choose the workspace and confirm with the activation code.
4. Wait for the update of the image, which takes up to 15 minutes.
5. Add the devices; each must be within radio range during pairing.

The activation code is valid for 20 minutes and can be used once.

### Status light

Light | Meaning | What to do
Blue, steady | Ready for activation | Start the installer app
Green, steady | Connected, all devices reachable | Nothing
Green, blinking | Connected, at least one device is missing | Check the list of devices
Yellow, steady | No connection, readings are buffered | Check network and firewall
Yellow, blinking | Buffer more than 80 percent full | Restore the connection soon
Red, steady | Hardware fault | Exchange the gateway
Red, blinking | Supply below 9 V | Check the power supply

## Buffer

Without a connection the gateway stores readings in its flash memory. The buffer holds the
readings of 64 devices for 48 hours at one reading per minute and device. If it is full, the
oldest readings are overwritten.

After the connection has returned, the buffer is emptied at a rate of 500 readings per second,
the newest readings first. Alert rules treat such readings like any others.

## Maintenance

- Inspect seals and antenna once a year.
- Exchange the backup battery of the clock every five years; the type is CR2032.
- Clean the housing with a damp cloth; do not use a pressure washer.

### Restart and factory reset

To restart the gateway, press the button in the cable chamber for 3 seconds.

For a factory reset, hold the button for 12 seconds until the light blinks white. The buffer and
the pairing of all devices are lost. The gateway must be activated again.

## Fault codes

Code | Meaning | Remedy
GW-E02 | No answer from the time server | Allow port 123 or set a local server
GW-E05 | Certificate of the gateway has expired | Activate the gateway again
GW-E11 | SIM card is locked | Enter the PIN in the installer app
GW-E14 | Radio module does not answer | Restart; exchange the gateway if it recurs
GW-E20 | Flash memory is worn out | Exchange the gateway within 30 days

## Spare parts

Number | Part | Remark
SP-2001 | Antenna 868 MHz, 3 dBi | Connector N
SP-2004 | Mast bracket | With two clamps
SP-2007 | Seal of the cable chamber | Renew after each opening outdoors
SP-2010 | Supply unit 230 V AC to 24 V DC | For indoor use only

## Disposal

Carry out a factory reset and retire the gateway in the console before you pass it on or dispose
of it. The gateway contains a lithium cell and must not be put into household waste. The
provider takes back old gateways free of charge.
""",
)

PENETRATION_TEST = Document(
    path="security/penetration-test-2025.pdf",
    title="Penetration test 2025: summary of results",
    head="Orbit security - restricted",
    date=datetime(2025, 10, 20, 9, 0, tzinfo=UTC),
    text="""
# Penetration test 2025

This report sums up the yearly penetration test of the Orbit platform. It is restricted to the
security team. Details that would allow an attack to be repeated are kept in the restricted
store and are not part of this summary.

## Scope

- Public API of version 3.0 and the token endpoint
- Console, including single sign-on
- Control channel of the gateways and the update of firmware
- Internal administration tools, tested with the rights of a support agent

Version 2 of the API was not tested, because it will be switched off. The test ran from 8 to 26
September 2025 against a copy of the production system in a separate account. An external team
of four testers worked for 52 person-days.

## Result

The testers found eleven weaknesses: none critical, two high, five medium and four low. They did
not succeed in reading measurements of another workspace. The overall state is rated as good,
one step better than in the previous year.

Severity | 2023 | 2024 | 2025
critical | 1 | 0 | 0
high | 4 | 3 | 2
medium | 9 | 6 | 5
low | 12 | 7 | 4

## Findings

Number | Severity | Area | Finding | State
PT-25-01 | high | Console | Stored script in the name of a dashboard | corrected
PT-25-02 | high | Admin tools | Support agents could read export files without consent | corrected
PT-25-03 | medium | API | Error texts reveal whether a client identifier exists | open
PT-25-04 | medium | Gateway | Debug console reachable over the M12 connector | in work
PT-25-05 | medium | Webhooks | Endpoint could point to internal addresses | corrected
PT-25-06 | medium | Console | Session remains valid after a change of password | corrected
PT-25-07 | medium | Firmware | Downgrade to a withdrawn release with physical access | in work
PT-25-08 | low | API | Missing header against content sniffing | corrected
PT-25-09 | low | Console | Log-in form permits the completion of passwords | accepted
PT-25-10 | low | Gateway | Version of the image is visible without log-in | accepted
PT-25-11 | low | Exports | Download links can be guessed to 62 bits only | open

### PT-25-01: Script in a dashboard name

A user with the right to rename a dashboard could store a script that ran in the browser of
every other user of the workspace. The script could have changed alert rules in their name. The
cause was a missing escape in the list of recent dashboards. It was corrected within two days
and rolled out on 11 September 2025.

### PT-25-02: Export files readable without consent

The administration tool checked the consent of an owner for queries, but not for the download of
export files. A review of all downloads of the past 13 months showed no case of misuse. The
check was added on 15 September 2025, and downloads by agents now appear in the audit log of the
customer.

### PT-25-04: Debug console of the gateway

With a special cable the debug console of the EG-200 can be reached over the M12 connector. It
asks for a password that was the same on all gateways built before May 2024. The image GW-2/78.A
will switch the console off. About 2,300 gateways are affected.

## Deadlines

The policy sets deadlines for corrections, counted from the day of the report.

Severity | Deadline | Who may extend it
critical | 7 days | Management
high | 30 days | Head of security
medium | 90 days | Head of security
low | 180 days | Product owner

Both findings of severity high were corrected within their deadline. PT-25-03 depends on a
change of the token endpoint and has been extended until 28 February 2026.

## What worked well

- The separation of workspaces withstood all attempts.
- The detection team noticed the testers after 3 hours and 20 minutes, without having been told
  about the test.
- Stolen access tokens could not be used from a second region.
- Images with a changed signature were refused by all devices.

## Recommendations

1. Extend the fuzzing of the import of CSV files.
2. Add a check for internal addresses to every function that fetches a URL.
3. Give each gateway a password of its own during production.
4. Repeat the training on the safe display of user input for all console developers.

The next test is planned for September 2026 and will include the satellite tracker. A check of
the corrections by the same external team takes place in January 2026.
""",
)

DOCX_DOCUMENTS = (SERVICE_LEVELS, CREDITS_POLICY)
PDF_DOCUMENTS = (GATEWAY_MANUAL, PENETRATION_TEST)


# --- DOCX ---------------------------------------------------------------------------------------


def _add_field(paragraph: Any, instruction: str) -> None:
    """Append a simple field such as PAGE to a paragraph."""
    field = OxmlElement("w:fldSimple")
    field.set(qn("w:instr"), instruction)
    run = OxmlElement("w:r")
    text = OxmlElement("w:t")
    text.text = "1"
    run.append(text)
    field.append(run)
    paragraph._p.append(field)


def _add_grid(target: Any, grid: Grid) -> None:
    """Append a table and mark its first row as a header that repeats on every page."""
    table = target.add_table(rows=len(grid.rows), cols=len(grid.rows[0]))
    table.style = "Table Grid"
    for row, texts in zip(table.rows, grid.rows, strict=True):
        for cell, text in zip(row.cells, texts, strict=True):
            cell.text = text
    header = table.rows[0]
    for cell in header.cells:
        for run in cell.paragraphs[0].runs:
            run.bold = True
    mark = OxmlElement("w:tblHeader")
    mark.set(qn("w:val"), "true")
    header._tr.get_or_add_trPr().append(mark)
    target.add_paragraph()


def _with_fixed_times(data: bytes, date: datetime) -> bytes:
    """Return the same ZIP archive with one fixed time stamp on every member."""
    stamp = (date.year, date.month, date.day, date.hour, date.minute, date.second)
    output = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(data)) as source,
        zipfile.ZipFile(output, "w", zipfile.ZIP_DEFLATED) as target,
    ):
        for name in sorted(source.namelist(), key=lambda n: (n != "[Content_Types].xml", n)):
            member = zipfile.ZipInfo(name, date_time=stamp)
            member.compress_type = zipfile.ZIP_DEFLATED
            member.external_attr = 0o644 << 16
            target.writestr(member, source.read(name))
    return output.getvalue()


def render_docx(document: Document) -> bytes:
    """Render a document as DOCX."""
    target = docx.Document()
    target.styles["Normal"].font.name = "Calibri"
    target.styles["Normal"].font.size = Pt(11)

    properties = target.core_properties
    properties.title = document.title
    properties.author = properties.last_modified_by = AUTHOR
    properties.created = properties.modified = document.date.replace(tzinfo=None)
    properties.comments = ""
    properties.language = "en"
    properties.revision = 1

    section = target.sections[0]
    section.header.paragraphs[0].text = document.head
    footer = section.footer.paragraphs[0]
    footer.alignment = WD_ALIGN_PARAGRAPH.CENTER
    footer.add_run("Page ")
    _add_field(footer, "PAGE")
    footer.add_run(" of ")
    _add_field(footer, "NUMPAGES")

    for block in blocks(document.text):
        match block:
            case H(level, text):
                target.add_heading(text, level)
            case P(text):
                target.add_paragraph(text)
            case Items(entries, numbered):
                style = "List Number" if numbered else "List Bullet"
                for entry in entries:
                    target.add_paragraph(entry, style=style)
            case Grid():
                _add_grid(target, block)

    buffer = io.BytesIO()
    target.save(buffer)
    return _with_fixed_times(buffer.getvalue(), document.date)


# --- PDF ----------------------------------------------------------------------------------------

BODY = ParagraphStyle("body", fontName="Helvetica", fontSize=10, leading=14, spaceAfter=6)
CELL = ParagraphStyle("cell", parent=BODY, fontSize=9, leading=11.5, spaceAfter=0)
CELL_HEAD = ParagraphStyle("cell-head", parent=CELL, fontName="Helvetica-Bold")
ITEM = ParagraphStyle("item", parent=BODY, leftIndent=16, bulletIndent=2, spaceAfter=3)
HEADINGS = {
    level: ParagraphStyle(
        f"heading-{level}",
        parent=BODY,
        fontName="Helvetica-Bold",
        fontSize=size,
        leading=size * 1.25,
        spaceBefore=before,
        spaceAfter=6,
        keepWithNext=1,
        textColor=colors.HexColor("#1d3557"),
    )
    for level, size, before in ((1, 20, 0), (2, 14, 12), (3, 11.5, 8))
}
GRID_STYLE = TableStyle(
    [
        ("GRID", (0, 0), (-1, -1), 0.5, colors.HexColor("#9aa5b1")),
        ("BACKGROUND", (0, 0), (-1, 0), colors.HexColor("#e4ebf2")),
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ("TOPPADDING", (0, 0), (-1, -1), 3),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 3),
    ]
)


def _add_to_outline(template: Any, flowable: Flowable) -> None:
    """Enter a heading that was just drawn into the outline of the PDF."""
    name = getattr(getattr(flowable, "style", None), "name", "")
    if name.startswith("heading-"):
        text = flowable.getPlainText()
        key = f"{template.page}: {text}"
        template.canv.bookmarkPage(key)
        template.canv.addOutlineEntry(text, key, int(name.removeprefix("heading-")) - 1)


def _decorate(canvas: Canvas, template: BaseDocTemplate, *, head: str) -> None:
    """Draw the running head and the page number."""
    width, height = A4
    canvas.saveState()
    canvas.setFont("Helvetica", 8)
    canvas.setFillColor(colors.HexColor("#52606d"))
    canvas.drawString(22 * mm, height - 14 * mm, head)
    canvas.drawCentredString(width / 2, 12 * mm, f"Page {template.page}")
    canvas.setStrokeColor(colors.HexColor("#9aa5b1"))
    canvas.line(22 * mm, height - 16 * mm, width - 22 * mm, height - 16 * mm)
    canvas.restoreState()


def _column_widths(grid: Grid, total: float) -> list[float]:
    """Share the width among the columns by the length of their texts, within bounds."""
    weights = [min(max(max(len(text) for text in column), 9), 34) for column in zip(*grid.rows, strict=True)]
    return [total * weight / sum(weights) for weight in weights]


def _flowables(block: Block, width: float) -> list[Flowable]:
    """Translate one block into what reportlab lays out."""
    match block:
        case H(level, text):
            return [Paragraph(escape(text), HEADINGS[level])]
        case P(text):
            return [Paragraph(escape(text), BODY)]
        case Items(entries, numbered):
            marks = [f"{n}." if numbered else "\u2022" for n in range(1, len(entries) + 1)]
            return [
                Paragraph(escape(entry), ITEM, bulletText=mark) for entry, mark in zip(entries, marks, strict=True)
            ] + [Spacer(1, 4)]
        case Grid(rows):
            cells = [[Paragraph(escape(text), CELL if n else CELL_HEAD) for text in row] for n, row in enumerate(rows)]
            table = Table(cells, colWidths=_column_widths(block, width), repeatRows=1)
            table.setStyle(GRID_STYLE)
            return [table, Spacer(1, 8)]


def render_pdf(document: Document) -> bytes:
    """Render a document as PDF."""
    buffer = io.BytesIO()
    template: Any = BaseDocTemplate(
        buffer,
        pagesize=A4,
        title=document.title,
        author=AUTHOR,
        lang="en",
        invariant=1,
    )
    template.afterFlowable = partial(_add_to_outline, template)
    frame = Frame(22 * mm, 20 * mm, A4[0] - 44 * mm, A4[1] - 42 * mm, 0, 0, 0, 0)
    on_page = partial(_decorate, head=document.head)
    template.addPageTemplates([PageTemplate("page", [frame], onPage=on_page)])
    story = [item for block in blocks(document.text) for item in _flowables(block, A4[0] - 44 * mm)]
    template.build(story)
    return buffer.getvalue()


def main() -> None:
    """Write all documents below the target folder."""
    parser = argparse.ArgumentParser(description="Make the DOCX and PDF files of the sample corpus.")
    parser.add_argument("target", nargs="?", type=Path, default=DEFAULT_TARGET)
    target: Path = parser.parse_args().target
    renderings = [(d, render_docx) for d in DOCX_DOCUMENTS] + [(d, render_pdf) for d in PDF_DOCUMENTS]
    for document, render in renderings:
        path = target / document.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(render(document))
        print(path)


if __name__ == "__main__":
    main()
