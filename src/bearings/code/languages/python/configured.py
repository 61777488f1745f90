"""Specifiers of modules that configuration names, not an import."""

from typing import Final

DJANGO_SETTINGS: Final = "django.conf:settings"
"""The modules of Django's settings."""
