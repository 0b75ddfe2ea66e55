"""Makes golden inputs of text formats whose bytes matter: encodings, line ends, characters that nobody sees.

Usage: python tools/make_golden_text.py [FOLDER]
"""

from __future__ import annotations

import sys
from pathlib import Path

GOLDEN = Path(__file__).parents[1] / "tests/golden"

LETTER = """Liebe Hafenmeisterin,\r
\r
am 3. Mai kommt die „Möwe“ mit drei Gästen;\r
bitte legen Sie eine Boje für uns zurück.\r
\t \r
  • Ankunft gegen 18 Uhr\r
  • Abfahrt früh\r
\r
\r
Fähre, Größe, Übernachtung: alles wie im Vorjahr – danke!\r
"""

LOG = """\ufeffTide\u00adtable of the week

Mon\u00a03.1 m \u200bhigh
Tue 2.9 m\x07

 family 👩\u200d👧 aboard, e\u0301 and 漢字\x0c

last line without an end"""

REFERENCE = """.. This is the reference of the tide service.
.. highlight:: sh

Tide service
------------

Reads the gauges of a harbour |gauge| every *ten* minutes::

    tide --now

Options
'''''''

--quiet
  Say nothing.

--at TIME
  The time, in one of these forms:

  1. ``18:30``
  2. an offset

     such as ``+2h``

.. function:: read(gauge, *, wait=False)

   The height in metres.

   :param gauge: its name
   :returns: a number

   .. warning::

      The gauge may be dry.

.. |gauge| image:: gauge.png

.. csv-table:: Gauges
   :header: "Name", "Zero"

   "North", 4.2
   "South", 3.9

=========  ======
Gauge      Depth
=========  ======
North      4.5 m
\\          (spring)
South      2.0 m
=========  ======

See also
''''''''

(a) the *pilot* book
(b) `the map <map.html>`_

Term
  Its meaning,
  in two lines.

.. toctree::
   other

.. [2] Measured in May.
"""

MANUAL = """// The manual of the crane.
= Crane manual
Ada Pilot; Ben Clerk

A crane lifts what
a person cannot.

[[safety]]
== Safety

WARNING: Never stand below.

[quote, A. Pilot]
Look up first.

. Switch on
.. wait for the lamp
.. test the brake
. Lift
+
--
Slowly, and

only with both hands.
--

[horizontal]
Hook:: carries the load
Jib:: turns

=== Loads

[%header,format=csv]
,===
Reach,Load
5 m,900 kg
10 m,400 kg
,===

|===
|Part |Checked

2+|every spring
|rope
|2024
|===

....
  ^
 /|\\
....

[source,python]
load = 400

'''

++++
<b>as it is</b>
++++

include::parts.adoc[]

<1> the rope
<2> the hook

[verse]
Up and down,
all day long.
"""


def files() -> dict[str, bytes]:
    return {
        "text/letter.txt": LETTER.encode("cp1252"),
        "text/log.txt": LOG.encode(),
        "rst/reference.rst": REFERENCE.encode(),
        "asciidoc/manual.adoc": ("\ufeff" + MANUAL).replace("\n", "\r\n").encode("utf-16-le"),
    }


def main(arguments: list[str]) -> int:
    folder = Path(arguments[0]) if arguments else GOLDEN
    for name, data in files().items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
        print(name)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
