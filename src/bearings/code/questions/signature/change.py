"""The change of a parameter list, and what it makes of the other lists of a family and of the arguments of calls."""

import re
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from bearings.code.languages.shared.signatures import Item, Listing, SignatureRules, Site
from bearings.code.languages.spec import LanguageSpec
from bearings.code.models import Language
from bearings.code.questions.signature.lists import Draft, Part
from bearings.code.resolve.rules.families import semantics_of
from bearings.code.syntax_trees import signatures_of
from bearings.errors import InvalidInput

LIST, MAPPING = ("*", "..."), "**"


class Unfit(Exception):
    """A list or a call can't be adapted, for the reason in its text. `is_unsure`: it may be left as it is."""

    def __init__(self, why: str, *, is_unsure: bool = False) -> None:
        super().__init__(why)
        self.is_unsure = is_unsure


class Misfit(Unfit):
    """A call does not fit the present list: it is one of something else, or fails as it is."""


class Slot(NamedTuple):
    """A parameter of the new list, and its place in the old one; None if it is added or a separator."""

    item: Item
    origin: int | None


class Change(NamedTuple):
    """The old parameters that calls pass, the new list, and the arguments that present calls get."""

    old: tuple[Item, ...]
    slots: tuple[Slot, ...]
    values: Mapping[str, str]
    spec: LanguageSpec
    rules: SignatureRules

    @property
    def by_name(self) -> bool:
        """Whether arguments may be passed by name."""
        return self.spec.keyword_arguments

    @property
    def builtins(self) -> Collection[str]:
        """The names that all files have."""
        return semantics_of(self.spec.language).builtins

    @property
    def items(self) -> list[Item]:
        """The new list."""
        return [slot.item for slot in self.slots]

    @property
    def removed(self) -> list[int]:
        """The places of the parameters that go."""
        remaining = {slot.origin for slot in self.slots}
        return [at for at, item in enumerate(self.old) if item.name and at not in remaining]

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
    def placed(self) -> list[int | None]:
        """The old places of the new parameters that can be passed by place."""
        return [self.slots[at].origin for at in placed(self.items)]

    def stays(self, at: int) -> bool:
        """Whether an argument that is passed by name, or is left out, is for the same parameter as before."""
        place = next((place for place, slot in enumerate(self.slots) if slot.origin == at), None)
        if place is None:
            return False
        old, new = self.old[at], self.slots[place].item
        is_named = new.name == old.name or not self.by_name
        is_named &= place > _last_by_place(self.items) or at <= _last_by_place(self.old)
        return is_named and not (new.is_required and not old.is_required)

    def reaches(self, bound: Collection[int | str] = (), count: int = 0, *, has_list: bool = True) -> bool:
        """Whether arguments in a mapping, or in a list behind `count` others, are for the same parameters as before.

        `bound` are parameters that the others are for.
        """
        old, new = placed(self.old), self.placed
        is_open = any(item.is_open and item.sign in LIST for item in self.old)
        is_moved = set(new[:count]) != set(old[:count]) or new[count : len(old)] != old[count:]
        if has_list and (is_moved or (is_open and len(new) > len(old))):
            return False
        return all(self.stays(at) for at, item in enumerate(self.old) if item.name and at not in bound)

    @property
    def harms_no_call(self) -> bool:
        """Whether every call that fits the old list fits the new one, and means the same."""
        return self.reaches() and not self.values and not any(item.is_required for item in self.added)

    @property
    def harms_no_value(self) -> bool:
        """Whether the same holds for calls by code that passes more arguments than a function takes, as JavaScript."""
        return self.harms_no_call and (self.by_name or len(self.placed) <= len(placed(self.old)))


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
    change = Change(old, tuple(slots), values, spec, rules)
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
    return None if items and items[-1].sign in LIST and not items[-1].name else items


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
        if item.sign in LIST and by_name:
            break
        is_optional |= bool(item.name) and not item.is_required and (by_name or item.is_optional)
        if is_optional and item.is_required and item.name:
            return True
    return False


def placed(items: Sequence[Item]) -> list[int]:
    """The places of the parameters that can be passed by place."""
    stop = next((at for at, item in enumerate(items) if item.sign in LIST or item.is_open), len(items))
    return [at for at in range(stop) if items[at].name]


def _last_by_place(items: Sequence[Item]) -> int:
    """The place behind which parameters can be passed by name."""
    return max((at for at, item in enumerate(items) if item.text == "/"), default=-1)


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


def aligned(head: Site, change: Change) -> dict[int, int]:
    """The places in the list of a function of the family for those in the old list. Raises Unfit."""
    if head.listing is None or head.is_typed:
        raise Unfit("its type is declared apart" if head.is_typed else "it has no list of parameters")
    own = head.listing.items[head.skipped :]
    places = dict(zip(placed(change.old), placed(own), strict=False))
    for at, item in enumerate(change.old):
        same = (place for place, mine in enumerate(own) if _kind(mine) == _kind(item) and place not in places.values())
        if at not in places and (place := next(same, None)) is not None:
            places[at] = place
    return places


def _kind(item: Item) -> str:
    """What makes a parameter that is not passed by place the same in two lists."""
    return item.name if item.name and not item.is_open else item.sign


def parameters_of(head: Site, change: Change) -> list[Part]:
    """The new list of a function of the family. Raises Unfit if its list does not correspond to the old one."""
    places = aligned(head, change)
    assert head.listing is not None
    own, skipped = head.listing.items[head.skipped :], head.skipped
    more = [at for at in range(len(own)) if at not in places.values()]
    _check_more([own[at] for at in more], change)
    is_partial = any(name.rpartition(".")[2] == "overload" for name in head.decorators)
    behind = _taken(own, places, change, is_partial=is_partial)
    ranks, mine, parts = _ranks(change.items), _ranks(own), list[tuple[int, Part]]()
    for number, slot in enumerate(change.slots):
        if slot.origin is None and not slot.item.name:
            at = next((at for at, item in enumerate(own) if item.sign == slot.item.sign), None)
            more = [place for place in more if place != at]
            text = slot.item.text if at is None else own[at].text
            parts.append((ranks[number], Part(None if at is None else skipped + at, text)))
        elif slot.origin is None and not (ranks[number] == 0 and number > behind):
            parts.append((ranks[number], Part(None, _declared(slot.item, head, change.rules))))
        elif slot.origin is not None and slot.origin in places:
            at, former = places[slot.origin], change.old[slot.origin]
            if slot.item.name != former.name and own[at].sign and own[at].sign not in (*LIST, MAPPING):
                raise Unfit(f"{own[at].name} declares a field, too")
            merged = slot.item if own[at].text == former.text else _merged(own[at], former, slot.item, change.rules)
            rank = mine[at] if ranks[number] == _ranks(change.old)[slot.origin] else ranks[number]
            parts.append((rank, Part(skipped + at, _declared(merged, head, change.rules))))
    parts += [(mine[at], Part(skipped + at, own[at].text)) for at in more]
    is_last = not any(rank == _BY_NAME for rank, _ in parts)
    parts = [(rank, part) for rank, part in parts if not (is_last and part.text in LIST)]
    return [
        *(Part(at, item.text) for at, item in enumerate(head.listing.items[:skipped])),
        *(part for _, part in sorted(parts, key=lambda pair: pair[0])),
    ]


_BY_NAME = 2


def _ranks(items: Sequence[Item]) -> list[int]:
    """The order of parameters: 0 by place, then a list or a separator, 2 by name alone, a mapping."""
    stop = next((at for at, item in enumerate(items) if item.sign in LIST), len(items))
    return [3 if item.sign == MAPPING else (at >= stop) + (at > stop) for at, item in enumerate(items)]


def _check_more(more: Sequence[Item], change: Change) -> None:
    """Raise Unfit for parameters of its own that the new list does not allow."""
    names = {item.name for item in change.items if item.name and not item.is_open}
    if any((item.name and item.is_required) or item.text == "/" or item.name in names for item in more):
        raise Unfit("it has parameters of its own")


def _taken(own: Sequence[Item], places: Mapping[int, int], change: Change, *, is_partial: bool) -> int:
    """The index in the new list from which `*args` of a function takes the arguments by place.

    An overload `is_partial`: it may lack parameters. Raises Unfit if a function does not take what it took.
    """
    signs, removed = {item.sign for item in own if item.is_open}, change.removed
    for at in (at for at, item in enumerate(change.old) if item.name):
        if at in places:
            mine = own[places[at]]
            if at in removed and mine.sign and mine.sign not in (*LIST, MAPPING):
                raise Unfit(f"{mine.name} declares a field, too")
            continue
        is_lacking = change.by_name and not signs and not is_partial
        is_gone = at in removed and not change.by_name
        if change.old[at].is_open or is_lacking or not (is_gone or change.stays(at)):
            raise Unfit("its parameters do not correspond")
    numbers = placed(change.items)
    first = next((at for at, one in enumerate(change.placed) if one is not None and one not in places), len(numbers))
    rest = change.placed[first:]
    is_new = change.by_name and not change.harms_no_call and None in rest
    taken = [one for one in rest if one is not None]
    if is_new or taken != sorted(taken) or any(one in places for one in taken):
        raise Unfit("its parameters do not correspond")
    return numbers[first] if first < len(numbers) else len(change.slots)


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
        self._count = 0
        self._rest: list[int] = []
        self._extra: list[int] = []
        self._has_list = any(item.sign in LIST for item in self._given)
        self._is_open = any(item.sign for item in self._given)
        self._bind()

    def parts(self) -> list[Part]:
        """The new arguments."""
        change, given = self._change, self._given
        if self._is_open and not change.reaches(self._bound, self._count, has_list=self._has_list):
            raise Unfit("it passes a list or a mapping on")
        list_, named, fillers = list[Part](), list[Part](), 0
        by_place, is_only = True, False
        last = _last_by_place(change.items)
        for number, slot in enumerate(change.slots):
            item = slot.item
            if self._has_list and by_place and len(list_) >= self._count:
                list_ += map(self._same, self._rest)
                by_place = False
            if item.sign in LIST and (item.is_open or not item.name):
                if self._rest and item.name and not by_place and not self._has_list:
                    raise Unfit("the arguments of its list have no place")
                if self._rest and item.name and by_place:
                    list_ += [Part(None, change.rules.filler)] * fillers + [self._same(at) for at in self._rest]
                by_place, is_only = by_place and not change.by_name, True
            elif item.name and not item.is_open:
                at = self._bound.get(slot.origin if slot.origin is not None else item.name)
                text = self._value(slot, at)
                if text is None:
                    by_place = by_place and bool(change.rules.filler)
                    fillers += 1
                elif by_place and not (at is not None and given[at].name) and not is_only:
                    list_ += [Part(None, change.rules.filler)] * fillers + [Part(at, text)]
                    fillers = 0
                elif number < last or not change.by_name:
                    raise Unfit(f"{item.name} can't be passed by its name")
                else:
                    by_place = False
                    is_same = at is not None and given[at].name == item.name
                    named.append(self._same(at) if is_same and at is not None else Part(at, _by_name(item.name, text)))
        if self._has_list and by_place:
            list_ += map(self._same, self._rest)
        self._check_gone(list_, named)
        named += [self._same(at) for at in self._extra]
        named.sort(key=lambda part: len(given) if part.origin is None else part.origin)
        return [*map(self._same, range(self._skipped)), *list_, *named]

    def _bind(self) -> None:
        """Tell the parameter of each argument. Raises Misfit."""
        old = self._change.old
        by_place = placed(old)
        opens = {item.sign for item in old if item.is_open}
        names = {item.name: at for at, item in enumerate(old) if item.name and not item.is_open}
        new = {item.name for item in self._change.added}
        taken = new.union(self._change.renamed.values()) - new
        for at in range(self._skipped, len(self._given)):
            given = self._given[at]
            if given.sign == MAPPING:
                self._extra.append(at)
            elif given.name:
                key: int | str | None = names.get(given.name, given.name if given.name in new else None)
                if key is None and MAPPING not in opens:
                    raise Misfit(f"the call passes {given.name}, which is no parameter")
                if key is None and given.name in taken:
                    raise Unfit(f"the call passes {given.name}, which is another parameter")
                if key is None:
                    self._extra.append(at)
                else:
                    self._bound[key] = at
            elif given.sign or self._rest:
                self._rest.append(at)
            elif self._count < len(by_place):
                self._bound[by_place[self._count]] = at
                self._count += 1
            elif opens.intersection(LIST):
                self._rest.append(at)
            else:
                raise Misfit("the call passes more than the present parameters")
        lacking = [item.name for at, item in enumerate(old) if item.name and item.is_required and at not in self._bound]
        if lacking and self._change.by_name and not self._is_open:
            raise Misfit(f"the call does not pass {lacking[0]}")

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
        if not item.is_required or (slot.origin is not None and not former and (self._is_open or not change.by_name)):
            return None
        if former and re.fullmatch(r"[-+]?[\d.]+|None|True|False|null|true|false|undefined|\"[^\"]*\"|'[^']*'", former):
            return former  # it has no default any more
        raise Unfit(f"it needs an argument for {item.name}: pass one in values")

    def _check_gone(self, placed: Sequence[Part], named: Sequence[Part]) -> None:
        """Raise Unfit for arguments that go, if they have an effect or no parameter."""
        remaining = {part.origin for part in (*placed, *named)}
        for at in (*self._bound.values(), *self._rest):
            if at not in remaining and at in self._rest:
                raise Unfit("the arguments of its list have no place")
            if at not in remaining and self._given[at].has_effect:
                raise Unfit(f"the argument that goes may have an effect: {self._given[at].text[:40]}", is_unsure=True)
        extra = [self._given[at].name for at in self._extra if self._given[at].name]
        if extra and not any(slot.item.sign == MAPPING for slot in self._change.slots):
            raise Unfit(f"the call passes {extra[0]}, which is no parameter any more")
