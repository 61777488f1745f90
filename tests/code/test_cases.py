import pytest

from tests.code.cases import Case, cases, listing


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_the_sources_give_what_the_case_lists(case: Case, caplog: pytest.LogCaptureFixture) -> None:
    assert case.files
    assert case.expected
    found = listing(case.files)
    assert {name: found[name] for name in case.expected} == {
        name: lines if name == "symbols" else sorted(lines) for name, lines in case.expected.items()
    }
    assert not caplog.messages  # no file is given up
