"""The methods of classes that frameworks call: `AppConfig.ready`, `BaseCommand.handle`, `TestCase.setUp`."""

from bearings.code.languages.shared import lifecycles
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.lifecycles import Lifecycle

_TESTS = frozenset({"setUp", "tearDown", "setUpClass", "tearDownClass", "asyncSetUp", "asyncTearDown"})
_DJANGO_TESTS = _TESTS | {"setUpTestData"}
_RUN = frozenset({"run"})

_LIFECYCLES = (
    Lifecycle(
        "Django",
        frozenset({"django.apps", "django.core.management.base", "django.core.management", "django.test"}),
        bases={
            "django.apps.AppConfig": frozenset({"ready"}),
            "django.core.management.base.BaseCommand": frozenset({"handle", "add_arguments"}),
            "django.core.management.BaseCommand": frozenset({"handle", "add_arguments"}),
            **{f"django.test.{name}": _DJANGO_TESTS for name in ("TestCase", "TransactionTestCase", "SimpleTestCase")},
        },
    ),
    Lifecycle(
        "unittest",
        frozenset({"unittest"}),
        bases={"unittest.TestCase": _TESTS, "unittest.IsolatedAsyncioTestCase": _TESTS},
    ),
    Lifecycle("threading", frozenset({"threading"}), bases={"threading.Thread": _RUN}),
    Lifecycle("multiprocessing", frozenset({"multiprocessing"}), bases={"multiprocessing.Process": _RUN}),
)


def lifecycle_calls(builder: Builder) -> None:
    """Add the methods of classes that frameworks call."""
    lifecycles.lifecycle_calls(builder, _LIFECYCLES)
