"""`python -m benchmarks.code WHAT ROOT …`: a contender's own process.

It says "ready" when everything is imported, begins when it is sent a line, and prints what it measured as JSON.
"""

import json
import os
import sys
from pathlib import Path

from benchmarks.code.contenders import WHATS

measure = WHATS[sys.argv[1]](Path(sys.argv[2]), *sys.argv[3:])
print("ready", flush=True)
sys.stdin.readline()
print(json.dumps(measure()), flush=True)
os._exit(0)  # pools and helpers end with it
