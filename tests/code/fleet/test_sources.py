"""Lists of repositories."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bearings.code.fleet.sources import MOST_BYTES, Source, read_sources, sources
from bearings.errors import InvalidInput

HERE = Path("/home/lists")

LINES = [
    ("web", Source("web", "/home/lists/web")),
    ("../web/", Source("web", "/home/web")),
    ("/srv/My Web  # the old one", Source("My-Web", "/srv/My Web")),
    ("shop = ./a = b", Source("shop", "/home/lists/a = b")),
    ("https://example.org/team/shop.git", Source("shop", "https://example.org/team/shop.git", True)),
    ("team/pay = ssh://git@h.org:22/p.git", Source("team/pay", "ssh://git@h.org:22/p.git", True)),
    ("git@h.org:team/mail.git", Source("mail", "git@h.org:team/mail.git", True)),
    ("file:///srv/a.git", Source("a", "file:///srv/a.git", True)),
    ("http://h.org/a", Source("a", "http://h.org/a", True, "is no https, ssh or file URL")),
    ("ext::sh -c id", Source("sh--c-id", "ext::sh -c id", True, "is no https, ssh or file URL")),
    ("git://h.org/a", Source("a", "git://h.org/a", True, "is no https, ssh or file URL")),
    ("ssh://-oProxyCommand=id/a", Source("a", "ssh://-oProxyCommand=id/a", True, "names no host")),
    ("file://elsewhere/a", Source("a", "file://elsewhere/a", True, "is no file URL of this machine")),
    ("https:///a", Source("a", "https:///a", True, "names no host")),
    ("https://[/a", Source("a", "https://[/a", True, "is no URL")),
    ("--upload-pack=id", Source("upload-pack-id", "--upload-pack=id", True, "begins with -")),
    ("../..", Source("repository", "/")),
    ("a\x07b", Source("a-b", "/home/lists/a\x07b", False, "has control characters")),
]


@pytest.mark.parametrize(("line", "source"), LINES, ids=[line for line, _ in LINES])
def test_a_line_names_a_repository(line: str, source: Source):
    assert sources(line, HERE) == [source]


def test_comments_and_empty_lines_name_none():
    assert sources("# all\n\n   # of them\n", HERE) == []


def test_names_are_numbered_until_they_differ():
    assert [one.name for one in sources("a\nx/a\ny/a\na-2", HERE)] == ["a", "a-2", "a-3", "a-2-2"]


def test_a_name_is_given_once():
    with pytest.raises(InvalidInput, match="line 3 has a name that is taken"):
        sources("x = a\n\nx = b\n", HERE)


@pytest.mark.parametrize("name", ["..", ".hidden", "a/../b", "/a", "-a"])
def test_a_name_leads_nowhere_else(name: str):
    (source,) = sources(f"{name} = b", HERE)
    assert source.name != name


@given(st.text(max_size=200))
def test_any_text_gives_distinct_plain_names(text: str):
    try:
        found = sources(text, HERE)
    except InvalidInput:
        return
    names = [one.name for one in found]
    assert len(set(names)) == len(names)
    assert all(name.isprintable() and ".." not in name.split("/") and "%" not in name for name in names)


def test_a_list_is_a_small_text(tmp_path: Path):
    with pytest.raises(InvalidInput, match="can't be read"):
        read_sources(tmp_path / "none")
    (tmp_path / "noise").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InvalidInput, match="no text in UTF-8"):
        read_sources(tmp_path / "noise")
    (tmp_path / "long").write_bytes(b"#" * (MOST_BYTES + 1))
    with pytest.raises(InvalidInput, match="too large"):
        read_sources(tmp_path / "long")
    (tmp_path / "repos.txt").write_text("a\n", encoding="utf-8-sig")
    assert [one.place for one in read_sources(tmp_path / "repos.txt")] == [str(tmp_path / "a")]
