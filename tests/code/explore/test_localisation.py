"""A symptom in plain words leads to the function to change, with the lines that hold its words."""

from pathlib import Path

import pytest

from bearings.code.questions.explore import Explore, ExploreReply
from bearings.code.service import CodeService
from tests.code.in_process import InProcessEngine, MemoryFacts
from tests.code.trees import write

pytestmark = pytest.mark.anyio

_FILLER = "".join(f"    step_{n} = prepare({n})\n" for n in range(40))
TREE = {
    "ferry/mail.py": (
        "def send_receipt(booking):\n"
        f"{_FILLER}"
        "    subject = 'Your receipt'\n"
        "    # Without a language the receipt is written in English.\n"
        "    text = translated(booking.language, subject)\n"
        "    return text\n\n\n"
        "def translated(language, text):\n    return text\n"
    ),
    "ferry/everything.py": (
        "def run_all(booking):\n"
        + "".join(f"    booking.step_{n}()\n" for n in range(150))
        + "    receipt(booking)\n    language(booking)\n    partition(booking)\n"
    ),
    "ferry/seats.py": (
        "class Deck:\n    def release(self, seat):\n        self.free.add(seat)\n\n\n"
        "def cancel(booking):\n    booking.state = 'cancelled'\n    return booking.deck\n"
    ),
    "tests/test_mail.py": (
        "from ferry.mail import send_receipt\n\n\ndef test_receipt_language():\n    assert send_receipt(None)\n"
    ),
    "ferry/gate.py": (
        "class Gate:\n    def open(self, pass_):\n        if pass_.used:\n"
        "            raise ValueError(f'Pass already used: {pass_.number}')\n"
    ),
    "ferry/dock/gate.py": "class Gate:\n    def open(self, ship):\n        return ship.gates.open()\n",
    "docs/receipts.md": "The receipt is sent in the language of the booking.\n" * 3,
}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
def ferry(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("ferry").resolve() / "ferry", TREE)


async def ask(root: Path, question: str, **more: int) -> ExploreReply:
    service = CodeService(InProcessEngine(store=MemoryFacts(), max_file_bytes=1_000_000))
    reply = await service.reply_to(str(root), Explore(question=question, **more))  # type: ignore[arg-type]
    assert isinstance(reply, ExploreReply)
    return reply


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("receipts are mailed in the wrong language", "ferry/mail.py#send_receipt:1"),
        ("fix(mail): receipt ignores the booking's language\n\nSteps: book, pay.", "ferry/mail.py#send_receipt:1"),
        ("seats of a cancelled booking stay taken", "ferry/seats.py#cancel:6"),
        ("a seat is never released", "ferry/seats.py#Deck.release:2"),
    ],
)
async def test_the_function_to_change_comes_before_long_ones_tests_and_documents(ferry, question: str, first: str):
    assert (await ask(ferry, question)).elements[0].element == first


async def test_of_a_long_function_the_head_and_the_lines_with_the_words_are_shown(ferry):
    element = (await ask(ferry, "receipts are mailed in the wrong language")).elements[0]
    assert element.source_line == 0
    shown = (element.source or "").split("\n")
    assert shown[0] == "1: def send_receipt(booking):"
    assert "43: # Without a language the receipt is written in English." in shown
    assert not any("prepare" in line for line in shown)
    assert element.tests == ["tests/test_mail.py#test_receipt_language:4"]


async def test_a_word_that_only_begins_a_longer_one_counts_less(tmp_path):
    files = {"a.py": "def one():\n    return partition(1)\n", "b.py": "def two():\n    return spare.parts\n"}
    reply = await ask(write(tmp_path / "parts", files), "which part is returned")
    assert reply.elements[0].element == "b.py#two:1"


async def test_an_answer_in_words_takes_three_quarters_of_the_budget(tmp_path):
    text = "".join(f"def fetch_{n}(page):\n    return retry(page, 'fetch the page again {n}')\n" for n in range(300))
    reply = await ask(write(tmp_path / "many", {"a.py": text}), "fetch the page again", budget=4000)
    assert len(reply.safe().to_text()) <= 3000
    assert len(reply.elements) >= 6


async def test_a_quoted_text_of_the_user_interface_leads_to_the_code_that_shows_it(tmp_path: Path):
    padding = "".join(f"  step{n}();\n" for n in range(60))
    files = {
        "locales/en.json": (
            '{\n  "account": {\n    "refused": "The password is wrong or the account is locked",\n'
            '    "welcome": "Welcome to the account",\n    "other": "The password is old"\n  }\n}\n'
        ),
        "src/login.ts": (
            f'export function greet(t: Texts) {{\n  return t("account.welcome");\n}}\n'
            f'export function refuse(t: Texts) {{\n{padding}  return t("account.refused");\n}}\n'
        ),
        "src/password.ts": "export function password(account: Account) {\n  return account.locked;\n}\n",
    }
    root = write(tmp_path / "texts", files)
    reply = await ask(root, "It says the password is wrong or the account is locked, although it is right.")
    assert reply.elements[0].element == "src/login.ts#refuse:4"
    assert '65: return t("account.refused");' in (reply.elements[0].source or "").split("\n")
    other = await ask(root, "the password of an account is locked")
    assert other.elements[0].element == "src/password.ts#password:1"


async def test_a_compound_word_and_one_of_other_letters_count_in_names(tmp_path: Path):
    files = {
        "a.py": "def look(it):\n    # user_id\n    return it\n",
        "b.py": "def validate_user_id(it):\n    # user_id\n    return it\n",
        "c.py": "def messe_größe(it):\n    return it  # größe\n\n\ndef zeige(it):\n    return it  # größe\n",
    }
    root = write(tmp_path / "names", files)
    for question, first in (("where is the user_id", "validate_user_id"), ("wo ist die größe", "messe_größe")):
        reply = await ask(root, question)
        assert first in reply.elements[0].element


async def test_overloads_and_copies_come_after_other_functions(tmp_path: Path):
    upload = (
        "export function upload(file: Blob) {\n  // resume a stalled upload\n  return resume(file, 'stalled');\n}\n"
    )
    files = {
        "src/send.ts": upload,
        "old_build/send.ts": upload,
        "src/queue.ts": "export function requeue(job: Job) {\n  return job.stalled ? resume(job.upload) : job;\n}\n",
    }
    reply = await ask(write(tmp_path / "copies", files), "a stalled upload does not resume")
    assert [one.element.partition("#")[2] for one in reply.elements] == ["upload:1", "requeue:1", "upload:1"]


async def test_a_line_of_code_counts_more_than_a_comment(tmp_path: Path):
    files = {
        "a.py": "def draw(it):\n    # shadow\n    return it.paint()\n",
        "b.py": "def fill(it):\n    it.shadow()\n    return it.paint()\n",
    }
    reply = await ask(write(tmp_path / "comments", files), "why is the shadow missing")
    assert [one.element for one in reply.elements[:2]] == ["b.py#fill:1", "a.py#draw:1"]


@pytest.mark.parametrize(
    "question",
    [
        'A traveller sees "Pass already used: 4711" at the gate',
        "Pass already used: 4711",
        "why does the gate say `ValueError: Pass already used: 4711 (today)`",
    ],
)
async def test_a_message_with_its_values_leads_to_the_line_that_makes_it(ferry, question: str):
    reply = await ask(ferry, question)
    assert reply.elements[0].element == "ferry/gate.py#Gate.open:2"
    assert "«Pass already used»" in reply.understood_as


async def test_the_words_of_a_quotation_that_is_nowhere_are_looked_for(ferry):
    reply = await ask(ferry, 'it says "the receipt has another language" in the mail')
    assert reply.elements[0].element == "ferry/mail.py#send_receipt:1"
    assert "the receipt has another language" not in reply.understood_as


@pytest.mark.parametrize("file", ["ferry/gate.py", "ferry/dock/gate.py"])
async def test_an_element_that_is_named_beside_its_file_comes_first(ferry, file: str):
    reply = await ask(ferry, f"which passes does Gate of {file} check before it lets a ship pass?")
    assert reply.elements[0].element.startswith(f"{file}#Gate:")
