"""Asks Nominatim's library what standard input holds; runs in Nominatim's own environment, in its project's folder.

Reads JSON: {"search": [query…], "reverse": [[lat, lon]…], "rounds": n}. Writes the seconds of each call, by round.
"""

import json
import sys
import time
from pathlib import Path

import nominatim_api as api  # type: ignore[import-not-found]

asked = json.loads(Path(sys.argv[1]).read_text("utf-8"))
locales = api.Locales()
taken = {"search": [], "reverse": []}
with api.NominatimAPI(".") as nominatim:

    def search(query):
        found = nominatim.search(query, address_details=True, max_results=1)
        found.localize(locales) if hasattr(found, "localize") else locales.localize_results(found)
        return [one.display_name for one in found]

    def reverse(point):
        found = nominatim.reverse((point[1], point[0]), address_details=True)
        if found is not None:
            locales.localize(found.address_rows) if found.address_rows else None
        return found and found.address_rows

    for run, questions in ((search, asked["search"]), (reverse, asked["reverse"])):
        for question in questions[:20]:
            run(question)
        for _ in range(asked["rounds"]):
            times = []
            for question in questions:
                began = time.perf_counter()
                run(question)
                times.append(time.perf_counter() - began)
            taken[run.__name__].append(times)
json.dump(taken, sys.stdout)
