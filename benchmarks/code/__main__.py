"""`python -m benchmarks.code WHAT ROOT …`: a contender's own process.

It says "ready" when everything is imported, begins when it is sent a line, says "done", and prints what it measured as
JSON.
"""

import json
import os
import sys
from pathlib import Path

from benchmarks.code.contenders import WHATS

measure = WHATS[sys.argv[1]](Path(sys.argv[2]), *sys.argv[3:])
print("ready", flush=True)
sys.stdin.readline()
measured = measure()
print("done", flush=True)
print(json.dumps({name: value() if callable(value) else value for name, value in measured.items()}), flush=True)
os._exit(0)  # pools and helpers end with it
