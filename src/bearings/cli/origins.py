"""Every variable that is read, its value in effect, and where that comes from."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import SecretStr, ValidationError
from pydantic.fields import FieldInfo

from bearings.cli.wiring import variable
from bearings.settings import EnvSettings, ServeSettings

_HIDDEN = "set, not shown"


@dataclass(frozen=True, slots=True)
class Setting:
    """A variable; `origin` is env, .env or default."""

    variable: str
    value: str
    origin: str
    description: str


def settings_classes() -> tuple[type[EnvSettings], ...]:
    """Every class of settings that there is."""
    from bearings.code.settings import CodeSettings
    from bearings.places.nominatim.settings import NominatimSettings
    from bearings.places.settings import PlacesSettings

    return (ServeSettings, PlacesSettings, NominatimSettings, CodeSettings)


def settings_in_effect() -> tuple[Setting, ...]:
    """All settings, in the order of their classes. A value that is refused is shown as it was given."""
    environment = {name.upper(): value for name, value in os.environ.items() if value}
    dotenv = _dotenv()
    return tuple(
        _setting(kind, name, field, environment, dotenv)
        for kind in settings_classes()
        for name, field in kind.model_fields.items()
    )


def _setting(
    kind: type[EnvSettings], name: str, field: FieldInfo, environment: Mapping[str, str], dotenv: Mapping[str, str]
) -> Setting:
    key = variable(kind, name)
    origin = "env" if key in environment else ".env" if key in dotenv else "default"
    given = environment.get(key) or dotenv.get(key)
    if field.annotation in (SecretStr, SecretStr | None) or key.endswith("EMAIL"):
        value = _HIDDEN if given else ""
    else:
        value = given or _default(kind, name)
    return Setting(key, value, origin, field.description or "")


def _default(kind: type[EnvSettings], name: str) -> str:
    try:
        value = getattr(kind(), name)
    except ValidationError:  # another setting is refused, and doctor says so
        value = kind.model_fields[name].get_default(call_default_factory=False)
    return "" if value is None else str(value)


def _dotenv() -> dict[str, str]:
    from dotenv import dotenv_values

    path = Path(".env")
    found = dotenv_values(path, encoding="utf-8") if path.is_file() else {}
    return {name.upper(): value for name, value in found.items() if value}
