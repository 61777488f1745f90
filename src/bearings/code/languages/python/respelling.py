"""Gives modules other names in a source of Python: in imports, in expressions and in strings."""

import re

from tree_sitter import Node

from bearings.code.languages.shared.nodes import beyond
from bearings.code.languages.shared.respelling import Edits, Manner, Spell, changed, line_of, text_of

_DOTTED = re.compile(r"\w+(?:\.\w+)*(?::[\w.]+)?")
_NAMES = re.compile(r"[^\W\d]\w*(?:\.\w+)*")
_COMPOSED = re.compile(r"((?:\w+\.)+)(?:[{%].*)?", re.DOTALL)
_IN_TYPES = frozenset({"subscript", "binary_operator", "list", "tuple", "type_parameter", "generic_type"})
_LOADERS = re.compile(r"(?:^|\.)(?:import_module|__import__|find_spec|importorskip|run_module|reload)$")


def respelled(root: Node, source: bytes, spell: Spell) -> Edits:
    """Yield the edits that give modules the names that `spell` returns."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.type == "import_statement":
            for part in node.named_children:
                name = part.child_by_field_name("name") or part
                spelled, own = spell(text_of(name), line_of(name), Manner.IMPORT), text_of(name)
                # import a: the file keeps the name a, of which it may use anything.
                keeps = spelled not in (None, own) and name.id == part.id and "." not in own
                yield from changed(name, f"{spelled} as {own}" if keeps else spelled)
        elif node.type == "import_from_statement":
            yield from _from(node, source, spell)
        elif node.type == "string":
            yield from _string(node, spell)
        else:
            spelled = spell(text_of(node), line_of(node), Manner.CHAIN) if _is_chain(node) else None
            yield from changed(node, spelled)
            waiting += reversed(node.named_children) if spelled is None else ()


def _is_chain(node: Node) -> bool:
    """Whether a node is an expression that may be a module: `a.b`, or a name that is no attribute and no keyword."""
    parent = node.parent
    field = {"attribute": "attribute", "keyword_argument": "name"}.get(parent.type) if parent is not None else None
    label = parent.child_by_field_name(field) if parent is not None and field else None
    return node.type == "attribute" or (node.type == "identifier" and (label is None or label.id != node.id))


def _string(node: Node, spell: Spell) -> Edits:
    """The edit of a literal that is no statement of its own."""
    parent, (first, *inner, last) = node.parent, node.children
    if parent is None or parent.type == "expression_statement":
        return
    text = (node.text or b"")[first.end_byte - node.start_byte : last.start_byte - node.start_byte].decode(
        "utf-8", "replace"
    )
    is_loaded = (
        parent.type == "argument_list"
        and parent.parent is not None
        and _LOADERS.search(text_of(parent.parent.child_by_field_name("function")))
    )
    found = _COMPOSED.fullmatch(text)
    if found is not None and (text != found[1] or inner[1:] or parent.type == "binary_operator"):
        spell(found[1], line_of(node), Manner.START)
    else:
        spelled = _annotated(node, text, spell)
        if spelled is None and (is_loaded or _DOTTED.fullmatch(text)):
            spelled = spell(text, line_of(node), Manner.IMPORT if is_loaded else Manner.TEXT)
        if spelled is not None and spelled != text and len(inner) == 1:
            yield first.end_byte, last.start_byte, spelled.encode()
    for part in inner:
        if part.type == "interpolation":
            yield from respelled(part, b"", spell)


def _annotated(node: Node, text: str, spell: Spell) -> str | None:
    """A type in a string, in which names may begin with a module that the file imports; None for anything else."""
    outer = beyond(node, _IN_TYPES)
    if outer is None or outer.type != "type":
        return None
    names = {name: _first_parts(name, line_of(node), spell) for name in _NAMES.findall(text)}
    return _NAMES.sub(lambda name: names[name[0]] or name[0], text) if any(names.values()) else None


def _first_parts(name: str, line: int, spell: Spell) -> str | None:
    """A dotted name with another one for the module that its first parts are; None if they are none."""
    parts = name.split(".")
    for count in range(len(parts), 0, -1):
        if spelled := spell(".".join(parts[:count]), line, Manner.CHAIN):
            return ".".join([spelled, *parts[count:]])
    return None


def _from(node: Node, source: bytes, spell: Spell) -> Edits:
    """The edits of `from a import b, c`, whose names may be of two modules afterwards."""
    module = node.child_by_field_name("module_name")
    if module is None:
        return
    own = text_of(module)
    spelled = spell(own, line_of(module), Manner.IMPORT) or own
    parts = node.children_by_field_name("name")
    rows = [_split(own, spelled, part, spell) for part in parts]
    homes = [home for home, _ in rows]
    home = spelled if spelled in homes or not homes else homes[0]
    yield from changed(module, home)
    kept = [index for index, (one, _) in enumerate(rows) if one == home]
    for index in kept:
        name = parts[index].child_by_field_name("name") or parts[index]
        if rows[index][1] != text_of(name):
            yield parts[index].start_byte, parts[index].end_byte, _named(parts[index], rows[index][1])
    others: dict[str, list[bytes]] = {}
    for index, (one, leaf) in enumerate(rows):
        if one != home:
            others.setdefault(one, []).append(_named(parts[index], leaf))
            if index < max(kept):
                yield parts[index].start_byte, parts[index + 1].start_byte, b""
            else:
                yield parts[index - 1].end_byte, parts[index].end_byte, b""
    line = source.rfind(b"\n", 0, node.start_byte) + 1
    indentation = source[line : node.start_byte]
    end = (b"\r\n" if b"\r\n" in source else b"\n") + indentation if not indentation.strip() else b"; "
    for one, names in others.items():
        head = f"from {one} import ".encode() if one else b"import "
        yield node.start_byte, node.start_byte, head + b", ".join(names) + end


def _split(own: str, spelled: str, part: Node, spell: Spell) -> tuple[str, str]:
    """The module from which an imported name is to be imported, and its name there."""
    name = text_of(part.child_by_field_name("name") or part)
    whole = spell(f"{own}{'' if own.endswith('.') else '.'}{name}", line_of(part), Manner.MEMBER)
    if whole is None:
        return spelled, name
    dots, rest = re.fullmatch(r"(\.*)(.*)", whole).groups()  # type: ignore[union-attr]
    folder, _, leaf = rest.rpartition(".")
    return dots + folder, leaf


def _named(part: Node, leaf: str) -> bytes:
    """An entry of an import with another name, under which the file keeps its own."""
    name, alias = part.child_by_field_name("name"), part.child_by_field_name("alias")
    local = text_of(alias) if alias is not None else text_of(name or part)
    return (leaf if leaf == local and alias is None else f"{leaf} as {local}").encode()
