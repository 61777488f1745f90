"""The set-up files that a test runner loads, according to its configuration, and the command that runs tests."""

import pytest

from bearings.code.languages.csharp.visitor import test_command as csharp_command
from bearings.code.languages.ecmascript.running import loading
from bearings.code.languages.php.visitor import test_command as php_command

MANIFESTS = {
    "jest.config.js": b"module.exports = { setupFiles: ['./test/setup.ts', '<rootDir>/env'] }",
    "web/vitest.config.ts": b"export default { test: { globalSetup: '../shared/start.ts' } }",
}


@pytest.mark.parametrize(
    ("path", "start"),
    [
        ("test/setup.ts", "(?!cypress/)"), ("env.js", "(?!cypress/)"), ("shared/start.ts", "web/(?!cypress/)"),
        ("test.ts", ""), ("setup.ts", ""), ("web/test/setup.ts", ""), ("test/setup.tsx.snap", ""),
        ("web/cypress/support/e2e.ts", "web/cypress/"),
    ],
)  # fmt: skip
def test_a_set_up_file_is_loaded_for_the_tests_of_its_configuration(path: str, start: str):
    assert loading(path, MANIFESTS) == start


def test_test_classes_of_csharp_are_chosen_by_their_files() -> None:
    files = ["tests/CartTests.cs", "tests/CartTests.Part.cs", "tests/ShopTests.cs"]
    expected = "dotnet test --filter 'FullyQualifiedName~CartTests|FullyQualifiedName~ShopTests'"
    assert csharp_command(files, {}) == expected


@pytest.mark.parametrize(
    ("files", "manifest", "expected"),
    [
        (["tests/CartTest.php"], b"{}", "vendor/bin/phpunit tests/CartTest.php"),
        (["tests/CartTest.php", "t/ShopTest.php"], b"{}", "vendor/bin/phpunit --filter '(CartTest|ShopTest)::'"),
        (
            ["tests/A.php", "tests/B.php"],
            b'{"require-dev": {"pestphp/pest": "^3"}}',
            "vendor/bin/pest tests/A.php tests/B.php",
        ),
    ],
)
def test_tests_of_php_are_run_by_the_runner_that_the_project_requires(
    files: list[str], manifest: bytes, expected: str
) -> None:
    assert php_command(files, {"composer.json": manifest}) == expected
