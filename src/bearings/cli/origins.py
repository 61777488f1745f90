"""Every variable of the settings, its value in effect, and the origin of the value.

Setting("GEOCODER_RATE_LIMIT", "1.0", "default", "…")
"""

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import SecretStr, ValidationError
from pydantic.fields import FieldInfo

from bearings.cli.envfile import not_taken, settings_classes, settings_file
from bearings.envfile import EnvFile, environment
from bearings.errors import InvalidInput
from bearings.settings import EnvSettings, without_credentials

_HIDDEN = "set, not shown"


@dataclass(frozen=True, slots=True)
class Setting:
    """A variable; `origin` is env, a file's name or default; `not_taken`: why a value in `.env` is ignored."""

    variable: str
    value: str
    origin: str
    description: str
    not_taken: str = ""


def settings_in_effect() -> tuple[Setting, ...]:
    """All settings, in the order of their classes. A refused value is shown as given."""
    try:
        file = settings_file() or EnvFile("")
    except InvalidInput:  # the named file can't be read; doctor reports that
        file = EnvFile("")
    refused = not_taken(file)
    return tuple(
        _setting(kind, name, field, file, refused)
        for kind in settings_classes()
        for name, field in kind.model_fields.items()
    )


def _setting(
    kind: type[EnvSettings], name: str, field: FieldInfo, file: EnvFile, refused: Mapping[str, str]
) -> Setting:
    key = kind.variable(name)
    from_environment, from_file = environment(), kind.taken_from(file)
    origin = "env" if key in from_environment else file.name if key in from_file else "default"
    given_value = from_environment.get(key) or from_file.get(key)
    is_secret = field.annotation in (SecretStr, SecretStr | None) or key.endswith("EMAIL")
    if is_secret:
        value = _HIDDEN if given_value else ""
    else:
        value = without_credentials(given_value or _default(kind, name, file))
    return Setting(key, value, origin, field.description or "", refused.get(key, ""))


def _default(kind: type[EnvSettings], name: str, file: EnvFile) -> str:
    try:
        value = getattr(kind(_env_file=file), name)
    except ValidationError:  # another setting is refused; doctor reports that
        value = kind.model_fields[name].get_default(call_default_factory=False)
    return "" if value is None else str(value)
