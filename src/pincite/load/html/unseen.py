"""Text that a page has and nobody sees: tiny, in the colour of its ground, off the screen, clipped, transparent.

It is read from the style attributes and the style sheets inside the page. Other sheets are not fetched: where the page
names some, they may colour anything, so that only what is said at the element itself counts, and the ground is known
where an element says it. What begins hidden and comes into sight by an animation counts as shown.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from selectolax.lexbor import LexborHTMLParser, LexborNode

from pincite.load.html import vocabulary as names
from pincite.load.html.colours import WHITE, Colour, alike, colour_of, is_transparent
from pincite.load.html.sheets import IMPORTANT, Declarations, Rule, Sheets, declared, parts_of, without_comments

Attributes = dict[str, str | None]

SMALLEST_PX = 1.0
OFF_SCREEN_PX = -999.0
FAINTEST = 0.05
_MOST_REMEMBERED = 10_000
_PX = {"": 1.0, "px": 1.0, "pt": 4 / 3, "pc": 16.0, "in": 96.0, "cm": 37.8, "mm": 3.78, "q": 0.945}
_PX |= {"em": 16.0, "rem": 16.0, "ex": 8.0, "ch": 8.0, "%": 0.16, "vw": 10.0, "vh": 10.0}
_LENGTH = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+))(%|[a-z]*)")
_FONT_SIZE = re.compile(r"(?:^|\s)((?:\d+\.?\d*|\.\d+)(?:%|[a-z]+)?)\s*(?:/|\s|$)")
_MOVED = re.compile(r"translate(?:x|y|3d)?\(([^)]*)\)")
_SHRUNK = re.compile(r"scale(?:x|y|3d)?\(\s*0(?:\.0+)?\s*[,)]")
_CLIPPED = re.compile(
    r"rect\(\s*[01](?:px)?(?:[\s,]+[01](?:px)?)*+\s*\)|inset\(\s*(?:50|100)%|(?:circle|ellipse)\(\s*0"
    r"|polygon\(\s*0(?:px|%)?(?:[\s,]+0(?:px|%)?)*+\s*\)"
)
_ANIMATED = ("transition", "transition-property", "transition-duration", "animation", "animation-name", "will-change")
_OFFSETS = ("left", "top", "right", "bottom", "text-indent", "margin-left", "margin-top", "margin-right")
_BOX = ("height", "max-height", "width", "max-width")
_PADDING = ("padding", "padding-top", "padding-bottom")


_FILL, _STROKE = "-webkit-text-fill-color", "-webkit-text-stroke"
_PAINT = {"color", "background", "background-color", "background-image", "position", "text-shadow", _FILL, _STROKE}
_GROUNDS = ("background", "background-color", "background-image")
_SIZES = ("font", "font-size")
_IN_A_BOX = {"overflow": "hidden", "position": "absolute"}
_MOVING = (*_ANIMATED, "transform", "filter")
_BOXED = ("overflow", "overflow-x", "overflow-y", *_BOX, *_PADDING, *_MOVING)
_SUSPICIOUS = (
    (re.compile(r"display:none|visibility:(?:hidden|collapse)"), ("display", "visibility")),
    (re.compile("content-visibility:hidden"), ("content-visibility",)),
    (re.compile(r"opacity:(?:0|0?\.0\d*|[0-5]%)(?![\d.])"), ("opacity", *_MOVING)),
    (re.compile(r"-(?<=[:(,]-)\d{2,}"), (*_OFFSETS, *_MOVING)),
    (re.compile(r"clip:rect|clip-path:"), ("clip", "clip-path", "position", *_MOVING)),
    (re.compile(r"scale(?:x|y|3d)?\(0"), _MOVING),
    (re.compile(r"height:(?<!line-height:)(?:[01]|0?\.\d+)(?:px)?(?![\w.%])"), _BOXED),
    (re.compile(r"width:(?<![ertmp]-width:)(?:[01]|0?\.\d+)(?:px)?(?![\w.%])"), _BOXED),
    (
        re.compile(r"font(?:-size:(?:[0.]|\d%)|:[^;}]*?(?<![\d.])0(?:\.\d*)?(?:px|pt|r?em|%)?[/a-z\"'])"),
        ("font-size", "font"),
    ),
)
"""What a page must have somewhere, blanks left out, for the properties beside it to matter."""
_COLOUR_VALUE = re.compile(r"color\s*:\s*([^;}!]+)")
_GROUND_VALUE = re.compile(r"background(?:-color)?\s*:\s*([^;}!]+)")
_COLOUR_WORDS = re.compile(r"#[\da-f]+|rgba?\([^)]*\)|[a-z]+")


@dataclass(frozen=True, slots=True)
class Look:
    """What is known of the text of an element. ``colour`` is ``None`` where nothing says it, ``ground`` where it may be
    any."""

    colour: Colour | None = None
    ground: Colour | None = WHITE
    transparent: bool = False
    tiny: bool = False
    unseen: bool = field(init=False)

    def __post_init__(self) -> None:
        like_ground = self.colour is not None and self.ground is not None and alike(self.colour, self.ground)
        faint = self.transparent and self.ground is not None  # text may be cut out of a picture behind it
        object.__setattr__(self, "unseen", self.tiny or faint or like_ground)


@dataclass(frozen=True, slots=True)
class Effect:
    """What one element says. ``colour`` and ``ground`` are ``None`` for an unknown one, "" where nothing is said;
    ``tiny`` is ``None`` where nothing is said of the size."""

    gone: bool = False
    colour: Colour | str | None = ""
    ground: Colour | str | None = ""
    transparent: bool = False
    tiny: bool | None = None

    def on(self, above: Look) -> Look:
        if self is NOTHING:
            return above
        colour = above.colour if isinstance(self.colour, str) else self.colour
        ground = above.ground if isinstance(self.ground, str) else self.ground
        transparent = above.transparent if self.colour == "" else self.transparent
        look = Look(colour, ground, transparent, above.tiny if self.tiny is None else self.tiny)
        return above if look == above else look


NOTHING = Effect()


class Styles:
    """Of one page. ``others`` says that it names sheets that are not in it."""

    def __init__(self, sheets: Sheets, *, others: bool) -> None:
        self._sheets = sheets
        self._others = others
        self._effects: dict[tuple[object, ...], Effect] = {}
        # Where other sheets may say anything, doubts add nothing to it.
        self._known = {*sheets.rules, *(() if others else sheets.doubts)}
        self._classes: dict[str, bool] = {}
        self._doubted = False  # whether any class may change what holds at first
        self.first = Look(ground=None if others else WHITE)

    def look_of_body(self, body: LexborNode) -> Look:
        """What holds where no element says anything; a body that is hidden comes into sight by a script."""
        above = self.first
        root = body.parent
        if root is not None and root.tag == "html":
            above = self.effect("html", root.attributes).on(above)
        self.first = self.effect("body", body.attributes).on(above)
        self._doubted = self._others and self.first != Look(ground=None)
        return self.first

    def concerns(self, name: str, attributes: Attributes) -> bool:
        """Whether the element may be any different from what holds where no element says anything."""
        if "style" in attributes or "bgcolor" in attributes or name == "font" or name in self._known:
            return True
        if self._doubted and ("class" in attributes or "id" in attributes):
            return True
        if own := attributes.get("class"):
            known = self._classes.get(own)
            if known is None:
                known = self._classes[own] = any(f".{one}" in self._known for one in own.split())
            if known:
                return True
        return bool((own := attributes.get("id")) and f"#{own}" in self._known)

    def effect(self, name: str, attributes: Attributes) -> Effect:
        own_id = attributes.get("id") or ""
        if own_id and not self._sheets.knows(f"#{own_id}"):
            own_id = "-"  # of no concern which one: no rule can name it
        paint = attributes.get("bgcolor") or (attributes.get("color") if name == "font" else "")
        key = (
            name,
            own_id,
            attributes.get("style"),
            attributes.get("class"),
            paint,
            name == "a" and "href" in attributes,
        )
        effect = self._effects.get(key)
        if effect is None:
            if len(self._effects) >= _MOST_REMEMBERED:
                self._effects.clear()
            effect = self._effects[key] = self._find_effect(name, attributes)
        return effect

    def _find_effect(self, name: str, attributes: Attributes) -> Effect:
        parts = parts_of(name, attributes)
        rules = self._sheets.matching(parts)
        own = declared(attributes.get("style") or "")
        if attributes.get("bgcolor"):
            own.setdefault("background-color", attributes["bgcolor"] or "")
        if name == "font" and attributes.get("color"):
            own.setdefault("color", attributes["color"] or "")
        values = merged(rules, own)
        named = {part for part in parts if part[0] in ".#"}
        open_ended = self._others and bool(named)
        doubts, named_doubts = self._sheets.doubted(parts), self._sheets.doubted(named)
        gone = hiding(values)
        if gone and hiding(own) != gone:
            gone = "" if self._may_show(gone, values[gone], rules) else gone
        colour, transparent = _colour(values, link=name == "a" and "href" in attributes)
        if "color" not in own and (open_ended or "color" in named_doubts):
            colour, transparent = None, False
        ground = _ground(values)
        if ground == "" and (open_ended or not doubts.isdisjoint(_GROUNDS)):
            ground = None
        tiny = _tiny(values)
        if "font-size" not in own and "font" not in own and (open_ended or not named_doubts.isdisjoint(_SIZES)):
            tiny = False
        if values.get("position") in ("absolute", "fixed") and ground == "":
            ground = None  # it may lie over anything
        effect = Effect(bool(gone), colour, ground, transparent, tiny)
        return NOTHING if effect == NOTHING else effect

    def _may_show(self, name: str, value: str, rules: list[Rule]) -> bool:
        """Whether a rule may undo at times what hides: tabs and menus that open."""
        for rule in rules:
            if rule.declarations.get(name, "").removesuffix(IMPORTANT).strip() == value:
                for part in [part for part in rule.parts if part[0] in ".#"] or rule.parts:
                    others = self._sheets.values.get((part, name), ())
                    if any(hiding({name: other, **_IN_A_BOX}) != name for other in others):
                        return True
        return False


def merged(rules: list[Rule], own: Declarations) -> Declarations:
    """The values that count, without ``!important``: ``rules`` with the weightiest last, then the element's own."""
    values: Declarations = {}
    important: Declarations = {}
    for declarations in (*(rule.declarations for rule in rules), own):
        for name, value in declarations.items():
            target = important if value.endswith(IMPORTANT) else values
            if name == "background":  # it sets both, and what was said before does not count any more
                target.pop("background-color", None)
                target.pop("background-image", None)
            elif name == "font":
                target.pop("font-size", None)
            target[name] = value.removesuffix(IMPORTANT).strip()
    return values | important


def hiding(values: Declarations) -> str:
    """The property that takes the whole element out of sight, empty where none does."""
    if values.get("display") == "none":
        return "display"
    if values.get("visibility") in ("hidden", "collapse"):
        return "visibility"
    if values.get("content-visibility") == "hidden":
        return "content-visibility"
    for name in _OFFSETS:
        if name in values and pixels(values[name].partition(" ")[0]) <= OFF_SCREEN_PX:
            return name
    animated = any(values.get(name, "none") not in ("none", "auto") for name in _ANIMATED)
    if animated:
        return ""
    transform = values.get("transform", "")
    if "opacity" in values and not transform and "filter" not in values and _share(values["opacity"]) <= FAINTEST:
        return "opacity"
    if _SHRUNK.search(transform) or any(
        pixels(part.strip()) <= OFF_SCREEN_PX for moved in _MOVED.findall(transform) for part in moved.split(",")
    ):
        return "transform"
    for name in ("clip", "clip-path"):
        if _CLIPPED.match(values.get(name, "")) and (name != "clip" or values.get("position") in ("absolute", "fixed")):
            return name
    return _closed_box(values)


def _closed_box(values: Declarations) -> str:
    """The height or width that leaves no room for the text, which may not run over."""
    if not any(
        values.get(name, "").startswith(("hidden", "clip")) for name in ("overflow", "overflow-x", "overflow-y")
    ):
        return ""
    if any(pixels(part) > SMALLEST_PX for name in _PADDING for part in values.get(name, "").split()):
        return ""  # pictures and films are given their shape by the space around nothing
    return next((name for name in _BOX if name in values and 0 <= pixels(values[name], other=99) <= SMALLEST_PX), "")


def pixels(value: str, *, other: float = 0.0) -> float:
    """A length in pixels, ``other`` for what is none; relative ones as of text of 16 px in a window of 1,000.

    >>> pixels("-9999px"), pixels("2em"), pixels("auto")
    (-9999.0, 32.0, 0.0)
    """
    match = _LENGTH.fullmatch(value)
    return float(match[1]) * _PX[match[2]] if match and match[2] in _PX else other


def _share(value: str) -> float:
    match = _LENGTH.fullmatch(value)
    return float(match[1]) / (100 if match[2] == "%" else 1) if match and match[2] in ("", "%") else 1.0


def _colour(values: Declarations, *, link: bool) -> tuple[Colour | str | None, bool]:
    """The colour and whether nothing of it is seen; "" where the element has that of what is around it."""
    value = values.get(_FILL) or values.get("color", "")
    if value in ("", "inherit", "currentcolor", "unset"):
        return (None if link and not value else ""), False  # browsers colour links
    if values.get("text-shadow", "none") != "none" or _STROKE in values:
        return None, False
    return colour_of(value), is_transparent(value)


def _ground(values: Declarations) -> Colour | str | None:
    if values.get("background-image", "none") not in ("none", "initial"):
        return None
    value = values.get("background-color", "") or values.get("background", "")
    if not value or value in ("none", "inherit", "initial", "unset") or is_transparent(value):
        return ""
    if "(" in value and not value.startswith(("rgb(", "rgba(")):
        return None
    colour = colour_of(value)
    if colour is None and " " in value and "(" not in value:
        colour = next(filter(None, map(colour_of, value.split())), None)
    return colour


def _tiny(values: Declarations) -> bool | None:
    """Whether the text is too small to be seen; ``None`` where it has the size of what is around it."""
    size = values.get("font-size", "")
    if not size and (shorthand := values.get("font", "")):
        size = match[1] if (match := _FONT_SIZE.search(shorthand)) else "medium"
    if not size or size in ("inherit", "unset"):
        return None
    if pixels(size, other=99) < SMALLEST_PX:
        return True
    return None if size.endswith(("em", "%", "ex", "ch")) and not size.endswith("rem") else False


def styles_of(parser: LexborHTMLParser) -> Styles | None:
    """``None`` for a page in which nothing is said that could hide a text; most pages cost no more than the look."""
    nodes = [(node, (node.attributes.get("media") or "").strip().lower()) for node in parser.css("style")]
    sheets = [(node.text(), media not in ("", "all", "screen")) for node, media in nodes if "print" not in media]
    others = any("@import" in text for text, _ in sheets) or parser.css_first("link[rel~=stylesheet i]") is not None
    inline = _inline(parser)
    wanted = suspicion("".join(text for text, _ in sheets), inline, others=others)
    if not wanted:
        return None
    rules = Sheets()
    for text, doubtful in sheets:
        rules.add(text, wanted, doubtful=doubtful)
    if not rules.rules and not suspicion("", inline, others=others):
        return None
    return Styles(rules, others=others)


def _inline(parser: LexborHTMLParser) -> str:
    """The style attributes, and the colours of old attributes as if they stood in one; each once."""
    said = dict.fromkeys(node.attributes.get("style") or "" for node in parser.css("[style]"))
    said |= dict.fromkeys(f"background:{node.attributes.get('bgcolor')}" for node in parser.css("[bgcolor]"))
    said |= dict.fromkeys(f"color:{node.attributes.get('color')}" for node in parser.css("font[color]"))
    return ";".join(said).lower()


def suspicion(sheets: str, inline: str, *, others: bool) -> frozenset[str]:
    """The properties that have to be known, as somewhere a value of theirs may hide a text.

    >>> sorted(suspicion("p { font-size: 0 }", "color: red", others=False))
    ['font', 'font-size']
    """
    sheets = without_comments(sheets).lower()
    compact = "".join(sheets.split())
    everything = f"{compact};{''.join(inline.split())};"
    wanted: set[str] = set()
    for pattern, properties in _SUSPICIOUS:
        # What style attributes hide outright is looked for at every element, without this.
        if pattern.search(compact if "display" in properties else everything):
            wanted.update(properties)
    if _may_be_like_ground(f"{sheets};{inline};", others=others):
        wanted |= _PAINT
    return frozenset(wanted)


def _may_be_like_ground(text: str, *, others: bool) -> bool:
    """Whether one of the colours that are said is transparent, or like a ground that is said or goes without saying."""
    colours = {
        match[1].strip()
        for match in _COLOUR_VALUE.finditer(text)
        if text[match.start() - 1 : match.start()] != "-" or text.endswith("fill-", 0, match.start())
    }
    if any(map(is_transparent, colours)):
        return True
    values = set(_GROUND_VALUE.findall(text)) if colours else set()
    grounds = {colour_of(word) for value in values for word in _COLOUR_WORDS.findall(value)} - {None}
    grounds |= {WHITE} if not others else set()
    seen = set(map(colour_of, colours)) - {None}
    return any(alike(one, other) for one in seen for other in grounds if one and other)


def length_of(node: LexborNode) -> int:
    """How many characters of text the element holds, blanks counted once."""
    length = 0
    waiting = [node]
    while waiting:
        for child in waiting.pop().iter(include_text=True):
            name = child.tag or "-"
            if name == "-text":
                length += len(" ".join((child.text_content or "").split()))
            elif name[0] not in "-!" and name not in names.SKIPPED:
                waiting.append(child)
    return length
