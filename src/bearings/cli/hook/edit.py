"""A client's payload after an edit → the edited files, and their text before the edit. No shape is trusted.

Claude Code has the former text in its result; others have the replaced texts (`old_string`, `edits`) or a patch of
`apply_patch` (Codex). The former text is then the present one with the replacements undone.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from bearings.cli.hook.payload import folder_of, mapping_in, text_in

_EDITORS = frozenset(
    {
        "apply_patch", "create", "create_file", "edit", "edit_file", "insert_edit_into_file", "multiedit",
        "multi_replace_string_in_file", "replace", "replace_string_in_file", "search_replace", "str_replace",
        "strreplace", "write", "write_file",
    }
)  # fmt: skip
_PATHS = ("file_path", "filePath", "path", "target_file")
_OLD = ("old_string", "oldString", "old_str")
_NEW = ("new_string", "newString", "new_str")
_EVERYWHERE = ("replace_all", "replaceAll", "allow_multiple")
_MOST = 20
"""The most files of a patch that are looked at."""


class Replacement(NamedTuple):
    """A text and its successor; `everywhere`: each of its places was replaced."""

    old: str
    new: str
    everywhere: bool = False


@dataclass(frozen=True, slots=True)
class Edit:
    """An edited file, by its path from `folder`. `replaced` is in order.

    `former` is the text before, None if the payload does not have it.
    """

    path: str
    folder: str
    replaced: tuple["Replacement", ...] = ()
    former: str | None = None

    def before(self, now: str, is_indexed: Callable[[str], bool], most: int) -> str | None:
        """The text before the edit; None if the present one does not tell where each replacement stands.

        A text that stands at several places may have stood at some before: then the result must be the indexed text.
        None too for more than `most` characters.
        """
        if self.former is not None or not self.replaced:
            return self.former
        is_sure = True
        for old, new, everywhere in reversed(self.replaced):
            if "\r\n" in now:
                old, new = (text.replace("\r\n", "\n").replace("\n", "\r\n") for text in (old, new))
            places = now.count(new) if new else 0
            if (places != 1 and not everywhere) or not new or len(now) + places * (len(old) - len(new)) > most:
                return None
            is_sure = is_sure and places == 1
            now = now.replace(new, old)
        return now if is_sure or is_indexed(now) else None

    def touches(self, name: str) -> bool:
        """Whether a replaced text has this name; a file that was written as a whole may have had any."""
        return not self.replaced or any(name in one.old for one in self.replaced)


def edits_of(payload: Mapping[str, Any]) -> list[Edit]:
    """The files that an edit changed; none for other payloads."""
    given = mapping_in(payload, "tool_input", "toolArgs") or payload
    is_edit = text_in(payload, "tool_name", "toolName").lower() in _EDITORS
    if not is_edit and text_in(payload, "hook_event_name") != "afterFileEdit":
        return []
    folder = folder_of(payload, given)
    patch = text_in(given, "command", "input", "patch")
    if patch.lstrip().startswith("*** Begin Patch"):
        return [Edit(path, folder, tuple(replaced)) for path, replaced in _patched(patch)][:_MOST]
    edits = next((value for name in ("edits", "replacements") if isinstance(value := given.get(name), list)), [given])
    by_path: dict[str, list[Replacement]] = {}
    for edit in edits:
        if isinstance(edit, dict) and (path := text_in(edit, *_PATHS) or text_in(given, *_PATHS)):
            everywhere = any(edit.get(name) is True for name in _EVERYWHERE)
            one = Replacement(text_in(edit, *_OLD), text_in(edit, *_NEW), everywhere)
            by_path.setdefault(path, []).extend([one] if one.old or one.new else [])
    former = mapping_in(payload, "tool_response").get("originalFile")
    alone = former if isinstance(former, str) and len(by_path) == 1 else None
    return [Edit(path, folder, tuple(replaced), alone) for path, replaced in by_path.items()][:_MOST]


def _patched(patch: str) -> Iterator[tuple[str, list[Replacement]]]:
    """The changed and deleted files of a patch in Codex's format, with the replaced lines of each hunk."""
    for part in patch.split("\n*** ")[1:]:
        head, _, body = part.partition("\n")
        action, _, path = head.partition(": ")
        if action in ("Update File", "Delete File") and path.strip():
            hunks: list[list[str]] = [[]]
            for line in body.split("\n"):
                if line.startswith("@@"):
                    hunks.append([])
                elif line[:1] in (" ", "-", "+"):
                    hunks[-1].append(line)
            yield path.strip(), [Replacement(_side(hunk, " -"), _side(hunk, " +")) for hunk in hunks if hunk]


def _side(hunk: Sequence[str], signs: str) -> str:
    return "".join(f"{line[1:]}\n" for line in hunk if line[0] in signs)
