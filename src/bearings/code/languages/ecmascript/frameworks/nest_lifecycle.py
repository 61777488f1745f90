"""The methods that NestJS calls: the hooks of modules and providers, and those of what handles a request."""

from typing import Final

from bearings.code.languages.shared.lifecycles import Lifecycle

_MODULE = "@nestjs/common"
_HOOKS = {
    "OnModuleInit": "onModuleInit", "OnModuleDestroy": "onModuleDestroy",
    "OnApplicationBootstrap": "onApplicationBootstrap", "BeforeApplicationShutdown": "beforeApplicationShutdown",
    "OnApplicationShutdown": "onApplicationShutdown",
}  # fmt: skip
_HANDLERS = {
    "NestModule": "configure", "NestMiddleware": "use", "CanActivate": "canActivate", "PipeTransform": "transform",
    "NestInterceptor": "intercept", "ExceptionFilter": "catch",
}  # fmt: skip
_ALL = frozenset(_HOOKS.values())

LIFECYCLE: Final[Lifecycle] = Lifecycle(
    "NestJS",
    frozenset({_MODULE}),
    decorators={f"{_MODULE}.{name}": _ALL for name in ("Injectable", "Controller", "Module")},
    interfaces={f"{_MODULE}.{interface}": frozenset({name}) for interface, name in {**_HOOKS, **_HANDLERS}.items()},
)
