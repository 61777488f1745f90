"""Run a module with the SDK's deprecation warnings as errors.

`-W` and PYTHONWARNINGS are read before site-packages can be imported, so they cannot name a class of the SDK's.

python -m tests.serving.strictly MODULE [ARGUMENT…]
"""

import runpy
import sys
import warnings

from mcp.shared.exceptions import MCPDeprecationWarning

if __name__ == "__main__":
    warnings.simplefilter("error", MCPDeprecationWarning)
    del sys.argv[0]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
