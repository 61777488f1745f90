"""A diagram in Graphviz's DOT."""

from collections.abc import Iterator, Mapping

from bearings.code.formats.drawing import Arrow, Box, Drawing, Look, Stroke

_MARK = "// bearings code graph"
_HEAD = (
    "digraph code {",
    '  graph [rankdir=LR, fontname="Helvetica", fontsize=11, nodesep=0.18, ranksep=0.7, bgcolor="white"];',
    '  node [shape=box, style="rounded,filled", fontname="Helvetica", fontsize=10, height=0.3, '
    'fillcolor="#f6f8fa", color="#57606a", fontcolor="#24292f"];',
    '  edge [color="#57606a", arrowsize=0.6, fontname="Helvetica", fontsize=9, fontcolor="#57606a"];',
)
_LOOKS = {
    Look.PLAIN: "",
    Look.FOLDER: ', shape=folder, style=filled, fillcolor="#fff8c5", color="#9a6700"',
    Look.TEST: ', fillcolor="#dafbe1", color="#2da44e"',
    Look.FOCUS: ', fillcolor="#ddf4ff", color="#0969da", penwidth=2.5',
}
_STROKES = {Stroke.SOLID: "", Stroke.DASHED: "style=dashed", Stroke.THICK: "penwidth=2.2"}


def encode(drawing: Drawing) -> bytes:
    """The digraph, in UTF-8."""
    names = drawing.numbers()
    lines = [_MARK, *_HEAD, *_boxes(drawing, names), *(_arrow(arrow, names) for arrow in drawing.arrows), "}"]
    return ("\n".join(lines) + "\n").encode()


def is_export(head: bytes) -> bool:
    """Whether a file that begins with `head` was written by `encode`."""
    return head.startswith(_MARK.encode())


def _boxes(drawing: Drawing, names: Mapping[str, str]) -> Iterator[str]:
    for number, (group, boxes) in enumerate(drawing.by_group().items()):
        if group:
            yield f"  subgraph cluster_{number} {{"
            yield f'    label={_text(group)}; color="#d0d7de"; fontcolor="#57606a"; style=rounded;'
        yield from (f"  {'  ' if group else ''}{_box(box, names)}" for box in boxes)
        if group:
            yield "  }"


def _box(box: Box, names: Mapping[str, str]) -> str:
    return f"{names[box.id]} [label={_text(box.label)}{_LOOKS[box.look]}];"


def _arrow(arrow: Arrow, names: Mapping[str, str]) -> str:
    settings = [f"label={_text(arrow.label)}"] if arrow.label else []
    settings += [_STROKES[arrow.stroke]] if _STROKES[arrow.stroke] else []
    attributes = f" [{', '.join(settings)}]" if settings else ""
    return f"  {names[arrow.source]} -> {names[arrow.target]}{attributes};"


def _text(label: str) -> str:
    escaped = label.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
