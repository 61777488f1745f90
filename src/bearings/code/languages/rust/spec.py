"""The spec of Rust, a declared language."""

from posixpath import dirname, join

from bearings.code.languages.shared.declared_rules import Rules, by_declaration, environment
from bearings.code.languages.spec import LanguageSpec
from bearings.code.models import Language

_ROOTS = ("mod.rs", "lib.rs", "main.rs")
"""Files whose submodules are in the same folder; those of `x.rs` are in the folder `x`."""


def _imported(importer: str, specifier: str) -> tuple[str, ...]:
    """Return candidate paths of `mod x;` and of paths that start with `crate::`, `self::` or `super::`.

    See https://doc.rust-lang.org/reference/items/modules.html.
    """
    folder, _, name = importer.rpartition("/")
    own = folder if name in _ROOTS else join(folder, name.removesuffix(".rs"))
    head, *parts = specifier.split("::")
    if head == "crate":
        before, source, _ = f"/{folder}/".rpartition("/src/")
        own = join(before.strip("/"), "src") if source else folder
    elif head == "super":
        own = dirname(own)
        while parts and parts[0] == "super":
            own, parts = dirname(own), parts[1:]
    elif head != "self":
        parts = [head] if not parts else []
    return tuple(
        path
        for end in range(len(parts), 0, -1)
        for path in (f"{join(own, *parts[:end])}.rs", join(own, *parts[:end], "mod.rs"))
    )


SPEC = LanguageSpec(
    language=Language.RUST,
    label="Rust",
    extensions=(".rs",),
    names=("rs", "rust"),
    grammar="tree_sitter_rust:language",
    queries=("rust/symbols.scm",),
    visitor=by_declaration(Rules(public=r"^pub\b", attributes=r"#!?\[.*?\]", line_docs=("///",))),
    module_candidates=_imported,
    module_separator="::",
    is_bound=True,
    package_roots="src",
    environment=environment("env::var env::var_os env option_env", "env::set_var env::remove_var"),
    test_paths=r"(?:^|/)(?:[^/]*_)?tests?\.rs$",
)
