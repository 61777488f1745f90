"""The code wing without a worker: a command of a test costs no process of its own."""

from bearings.caller import Roots
from bearings.cli.wiring import WIRING, Need, Wing, settings_of
from bearings.code.facts.store import SqliteFacts
from bearings.code.service import CodeService
from bearings.code.settings import CodeSettings
from bearings.code.tools import CodeTools
from tests.code.in_process import InProcessEngine


def code_wing(roots: Roots, need: Need = WIRING.need) -> Wing:
    """As `bearings.cli.wiring.code_wing`, over an engine in this process."""
    settings = settings_of(CodeSettings)
    engine = InProcessEngine(store=SqliteFacts(settings.cache_path()), max_file_bytes=settings.max_file_bytes)
    service = CodeService(engine, roots, settings.fleet)
    return Wing(CodeTools(service).tools(need.only), service.aclose)
