"""What is drawn on a page beside its text: rules, filled areas, images."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from ctypes import byref, c_void_p
from dataclasses import dataclass, field
from itertools import pairwise

from pincite.load.pdf import pdfium

Bounds = tuple[float, float, float, float]
Matrix = tuple[float, float, float, float, float, float]
Place = Callable[[float, float, float, float], Bounds]

IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
_THICKEST_RULE = 3.0
_SHORTEST_RULE = 4.0
_MOST_OBJECTS = 40_000
_MOST_SEGMENTS = 40_000
_MOST_SEGMENTS_OF_A_GRID = 400
_DEEPEST_FORM = 6
_MOST_AREAS = 3000
_BEZIER_TO, _MOVE_TO = 1, 2
_unpack_floats = struct.Struct("6f").unpack


@dataclass(slots=True)
class Shapes:
    """Boxes ``(x0, top, x1, bottom)`` in points. A rule is a box that is thin in one direction. ``dark`` holds filled
    areas that are not white. ``drawn``: there is something, whatever it is. ``complete`` is false where a drawing was
    so large that not all of it was read."""

    horizontal: list[Bounds] = field(default_factory=list)
    vertical: list[Bounds] = field(default_factory=list)
    dark: list[Bounds] = field(default_factory=list)
    images: list[Bounds] = field(default_factory=list)
    drawn: bool = False
    complete: bool = True

    def has_image(self, x: float, y: float) -> bool:
        return any(x0 <= x <= x1 and top <= y <= bottom for x0, top, x1, bottom in self.images)

    def is_dark(self, x: float, y: float) -> bool:
        """Whether something that is not white lies there; of a very large drawing it is taken for granted."""
        return (
            len(self.dark) > _MOST_AREAS
            or self.has_image(x, y)
            or any(x0 <= x <= x1 and top <= y <= bottom for x0, top, x1, bottom in self.dark)
        )

    def turn(self, turned: Callable[[Bounds], Bounds]) -> None:
        horizontal, vertical = self.horizontal, self.vertical
        self.horizontal, self.vertical = [], []
        for box in map(turned, horizontal + vertical):
            self.add_thin(box)
        self.dark = list(map(turned, self.dark))
        self.images = list(map(turned, self.images))

    def add_thin(self, box: Bounds) -> bool:
        """Adds the box where it is a rule."""
        width, height = box[2] - box[0], box[3] - box[1]
        if height <= _THICKEST_RULE and width >= _SHORTEST_RULE and width > 2 * height:
            self.horizontal.append(box)
        elif width <= _THICKEST_RULE and height >= _SHORTEST_RULE and height > 2 * width:
            self.vertical.append(box)
        else:
            return False
        return True


def read_shapes(page: c_void_p, place: Place) -> Shapes:
    shapes = Shapes()
    _Reader(shapes, place).read(pdfium.count_page_objects, pdfium.page_object, page, IDENTITY, 0)
    return shapes


class _Reader:
    """Reads the objects of one page. Where results are put is set up once: it costs more than the calls."""

    def __init__(self, shapes: Shapes, place: Place) -> None:
        self.shapes = shapes
        self.place = place
        self.objects_left = _MOST_OBJECTS
        self.segments_left = _MOST_SEGMENTS
        self.floats = pdfium.Floats6()
        self.floats_pointer = byref(self.floats)
        self.float_pointers = [byref(self.floats, 4 * index) for index in range(4)]
        self.colors = pdfium.Colors4()
        self.color_pointers = [byref(self.colors, 4 * index) for index in range(4)]
        self.modes = pdfium.Integers2()
        self.mode_pointers = [byref(self.modes, 4 * index) for index in range(2)]

    def read(self, count: pdfium.Call, get: pdfium.Call, parent: c_void_p, matrix: Matrix, depth: int) -> None:
        kind_of = pdfium.object_kind
        for index in range(count(parent)):
            handle = c_void_p(get(parent, index))
            kind = kind_of(handle)
            if kind == pdfium.TEXT:
                continue
            self.objects_left -= 1
            self.shapes.drawn = self.shapes.drawn or kind != pdfium.FORM
            if self.objects_left < 0:
                self.shapes.complete = False
                return
            if kind == pdfium.PATH:
                self._path(handle, matrix)
            elif kind in (pdfium.IMAGE, pdfium.SHADING):
                self.shapes.images.append(self._bounds(handle, matrix))
            elif kind == pdfium.FORM and depth < _DEEPEST_FORM:
                inner = _combined(self._matrix(handle), matrix)
                self.read(pdfium.count_form_objects, pdfium.form_object, handle, inner, depth + 1)

    def _bounds(self, handle: c_void_p, matrix: Matrix) -> Bounds:
        pdfium.object_bounds(handle, *self.float_pointers)
        left, bottom, right, top, _, _ = _unpack_floats(self.floats)
        if matrix is not IDENTITY:
            corners = [_moved(x, y, matrix) for x in (left, right) for y in (bottom, top)]
            left, right = min(x for x, _ in corners), max(x for x, _ in corners)
            bottom, top = min(y for _, y in corners), max(y for _, y in corners)
        return self.place(left, bottom, right, top)

    def _matrix(self, handle: c_void_p) -> Matrix:
        pdfium.object_matrix(handle, self.floats_pointer)
        matrix: Matrix = _unpack_floats(self.floats)
        return IDENTITY if matrix == IDENTITY else matrix

    def _path(self, handle: c_void_p, matrix: Matrix) -> None:
        box = self._bounds(handle, matrix)
        if self.shapes.add_thin(box):
            return
        pdfium.draw_mode(handle, *self.mode_pointers)
        fill, stroke = self.modes
        count = pdfium.count_segments(handle)
        if fill and count <= 6 and not self._is_light(handle):
            self.shapes.dark.append(box)
        if count < 2 or count > _MOST_SEGMENTS_OF_A_GRID or (fill and not stroke and count <= 6):
            return
        if box[2] - box[0] < _SHORTEST_RULE and box[3] - box[1] < _SHORTEST_RULE:
            return
        self.segments_left -= count
        if self.segments_left < 0:
            self.shapes.complete = False
            return
        own = _combined(self._matrix(handle), matrix)
        for subpath in self._subpaths(handle, count, own):
            self._add_edges(subpath, stroked=bool(stroke))

    def _add_edges(self, points: list[tuple[float, float]], *, stroked: bool) -> None:
        xs, ys = [x for x, _ in points], [y for _, y in points]
        if self.shapes.add_thin(self.place(min(xs), min(ys), max(xs), max(ys))) or not stroked:
            return
        for (x0, y0), (x1, y1) in pairwise(points):
            if -0.5 < x0 - x1 < 0.5 or -0.5 < y0 - y1 < 0.5:
                self.shapes.add_thin(self.place(min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)))

    def _subpaths(self, handle: c_void_p, count: int, matrix: Matrix) -> Iterator[list[tuple[float, float]]]:
        """The corners of each part up to the first curve: what has curves is no grid."""
        points: list[tuple[float, float]] = []
        get, kind_of, point_of, floats = pdfium.path_segment, pdfium.segment_kind, pdfium.segment_point, self.floats
        x_pointer, y_pointer = self.float_pointers[:2]
        for index in range(count):
            segment = c_void_p(get(handle, index))
            kind = kind_of(segment)
            if kind == _BEZIER_TO:
                return
            if kind == _MOVE_TO:
                if len(points) > 1:
                    yield points
                points = []
            point_of(segment, x_pointer, y_pointer)
            x, y = floats[0], floats[1]
            points.append((x, y) if matrix is IDENTITY else _moved(x, y, matrix))
        if len(points) > 1:
            yield points

    def _is_light(self, handle: c_void_p) -> bool:
        if not pdfium.fill_color(handle, *self.color_pointers):
            return False
        red, green, blue, alpha = self.colors
        return alpha == 0 or min(red, green, blue) >= 250


def _combined(inner: Matrix, outer: Matrix) -> Matrix:
    """The matrix that applies ``inner`` first."""
    if outer is IDENTITY:
        return inner
    if inner is IDENTITY:
        return outer
    a, b, c, d, e, f = inner
    p, q, r, s, t, u = outer
    return (a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s, e * p + f * r + t, e * q + f * s + u)


def _moved(x: float, y: float, matrix: Matrix) -> tuple[float, float]:
    a, b, c, d, e, f = matrix
    return (a * x + c * y + e, b * x + d * y + f)
