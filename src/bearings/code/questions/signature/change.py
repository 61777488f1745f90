"""The change of a parameter list, and what it makes of the other lists of a family and of the arguments of calls."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from bearings.code.languages.shared.signatures import Item, Listing, SignatureRules, Site
from bearings.code.languages.spec import LanguageSpec
from bearings.code.models import Language
from bearings.code.parse import signatures_of
from bearings.code.questions.signature.lists import Draft, Part
from bearings.errors import InvalidInput

_LIST, _MAPPING = ("*", "..."), "**"


class Unfit(Exception):
    """A list or a call can't be adapted, for the reason in its text. `is_unsure`: it may be left as it is."""

    def __init__(self, why: str, *, is_unsure: bool = False) -> None:
        super().__init__(why)
        self.is_unsure = is_unsure


class Slot(NamedTuple):
    """A parameter of the new list, and its place in the old one; None if it is added or a separator."""

    item: Item
    origin: int | None


class Change(NamedTuple):
    """The old parameters that calls pass, the new list, and the arguments that present calls get."""

    old: tuple[Item, ...]
    slots: tuple[Slot, ...]
    values: Mapping[str, str]
    rules: SignatureRules
    by_name: bool

    @property
    def removed(self) -> list[Item]:
        """The parameters that go."""
        remaining = {slot.origin for slot in self.slots}
        return [item for at, item in enumerate(self.old) if item.name and at not in remaining]

    @property
    def renamed(self) -> dict[str, str]:
        """The old names with the new ones."""
        pairs = {self.old[slot.origin].name: slot.item.name for slot in self.slots if slot.origin is not None}
        return {old: new for old, new in pairs.items() if old != new}

    @property
    def added(self) -> list[Item]:
        """The new parameters."""
        return [slot.item for slot in self.slots if slot.origin is None and slot.item.name]

    @property
    def extends(self) -> bool:
        """Whether all arguments still reach the same parameters, so that a list of unknown length may be passed on."""
        old, new = _placed(self.old), _placed([slot.item for slot in self.slots])
        is_kept = [self.slots[at].origin for at in new[: len(old)]] == old
        if not is_kept or any(self._is_needed(slot) for slot in self.slots):
            return False
        open_ = [at for at, item in enumerate(self.old) if item.is_open]
        is_moved = bool(open_) and len(new) > len(old)  # def f(a, *rest) -> def f(a, b, *rest)
        is_named = not self.by_name or not self.renamed
        return not self.removed and is_named and not (is_moved and self.old[open_[0]].sign in _LIST)

    def _is_needed(self, slot: Slot) -> bool:
        """Whether a parameter has lost its default."""
        return slot.origin is not None and slot.item.is_required and not self.old[slot.origin].is_required

    @property
    def harms_no_call(self) -> bool:
        """Whether every call that fits the old list fits the new one, and means the same."""
        return self.extends and not self.values and not any(item.is_required for item in self.added)

    @property
    def harms_no_value(self) -> bool:
        """Whether the same holds for calls by code that passes more arguments than a function takes, as JavaScript."""
        has_more = len(_placed([slot.item for slot in self.slots])) > len(_placed(self.old))
        return self.harms_no_call and not (has_more and not self.by_name)


def change_of(
    spec: LanguageSpec, rules: SignatureRules, head: Site, written: str, renamed: Mapping[str, str],
    values: Mapping[str, str],
) -> Change:  # fmt: skip
    """The change that a caller writes. Raises InvalidInput."""
    assert head.listing is not None
    skipped, old = head.listing.items[: head.skipped], head.listing.items[head.skipped :]
    remedy = 'Write it as in the definition: "item, count=1".'
    items = _items_of(spec.language, rules.head, written)
    if items is None:
        raise InvalidInput("parameters", written, "is no list of parameters", remedy)
    if skipped and items and items[0].name == skipped[0].name:
        items = items[1:]
    before = {_key(item): at for at, item in enumerate(old) if item.name}
    former = {new: name for name, new in renamed.items()}
    slots = []
    for item in items:
        origin = before.get(former.get(_key(item), _key(item))) if item.name else None
        own = old[origin] if origin is not None else None
        slots.append(Slot(item if own is None else _filled(item, own, rules), origin))
    if _is_disordered([slot.item for slot in slots], by_name=spec.keyword_arguments):
        raise InvalidInput("parameters", written, "has one that calls must pass behind one that they need not", remedy)
    for value in values.values():
        if not _is_argument(spec.language, value):
            raise InvalidInput("values", value, "is not one argument", "Write an expression.")
    change = Change(old, tuple(slots), values, rules, spec.keyword_arguments)
    names = [_key(item) for item in items if item.name]
    for field, given, known in (
        ("parameters", [name for name in names if names.count(name) > 1 or name in spec.reserved], ()),
        ("renamed", renamed, before),
        ("renamed", renamed.values(), names),
        ("values", values, names),
    ):
        if unknown := [name for name in given if name not in known]:
            raise InvalidInput(field, unknown[0], "names no parameter", "Name each parameter once, as in the lists.")
    return change


def _items_of(language: Language, head: str, written: str) -> tuple[Item, ...] | None:
    """The parameters of a list; None for anything else."""
    source = signatures_of(language, head.format(written).encode())
    listing = source.parameters() if source is not None else None
    start = head.index("{}")
    is_all = listing is not None and (listing.start, listing.end) == (start, start + len(written.encode()))
    items = listing.items if listing is not None and is_all else None
    return None if items and items[-1].sign in _LIST and not items[-1].name else items


def _is_argument(language: Language, written: str) -> bool:
    """Whether a source is one argument, without a name."""
    text = f"f({written})".encode()
    source = signatures_of(language, text)
    call = source.at(0, 1) if source is not None else None
    if call is None or call.listing is None or call.end != len(text):
        return False
    return [bool(item.sign or item.name) for item in call.listing.items] == [False]


def _key(item: Item) -> str:
    return re.sub(r"[\s,]+", " ", item.name)


def _is_disordered(items: Sequence[Item], *, by_name: bool) -> bool:
    """Whether a parameter that calls must pass stands behind one that they need not."""
    is_optional = False
    for item in items:
        if item.sign in _LIST and by_name:
            break
        is_optional |= bool(item.name) and not item.is_required and (by_name or item.is_optional)
        if is_optional and item.is_required and item.name:
            return True
    return False


def _placed(items: Sequence[Item]) -> list[int]:
    """The places of the parameters that can be passed by place."""
    placed = []
    for at, item in enumerate(items):
        if item.sign in _LIST or item.is_open:
            break
        placed += [at] if item.name else []
    return placed


def _filled(item: Item, own: Item, rules: SignatureRules) -> Item:
    """A written parameter with the type of the old one if it has none; a name alone with its default, too."""
    is_bare = not (item.type or item.value or item.is_optional)
    filled = item._replace(
        sign=item.sign or own.sign,
        type=item.type or own.type,
        value=item.value or (own.value if is_bare else ""),
        is_optional=item.is_optional or (is_bare and own.is_optional),
    )
    if (filled.sign, filled.type, filled.value, filled.is_optional) == _shape(own):
        return filled._replace(text=_named(own, item.name))
    return filled._replace(text=_rendered(filled, rules) if filled != item else item.text)


def _shape(item: Item) -> tuple[str, str, str, bool]:
    return item.sign, item.type, item.value, item.is_optional


def _named(item: Item, name: str) -> str:
    """The text of a parameter with another name."""
    at = len(item.text.encode()[: item.name_start - item.start].decode())
    return item.text[:at] + name + item.text[at + len(item.name) :]


def _rendered(item: Item, rules: SignatureRules) -> str:
    space = " " if item.type or rules.filler else ""
    default = f"{space}={space}{item.value}" if item.value else ""
    sign = f"{item.sign} " if item.sign[-1:].isalnum() else item.sign
    return f"{sign}{item.name}{'?' if item.is_optional else ''}{f': {item.type}' if item.type else ''}{default}"


def parameters_of(head: Site, change: Change) -> list[Part]:
    """The new list of a function of the family. Raises Unfit if its list does not correspond to the old one."""
    if head.listing is None or head.is_typed:
        raise Unfit("its type is declared apart" if head.is_typed else "it has no list of parameters")
    skipped, own = head.listing.items[: head.skipped], head.listing.items[head.skipped :]
    count, marks = len(change.old), [item.sign for item in own[: len(change.old)] if not item.name or item.is_open]
    is_alike = marks == [item.sign for item in change.old if not item.name or item.is_open]
    is_named = all(mine.name == item.name for mine, item in zip(own, change.old, strict=False) if item.name)
    more = own[count:]
    if len(own) < count or not is_alike or (not is_named and any(not item.name for item in change.old)):
        raise Unfit("its parameters do not correspond")
    if more and (marks or any(item.is_required or item.is_open or not item.name for item in more)):
        raise Unfit("it has parameters of its own")
    parts = [Part(at, item.text) for at, item in enumerate(skipped)]
    for slot in change.slots:
        if slot.origin is None:
            parts.append(Part(_at_mark(own, slot.item, head.skipped), _declared(slot.item, head, change.rules)))
            continue
        mine, former = own[slot.origin], change.old[slot.origin]
        if slot.item.name != former.name and mine.sign and mine.sign not in (*_LIST, _MAPPING):
            raise Unfit(f"{mine.name} declares a field, too")
        merged = slot.item if mine.text == former.text else _merged(mine, former, slot.item, change.rules)
        parts.append(Part(head.skipped + slot.origin, _declared(merged, head, change.rules)))
    for item in change.removed:
        if item.sign and item.sign not in (*_LIST, _MAPPING):
            raise Unfit(f"{item.name} declares a field, too")
    return [*parts, *(Part(head.skipped + count + at, item.text) for at, item in enumerate(more))]


def _at_mark(own: Sequence[Item], item: Item, skipped: int) -> int | None:
    """The place of the same separator in the old list."""
    same = (at for at, mine in enumerate(own) if not item.name and not mine.name and mine.sign == item.sign)
    return next((skipped + at for at in same), None)


def _declared(item: Item, head: Site, rules: SignatureRules) -> str:
    """A parameter as a head has it: without a body, a default is not allowed."""
    if head.has_body or not (item.name and item.value and rules.filler):
        return item.text
    if not item.type:
        raise Unfit(f"a head without a body needs the type of {item.name}: write it in parameters")
    return _rendered(item._replace(value="", is_optional=True), rules)


def _merged(own: Item, old: Item, new: Item, rules: SignatureRules) -> Item:
    """A parameter of another list with what changes in the first one."""
    merged = own._replace(
        name=new.name if own.name == old.name else own.name,
        type=new.type if own.type == old.type else own.type,
        value=new.value if own.value == old.value else own.value,
        is_optional=new.is_optional if own.is_optional == old.is_optional else own.is_optional,
    )
    is_same = _shape(merged) == _shape(own)
    return merged._replace(text=_named(own, merged.name) if is_same else _rendered(merged, rules))


def _by_name(name: str, value: str) -> str:
    """An argument that is passed by its name."""
    return f"{name}=({value})" if re.match(r"\w+\s*:=", value) else f"{name}={value}"


class Arguments:
    """Makes the new arguments of one call. Raises Unfit."""

    def __init__(self, listing: Listing, skipped: int, change: Change, draft: Draft) -> None:
        self._given, self._skipped, self._change, self._draft = listing.items, skipped, change, draft
        self._bound: dict[int | str, int] = {}
        self._rest: list[int] = []
        self._extra: list[int] = []
        self._bind()

    def parts(self) -> list[Part]:
        """The new arguments."""
        change, given = self._change, self._given
        if any(item.sign for item in given):
            return self._passed_on()
        lead = [self._same(at) for at in range(self._skipped)]
        placed, named, fillers = list[Part](), list[Part](), 0
        by_place, is_only = True, False
        last = max((at for at, slot in enumerate(change.slots) if slot.item.text == "/"), default=-1)
        for number, slot in enumerate(change.slots):
            item = slot.item
            if item.sign in _LIST and (item.is_open or not item.name):
                if self._rest and item.name and not by_place:
                    raise Unfit("the arguments of its list have no place")
                if self._rest and item.name:
                    placed += [Part(None, change.rules.filler)] * fillers + [self._same(at) for at in self._rest]
                by_place, is_only = by_place and not change.by_name, True
            elif item.name and not item.is_open:
                at = self._bound.get(slot.origin if slot.origin is not None else item.name)
                text = self._value(slot, at)
                if text is None:
                    by_place = by_place and bool(change.rules.filler)
                    fillers += 1
                elif by_place and not (at is not None and given[at].name) and not is_only:
                    placed += [Part(None, change.rules.filler)] * fillers + [Part(at, text)]
                    fillers = 0
                elif number < last:
                    raise Unfit(f"{item.name} can't be passed by its name")
                else:
                    by_place = False
                    is_same = at is not None and given[at].name == item.name
                    named.append(self._same(at) if is_same and at is not None else Part(at, _by_name(item.name, text)))
        self._check_gone(placed, named)
        named += [self._same(at) for at in self._extra]
        named.sort(key=lambda part: len(given) if part.origin is None else part.origin)
        return [*lead, *placed, *named]

    def _bind(self) -> None:
        """Tell the parameter of each argument."""
        old = self._change.old
        placed = [at for at in _placed(old) if not old[at].is_open]
        opens = {item.sign for item in old if item.is_open}
        names = {item.name: at for at, item in enumerate(old) if item.name and not item.is_open}
        new = {item.name for item in self._change.added}
        taken = new.union(self._change.renamed.values()) - new
        count = 0
        for at in range(self._skipped, len(self._given)):
            given = self._given[at]
            if given.sign:
                continue
            if given.name:
                key: int | str | None = names.get(given.name, given.name if given.name in new else None)
                if key is None and (_MAPPING not in opens or given.name in taken):
                    raise Unfit(f"the call passes {given.name}, which is no parameter")
                if key is None:
                    self._extra.append(at)
                else:
                    self._bound[key] = at
            elif count < len(placed):
                self._bound[placed[count]] = at
                count += 1
            elif opens.intersection(_LIST):
                self._rest.append(at)
            elif not any(one.sign for one in self._given):
                raise Unfit("the call passes more than the present parameters")

    def _passed_on(self) -> list[Part]:
        """The arguments of a call that passes a list or a mapping on."""
        if not self._change.extends:
            raise Unfit("it passes a list or a mapping on")
        more = [
            item for item in self._change.added if item.name in self._change.values and item.name not in self._bound
        ]
        missing = [item.name for item in self._change.added if item.is_required and item not in more]
        if missing or (more and not self._change.by_name):
            raise Unfit("it passes a list or a mapping on")
        values = (Part(None, _by_name(item.name, self._change.values[item.name])) for item in more)
        return [*map(self._same, range(len(self._given))), *values]

    def _same(self, at: int) -> Part:
        item = self._given[at]
        return Part(at, self._draft.text(item.start, item.end))

    def _value(self, slot: Slot, at: int | None) -> str | None:
        """The argument for a parameter; None if the call passes none."""
        item, change = slot.item, self._change
        if at is not None:
            return self._draft.value(self._given[at])
        if item.name in change.values:
            return change.values[item.name]
        former = change.old[slot.origin].value if slot.origin is not None else ""
        if not item.is_required or (slot.origin is not None and not former and not change.by_name):
            return None
        if former and re.fullmatch(r"[-+]?[\d.]+|None|True|False|null|true|false|undefined|\"[^\"]*\"|'[^']*'", former):
            return former  # it has no default any more
        if slot.origin is not None and change.old[slot.origin].is_required:
            raise Unfit(f"the call does not pass {item.name}")
        raise Unfit(f"it needs an argument for {item.name}: pass one in values")

    def _check_gone(self, placed: Sequence[Part], named: Sequence[Part]) -> None:
        """Raise Unfit for arguments that go, if they have an effect or no parameter."""
        remaining = {part.origin for part in (*placed, *named)}
        for at in (*self._bound.values(), *self._rest):
            if at not in remaining and at in self._rest:
                raise Unfit("the arguments of its list have no place")
            if at not in remaining and self._given[at].has_effect:
                raise Unfit(f"the argument that goes may have an effect: {self._given[at].text[:40]}", is_unsure=True)
        if self._extra and not any(slot.item.sign == _MAPPING for slot in self._change.slots):
            raise Unfit(f"the call passes {self._given[self._extra[0]].name}, which is no parameter any more")
