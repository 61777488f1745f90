"""The sites that may use an element: a few beside its users, the others behind the cursor."""

from pathlib import Path

import pytest

from bearings.code.service import CodeService
from tests.code.asked import query
from tests.code.trees import write


@pytest.fixture
def project(tmp_path: Path) -> Path:
    far = "".join(f"def f{number}(it):\n    it.create()\n" for number in range(12))
    files = {
        "shop.py": "class Shop:\n    def create(self): ...\n",
        "a_far.py": far,
        "use.py": "from shop import Shop\n\nShop().create()\n\ndef near(it):\n    it.create()\n",
    }
    return write(tmp_path.resolve() / "project", files)


@pytest.mark.anyio
async def test_few_sites_stand_beside_the_users_and_the_cursor_leads_to_all(service: CodeService, project: Path):
    first = await query(service, project, query_type="calls-me", element="Shop.create")
    assert [(one.file, one.line) for one in first.results] == [("use.py", 3)]
    assert first.unresolved.unresolved == 13
    assert [(one.file, one.line) for one in first.unresolved.sites[:1]] == [("use.py", 6)]
    assert (len(first.unresolved.sites), first.omitted) == (5, 8)
    rest = await query(service, project, query_type="calls-me", element="Shop.create", cursor=first.next_cursor)
    assert (len(rest.unresolved.sites), rest.next_cursor) == (8, None)
