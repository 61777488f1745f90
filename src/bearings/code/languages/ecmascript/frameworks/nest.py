"""NestJS: its controllers, the global prefix of an application, and the methods that it calls of classes."""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace
from tree_sitter import Node

from bearings.code.framework_facts import Mount
from bearings.code.languages.ecmascript.frameworks.arguments import property_of, text_of
from bearings.code.languages.ecmascript.frameworks.controllers import Controllers
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.lifecycles import Lifecycle
from bearings.code.languages.shared.routes import ANY, METHODS, Candidate

_MODULE = "@nestjs/common"

NEST: Final[Controllers] = Controllers(
    "nest",
    module=_MODULE,
    controller="Controller",
    verbs={**{method.capitalize(): method for method in METHODS}, "All": ANY, "Sse": "GET"},
    version="Version",
)

_HOOKS = {
    "OnModuleInit": "onModuleInit", "OnModuleDestroy": "onModuleDestroy",
    "OnApplicationBootstrap": "onApplicationBootstrap", "BeforeApplicationShutdown": "beforeApplicationShutdown",
    "OnApplicationShutdown": "onApplicationShutdown",
}  # fmt: skip
_HANDLERS = {
    "NestModule": "configure", "NestMiddleware": "use", "CanActivate": "canActivate", "PipeTransform": "transform",
    "NestInterceptor": "intercept", "ExceptionFilter": "catch",
}  # fmt: skip

LIFECYCLE: Final[Lifecycle] = Lifecycle(
    "NestJS",
    frozenset({_MODULE}),
    decorators={f"{_MODULE}.{name}": frozenset(_HOOKS.values()) for name in ("Injectable", "Controller", "Module")},
    interfaces={f"{_MODULE}.{interface}": frozenset({name}) for interface, name in {**_HOOKS, **_HANDLERS}.items()},
)

_PREFIXING = "setGlobalPrefix"
_VERSIONING = "enableVersioning"
_MAKING = "NestFactory.create"
STARTING = frozenset({_PREFIXING, _VERSIONING, "create"})
"""The last part of the callee of every call that makes or configures an application."""


def applications(builder: Builder, candidates: Sequence[Candidate]) -> None:
    """Add the global prefixes that a file sets; an empty one if it makes an application and sets none."""
    calls = [call for call in candidates if call.verb in STARTING]
    mounts = [_application(builder, call.arguments()) for call in calls if call.verb == _PREFIXING]
    versions = [_version(builder, call.arguments()) for call in calls if call.verb == _VERSIONING]
    if not mounts and (versions or any(call.callee == _MAKING for call in calls)):
        mounts = [Mount("nest", "")]
    builder.mounts += [replace(mount, version=next(filter(None, versions), "")) for mount in mounts]


def _version(builder: Builder, given: Sequence[Node]) -> str:
    """Return the segment of the `defaultVersion` that `enableVersioning` sets for paths; empty for none."""
    options = given[0] if given else None
    kind, version, prefix = (property_of(options, builder, key) for key in ("type", "defaultVersion", "prefix"))
    is_in_path = kind is None or builder.text(kind).endswith(".URI")
    text = _string(builder, version) if is_in_path and prefix is None else ""
    return f"v{text}" if text else ""


def _application(builder: Builder, given: Sequence[Node]) -> Mount:
    """Return the prefix that `setGlobalPrefix("api", { exclude: ["health"] })` sets."""
    excluded = property_of(given[1], builder, "exclude") if len(given) > 1 else None
    listed = excluded.named_children if excluded is not None and excluded.type == "array" else []
    paths = tuple(text for node in listed if (text := _string(builder, node)))
    return Mount("nest", _string(builder, given[0]) if given else "", excluded=paths)


def _string(builder: Builder, node: Node | None) -> str:
    """Return the text of a string, or of the constant in which it is; empty for another expression."""
    text = text_of(builder.constants.string(node), builder)
    return "" if "${" in text else text
