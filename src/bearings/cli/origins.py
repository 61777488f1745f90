"""Every variable that is read, its value in effect, and where that comes from."""

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import SecretStr, ValidationError
from pydantic.fields import FieldInfo

from bearings.settings import EnvSettings, ServeSettings, environment, file_values

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
    given, dotenv = environment(), file_values()
    return tuple(
        _setting(kind, name, field, given, dotenv)
        for kind in settings_classes()
        for name, field in kind.model_fields.items()
    )


def _setting(
    kind: type[EnvSettings], name: str, field: FieldInfo, given: Mapping[str, str], dotenv: Mapping[str, str]
) -> Setting:
    key = kind.variable(name)
    origin = "env" if key in given else ".env" if key in dotenv else "default"
    said = given.get(key) or dotenv.get(key)
    if field.annotation in (SecretStr, SecretStr | None) or key.endswith("EMAIL"):
        value = _HIDDEN if said else ""
    else:
        value = said or _default(kind, name)
    return Setting(key, value, origin, field.description or "")


def _default(kind: type[EnvSettings], name: str) -> str:
    try:
        value = getattr(kind(), name)
    except ValidationError:  # another setting is refused, and doctor says so
        value = kind.model_fields[name].get_default(call_default_factory=False)
    return "" if value is None else str(value)
