"""The words by which other files may import a file, and the texts that do."""

import re
from collections.abc import Mapping

import pytest

from bearings.code.resolve.demand.specifiers import patterns_of, specifiers_of

TSCONFIG = b'{"compilerOptions": {"paths": {"$app": ["./src/app"], /* none */ "$other": ["./x"]}}}'
VITE = b"export default { resolve: { alias: { '#state': fromHere('./src/app.ts'), } } }"
RENAMED = b'{"dependencies": {"inn": "npm:@shop/ui@1"}}'
PACKAGE = b'{"name": "@shop/ui", "exports": {"./button": {"import": "./src/push.ts"}}}'


def imports(path: str, text: str, manifests: Mapping[str, bytes]) -> bool:
    """Whether the text is one of those that may import the file."""
    return any(
        word in text and re.search(pattern, text.encode()) is not None
        for word, pattern in specifiers_of(path, manifests)
    )


@pytest.mark.parametrize(
    ("path", "text", "manifests"),
    [
        ("src/cart.ts", "import Cart from './cart'", {}),
        ("src/cart.ts", 'require("../src/cart.js")', {}),
        ("src/cart/index.ts", "import Cart from '@/cart'", {}),
        ("src/cart/index.ts", "import Cart from '../cart/'", {}),
        ("src/cart/index.ts", "import Cart from '.'", {}),
        ("lib.js", "require('..')", {"package.json": b'{"main": "lib.js"}'}),
        ("ui/src/index.ts", "import Ui from '@shop/ui'", {"ui/package.json": PACKAGE}),
        ("ui/src/push.ts", "import Push from '@shop/ui/button'", {"ui/package.json": PACKAGE}),
        ("src/app.ts", "import app from '$app'", {"tsconfig.json": TSCONFIG}),
        ("src/app.ts", "import app from '#state'", {"vite.config.ts": VITE}),
        ("ui/src/index.ts", "import Ui from 'inn'", {"package.json": RENAMED, "ui/package.json": PACKAGE}),
    ],
)  # fmt: skip
def test_these_may_import_it(path: str, text: str, manifests: dict[str, bytes]) -> None:
    assert imports(path, text, manifests)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("src/cart.ts", "const cart = load(cart)"),
        ("src/cart.ts", "import { total } from './cart/total'"),
        ("src/app.ts", "import other from '$other'"),
        ("src/app.ts", "import some from '.'"),
    ],
)
def test_these_do_not(path: str, text: str) -> None:
    assert not imports(path, text, {"tsconfig.json": TSCONFIG})


@pytest.mark.parametrize(
    "text",
    [
        "import(`./locale-${lang}.ts`)",
        "import (`../${name}`)",
        "require(`./${name}`)",
        "import(/* one\n * two */ /**/ `@/src/${name}.ts`)",
    ],
)
def test_these_may_import_it_among_others(text: str) -> None:
    patterns = [pattern for _, pattern in patterns_of("src/locale-de.ts")]
    assert any(re.search(pattern, text.encode()) for pattern in patterns)


@pytest.mark.slow
@pytest.mark.parametrize("text", ["import(" + "/**/ " * 10_000, "import(/*" * 20_000, "import(/*import(/**/" * 10_000])
def test_comments_before_a_specifier_are_read_in_linear_time(text: str) -> None:
    assert not any(re.search(pattern, text.encode()) for _, pattern in patterns_of("src/locale-de.ts"))
