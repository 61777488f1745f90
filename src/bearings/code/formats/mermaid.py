"""A diagram as a Mermaid flowchart."""

from collections.abc import Iterator, Mapping

from bearings.code.formats.drawing import Arrow, Box, Drawing, Look, Stroke

MAX_EDGES = 500
MAX_CHARS = 50_000
"""Mermaid's default limits (its settings maxEdges and maxTextSize)."""

_MARK = "%% bearings code graph"
_ARROWS = {Stroke.SOLID: "-->", Stroke.DASHED: "-.->", Stroke.THICK: "==>"}
_SHAPES = {Look.FOLDER: ('[["', '"]]'), Look.FOCUS: ('(["', '"])')}
_CLASSES = {
    Look.FOLDER: "fill:#fff8c5,stroke:#9a6700,color:#24292f",
    Look.TEST: "fill:#dafbe1,stroke:#2da44e,color:#24292f",
    Look.FOCUS: "fill:#ddf4ff,stroke:#0969da,stroke-width:3px,color:#24292f",
    Look.PLAIN: "fill:#f6f8fa,stroke:#57606a,color:#24292f",
}
_FRAME = "fill:#ffffff,stroke:#d0d7de,color:#57606a"
# Mermaid's own entities. % may begin a directive; a backslash or a backtick may begin markup.
_ENTITIES = {ord(char): f"#{ord(char)};" for char in '"#<>&`\\%'}


def encode(drawing: Drawing) -> bytes:
    """The flowchart, in UTF-8."""
    names = drawing.numbers()
    lines = [_MARK, "flowchart LR", *_boxes(drawing, names), *(_arrow(arrow, names) for arrow in drawing.arrows)]
    lines += [f"  classDef {look} {style}" for look, style in _CLASSES.items()]
    for look in Look:
        if members := [names[box.id] for box in drawing.boxes if box.look is look]:
            lines.append(f"  class {','.join(members)} {look}")
    return ("\n".join(lines) + "\n").encode()


def is_export(head: bytes) -> bool:
    """Whether a file that begins with `head` was written by `encode`."""
    return head.startswith(_MARK.encode())


def _boxes(drawing: Drawing, names: Mapping[str, str]) -> Iterator[str]:
    for number, (group, boxes) in enumerate(drawing.by_group().items()):
        if group:
            yield f'  subgraph g{number}["{_text(group)}"]'
            yield "    direction LR"
        yield from (f"  {'  ' if group else ''}{_box(box, names)}" for box in boxes)
        if group:
            yield "  end"
            yield f"  style g{number} {_FRAME}"


def _box(box: Box, names: Mapping[str, str]) -> str:
    opened, closed = _SHAPES.get(box.look, ('["', '"]'))
    return f"{names[box.id]}{opened}{_text(box.label)}{closed}"


def _arrow(arrow: Arrow, names: Mapping[str, str]) -> str:
    label = f'|"{_text(arrow.label)}"|' if arrow.label else ""
    return f"  {names[arrow.source]} {_ARROWS[arrow.stroke]}{label} {names[arrow.target]}"


def _text(label: str) -> str:
    return label.translate(_ENTITIES) or " "
