"""The packages that edges are scored on, by name and version.

Those of `holdout` stay unread: who looks at a miss in one moves it to `dev`, and a new one takes its place. Its
packages and their environments are fixed before any score of theirs is seen. An environment is what the package
declares: its dependencies and peers, and Node's types where it runs there or asks for them; where no tsconfig.json is
published, the checker's own options, with the paths by which its sources name each other.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

BEFORE = "2026-11-21"
"""Dependencies are those that the registry had by that day."""

DEV, HOLDOUT = "dev", "holdout"


@dataclass(frozen=True, slots=True)
class Package:
    """One project, made of published sources; npm's unless `python`."""

    label: str
    set: str
    parts: Mapping[str, str]
    """Folder in the project → package and version; `git+URL#COMMIT` where what is published has no sources."""
    keep: tuple[str, ...] = ("src",)
    """Folders of each part to keep, besides package.json and tsconfig*.json; all if empty."""
    needs: tuple[str, ...] = ()
    """Packages that its types need and it does not ask for itself."""
    files: Mapping[str, str] = field(default_factory=dict)
    """Files that its repository has and its package has not."""
    python: bool = False


def _npm(
    kind: str, spec: str, *keep: str, needs: tuple[str, ...] = (), tsconfig: Mapping[str, object] | None = None
) -> Package:
    files = {} if tsconfig is None else {"tsconfig.json": json.dumps({"compilerOptions": tsconfig})}
    return Package(spec.rpartition("@")[0], kind, {".": spec}, keep or ("src",), needs, files)


def _git(kind: str, url: str, commit: str, *keep: str, needs: tuple[str, ...], files: Mapping[str, str]) -> Package:
    return Package(url.rpartition("/")[2], kind, {".": f"git+{url}#{commit}"}, keep, needs, files)


def _pypi(kind: str, spec: str) -> Package:
    return Package(spec.partition("==")[0], kind, {".": spec}, (), (), {}, python=True)


_NODE = "@types/node@22.19.0"
_REACT = ("@types/react@18.3.23", "@types/react-dom@18.3.7")
_ADMIN = ("ra-core@5.15.4", "@mui/material@7.3.5", "@mui/icons-material@7.3.5", "react-router@7.9.6")
_DECORATED = {"experimentalDecorators": True, "emitDecoratorMetadata": True}
_NODENEXT = {"module": "nodenext", "moduleResolution": "nodenext", "strict": True}
_BUNDLER = {"module": "esnext", "moduleResolution": "bundler", "target": "esnext", "jsx": "react-jsx", "strict": True}

_TANSTACK = {
    f"packages/{name}": f"@tanstack/{name}@5.104.4"
    for name in ("query-core", "react-query", "query-persist-client-core", "react-query-persist-client")
}
_LEXICAL = {
    "packages/lexical": "lexical@0.52.0",
    **{
        f"packages/lexical-{name}": f"@lexical/{name}@0.52.0"
        for name in (
            "react utils selection list link rich-text table markdown history clipboard html code-core text".split()
        )
    },
}
_TOOLKIT = ("react", "query", "query/react")
_PROSEMIRROR = {
    "packages/model": "prosemirror-model@1.25.13",
    "packages/state": "prosemirror-state@1.4.4",
    "packages/transform": "prosemirror-transform@1.12.6",
    "packages/commands": "prosemirror-commands@1.7.2",
}

_LUMINO = {
    f"packages/{name}": f"@lumino/{name}@{version}"
    for name, version in (
        ("algorithm", "2.0.5"),
        ("collections", "2.0.5"),
        ("commands", "2.3.4"),
        ("coreutils", "2.2.3"),
        ("disposable", "2.1.6"),
        ("domutils", "2.0.5"),
        ("dragdrop", "2.1.9"),
        ("keyboard", "2.0.5"),
        ("messaging", "2.0.5"),
        ("properties", "2.0.5"),
        ("signaling", "2.1.6"),
        ("virtualdom", "2.0.5"),
        ("widgets", "2.10.0"),
    )
}

APPLICATIONS = (
    _npm(DEV, "@theia/filesystem@1.75.0", needs=(_NODE, *_REACT), tsconfig={**_BUNDLER, **_DECORATED}),
    _npm(DEV, "tldraw@5.1.1", needs=_REACT, tsconfig=_BUNDLER),
    _npm(HOLDOUT, "ra-ui-materialui@5.15.4", needs=(*_REACT, *_ADMIN), tsconfig=_BUNDLER),
    _npm(HOLDOUT, "@refinedev/core@5.0.12", needs=(*_REACT, _NODE), tsconfig=_BUNDLER),
    _pypi(DEV, "datasette==0.65.5"),
    _pypi(DEV, "jupyterhub==6.1.1"),
    _pypi(HOLDOUT, "flower==2.2.0"),
    _pypi(HOLDOUT, "isso==0.14.0"),
    _npm(HOLDOUT, "@jupyterlab/cells@4.6.6", needs=(_NODE, *_REACT), tsconfig=_BUNDLER),
    _npm(HOLDOUT, "@jupyterlab/notebook@4.6.6", needs=(_NODE, *_REACT), tsconfig=_BUNDLER),
    _pypi(HOLDOUT, "ihatemoney==7.2.1"),
    _pypi(HOLDOUT, "gallery-dl==1.32.18"),
    _npm(DEV, "ra-core@5.15.4", needs=(*_REACT, _NODE, "react-router@7.9.6"), tsconfig=_BUNDLER),
    _npm(DEV, "@refinedev/antd@6.0.3", needs=(*_REACT, _NODE), tsconfig=_BUNDLER),
    _npm(DEV, "ra-no-code@5.15.3", needs=(*_REACT, _NODE, *_ADMIN, "ra-ui-materialui@5.15.4"), tsconfig=_BUNDLER),
    _npm(HOLDOUT, "@blueprintjs/table@6.2.6", needs=_REACT, tsconfig=_BUNDLER),
    _npm(HOLDOUT, "@refinedev/mui@8.0.2", needs=(*_REACT, _NODE), tsconfig=_BUNDLER),
)
"""Applications, and large parts of them that are published with their sources. `random.Random(20261124)` drew the sets
before anything was measured, `random.Random(20261129)` four more, and `random.Random(20261130)` the last two of the
holdout, of eight parts of user interfaces with React."""

FRAMEWORKS = (
    _git(
        DEV,
        "https://github.com/honojs/hono",
        "28a9c128912de19f3fb28b00ae289c9b93f6f392",
        "src",
        needs=(_NODE, "bun-types@1.3.3", "zod@3.25.76"),
        files={
            "package.json": json.dumps({"name": "hono"}),
            "tsconfig.json": json.dumps(
                {"compilerOptions": {**_BUNDLER, "jsx": "preserve", "types": ["node", "bun-types"]}}
            ),
        },
    ),
    _git(
        DEV,
        "https://github.com/h3js/h3",
        "ac609aae8fa93947b564de55e2d1a6bec5ad18ad",
        "src",
        "test",
        "package.json",
        "tsconfig.json",
        needs=(_NODE, "cookie-es@2.0.0", "rou3@0.6.3", "srvx@0.4.0", "zod@3.25.76"),
        files={},
    ),
    _git(
        DEV,
        "https://github.com/ardatan/feTS",
        "5547cd5af9b7abc716b77c4483ff2d0d7a51ee96",
        "packages/fets",
        "tsconfig.json",
        needs=(_NODE, "fets@0.8.12", "@types/jest@30.0.0", "zod@3.25.76"),
        files={"package.json": json.dumps({"private": True, "workspaces": ["packages/*"]})},
    ),
    _git(
        HOLDOUT,
        "https://github.com/elysiajs/elysia",
        "8358ff9efbcedf9534995f5977f26b9ceab59329",
        "src",
        "test",
        "package.json",
        needs=(_NODE, "elysia@1.4.30", "bun-types@1.3.5", "@sinclair/typebox@0.34.41", "zod@4.1.12"),
        files={"tsconfig.json": json.dumps({"compilerOptions": {**_BUNDLER, "types": ["node", "bun-types"]}})},
    ),
    _git(
        DEV,
        "https://github.com/kwhitley/itty-router",
        "14da49bb419c535d3464d848ba99de5009a1d1b0",
        "src",
        "test",
        "package.json",
        needs=(_NODE, "@cloudflare/workers-types@4.20240312.0", "vitest@1.6.1"),
        files={"tsconfig.json": json.dumps({"compilerOptions": {**_BUNDLER, "types": ["node"]}})},
    ),
    _git(
        HOLDOUT,
        "https://github.com/lukeed/worktop",
        "e3a44ba8cd34d7fa6849f98d4fb8dae37afdb404",
        "src",
        "types",
        "examples/workers",
        "package.json",
        "tsconfig.json",
        needs=("@types/node@16.7.10", "regexparam@2.0.0", "uvu@0.5.1", "is-uuid@1.0.2"),
        files={},
    ),
)
"""Frameworks of the web that are called with functions, and their tests, which are as applications write them. The
holdout was drawn by `random.Random(20261130)` of elysia, fets, itty-router and oak; elysia took the place of fets when
its misses had been read, and those of itty-router, whose place worktop took: the first that `random.Random(53)` drew
of marble, rou3, srvx, tinyhttp, ts-rest and worktop."""

PACKAGES = (
    _npm(DEV, "zod@4.6.7", tsconfig={**_NODENEXT, "customConditions": ["@zod/source"]}),
    _npm(DEV, "rxjs@7.8.2", needs=(_NODE,)),
    _npm(
        DEV,
        "@reduxjs/toolkit@2.14.0",
        needs=(_NODE, *_REACT),
        tsconfig={
            **_BUNDLER,
            "paths": {
                "@reduxjs/toolkit": ["./src/index.ts"],
                **{f"@reduxjs/toolkit/{part}": [f"./src/{part}/index.ts"] for part in _TOOLKIT},
            },
        },
    ),
    _npm(DEV, "@blueprintjs/core@6.20.0", needs=_REACT),
    Package(
        "@tanstack (workspace)",
        DEV,
        _TANSTACK,
        needs=_REACT,
        files={
            "package.json": json.dumps({"private": True, "workspaces": ["packages/*"]}),
            "tsconfig.json": json.dumps(
                {"compilerOptions": {**_BUNDLER, "customConditions": ["@tanstack/custom-condition"]}}
            ),
        },
    ),
    _npm(DEV, "express@5.3.0", "lib", "index.js", needs=(_NODE,)),
    _npm(DEV, "fastify@5.12.8", "lib", "test", "fastify.js", "docs", needs=(_NODE,)),
    _npm(DEV, "immer@11.2.10", tsconfig=_BUNDLER),
    _npm(DEV, "ajv@8.20.0", "lib", needs=(_NODE,), tsconfig=_NODENEXT),
    _npm(DEV, "chevrotain@13.2.0", needs=(_NODE,), tsconfig=_NODENEXT),
    _npm(DEV, "msw@3.0.5", needs=(_NODE,)),
    _npm(DEV, "@blocknote/core@0.55.0", needs=_REACT, tsconfig=_BUNDLER),
    Package(
        "prosemirror (workspace)",
        DEV,
        _PROSEMIRROR,
        files={
            "package.json": json.dumps({"private": True, "workspaces": ["packages/*"]}),
            "tsconfig.json": json.dumps(
                {"compilerOptions": {**_BUNDLER, "paths": {"prosemirror-*": ["./packages/*/src/index.ts"]}}}
            ),
        },
    ),
    _npm(DEV, "preact@11.2.0"),
    _npm(DEV, "yjs@13.6.33"),
    _npm(DEV, "koa@3.3.0", "lib", needs=(_NODE,)),
    _npm(DEV, "ws@8.23.0", "lib", "index.js", needs=(_NODE,)),
    _npm(DEV, "pino@10.4.0", "lib", "pino.js", "test", needs=(_NODE,)),
    _npm(DEV, "mocha@12.0.3", "lib", "index.js", "bin", needs=(_NODE,)),
    _npm(DEV, "winston@3.19.0", "lib", needs=(_NODE,)),
    _npm(DEV, "@hapi/hapi@21.4.10", "lib", needs=(_NODE,)),
    _npm(DEV, "knex@3.3.0", "lib", "knex.js", needs=(_NODE,)),
    _npm(DEV, "mongoose@9.12.1", "lib", "index.js", needs=(_NODE,)),
    _npm(DEV, "eslint@10.15.0", "lib", "bin", "conf", needs=(_NODE,)),
    _npm(DEV, "@trpc/server@11.25.2", needs=(_NODE,)),
    _npm(DEV, "prosemirror-view@1.42.9"),
    _npm(
        DEV,
        "@tiptap/core@3.34.0",
        needs=("@tiptap/pm@3.34.0",),
        tsconfig={**_BUNDLER, "paths": {"@tiptap/core": ["./src/index.ts"]}},
    ),
    _npm(DEV, "mobx@7.1.3"),
    Package(
        "lexical (paths)",
        DEV,
        _LEXICAL,
        needs=_REACT,
        files={
            "package.json": json.dumps({"private": True, "workspaces": ["packages/*"]}),
            "tsconfig.json": json.dumps(
                {
                    "compilerOptions": {
                        **_BUNDLER,
                        "baseUrl": ".",
                        "paths": {
                            "lexical": ["packages/lexical/src/index.ts"],
                            "@lexical/react/*": ["packages/lexical-react/src/*"],
                            "@lexical/*": ["packages/lexical-*/src/index.ts"],
                            "shared/*": ["packages/shared/src/*"],
                        },
                    }
                }
            ),
        },
    ),
    _npm(DEV, "undici@8.12.4", "lib", "index.js", needs=(_NODE,)),
    _npm(DEV, "axios@1.21.1", "lib", "index.js", needs=(_NODE,)),
    _pypi(DEV, "flask==3.1.2"),
    _pypi(DEV, "click==8.3.0"),
    _pypi(DEV, "httpx==0.28.1"),
    _pypi(DEV, "jinja2==3.1.6"),
    _pypi(DEV, "pytest==9.2.0"),
    _pypi(DEV, "black==26.10.1"),
    _pypi(DEV, "aiohttp==3.14.5"),
    _pypi(DEV, "pydantic==1.10.27"),
    _pypi(DEV, "poetry-core==2.5.0"),
    _pypi(DEV, "werkzeug==3.1.3"),
    _pypi(DEV, "rich==14.2.0"),
    _pypi(DEV, "starlette==0.48.0"),
    _pypi(DEV, "requests==2.34.2"),
    _pypi(DEV, "urllib3==2.8.0"),
    _npm(
        DEV,
        "@xterm/xterm@6.0.0",
        "src",
        "typings",
        needs=(_NODE, "@types/trusted-types@1.0.6"),
        tsconfig={
            **_BUNDLER,
            "experimentalDecorators": True,
            "baseUrl": "src",
            "paths": {
                **{f"{part}/*": [f"./{part}/*"] for part in ("browser", "common", "vs")},
                "@xterm/xterm": ["../typings/xterm.d.ts"],
            },
        },
    ),
    Package(
        "@lumino (workspace)",
        DEV,
        _LUMINO,
        files={
            "package.json": json.dumps({"private": True, "workspaces": ["packages/*"]}),
            "tsconfig.json": json.dumps(
                {"compilerOptions": {**_BUNDLER, "paths": {"@lumino/*": ["./packages/*/src/index.ts"]}}}
            ),
        },
    ),
    _npm(DEV, "langium@4.4.0", needs=(_NODE,)),
    _npm(DEV, "ethers@6.17.0", "src.ts"),
    _npm(DEV, "@noble/curves@2.4.0", needs=(_NODE,)),
    _npm(DEV, "@apollo/server@5.5.1", needs=(_NODE, "graphql@16.11.0")),
    _npm(HOLDOUT, "discord.js@14.28.1", needs=(_NODE,)),
    _npm(DEV, "objection@3.1.5", "lib", needs=(_NODE, "knex@3.3.0")),
    _npm(DEV, "ramda@0.32.0", "es"),
    _npm(DEV, "maplibre-gl@6.17.0", needs=(_NODE,), tsconfig=_BUNDLER),
    _npm(DEV, "fabric@7.4.0", needs=(_NODE, "@types/jsdom@21.1.7")),
    _npm(DEV, "@deck.gl/core@9.4.0", needs=(_NODE,), tsconfig=_BUNDLER),
    _npm(HOLDOUT, "graphql-request@7.4.0", needs=(_NODE, "graphql@16.11.0")),
    _npm(HOLDOUT, "leaflet@1.9.4"),
    _npm(DEV, "sprotty@1.4.0", needs=(_NODE,), tsconfig={**_BUNDLER, **_DECORATED, "jsx": "react"}),
    _npm(HOLDOUT, "@jupyterlab/observables@5.6.6", needs=(_NODE,), tsconfig=_BUNDLER),
    _npm(HOLDOUT, "@eclipse-glsp/client@2.8.0", needs=(_NODE,), tsconfig={**_BUNDLER, **_DECORATED, "jsx": "react"}),
    _npm(DEV, "matrix-js-sdk@43.0.0", needs=(_NODE,), tsconfig={**_BUNDLER, "allowImportingTsExtensions": True}),
    _npm(HOLDOUT, "@jupyterlab/services@7.6.6", needs=(_NODE,), tsconfig=_BUNDLER),
    _npm(DEV, "@theia/core@1.75.0", needs=(_NODE, *_REACT), tsconfig={**_BUNDLER, **_DECORATED}),
    _npm(HOLDOUT, "@theia/messages@1.74.1", needs=(_NODE, *_REACT), tsconfig={**_BUNDLER, **_DECORATED}),
    _pypi(DEV, "mkdocs==1.6.1"),
    _pypi(HOLDOUT, "marshmallow==4.4.0"),
    _pypi(HOLDOUT, "arrow==1.4.0"),
    _pypi(DEV, "pelican==4.12.0"),
    _pypi(HOLDOUT, "nox==2026.10.20"),
    _pypi(DEV, "httpcore==1.0.9"),
    _pypi(HOLDOUT, "cattrs==26.2.1"),
    _npm(DEV, "@tanstack/table-core@8.21.3", tsconfig=_BUNDLER),
    _npm(HOLDOUT, "@hocuspocus/server@4.7.0", needs=(_NODE,), tsconfig=_BUNDLER),
    _pypi(HOLDOUT, "structlog==26.1.0"),
    _npm(HOLDOUT, "@lumino/widgets@2.10.0", tsconfig=_BUNDLER),
    _npm(HOLDOUT, "@antv/x6@3.1.8", needs=(_NODE,), tsconfig=_BUNDLER),
    _pypi(DEV, "lark==1.3.1"),
    _pypi(DEV, "toolz==1.2.0"),
    *APPLICATIONS,
    *FRAMEWORKS,
)
