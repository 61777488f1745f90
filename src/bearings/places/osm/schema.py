"""What the files of a map are called, and what the numbers in them mean (schema.sql)."""

from bearings.places.categories import Category

SUFFIX = ".map"

TEMPORARY_SUFFIX, STAGING_SUFFIX, SORTED_SUFFIX = ".importing", ".staging", ".sorted.pbf"
"""Files of an import under way, or of one that was killed, end so; nothing reads them."""

SCHEMA_VERSION = 3
"""Changes with schema.sql, with words.py and with `index.text.normalise`."""

MAIN, OTHER, CODE = 0, 1, 2
"""Kinds of names; see schema.sql."""

OBJECT, AREA, CONTEXT = 0, 1, 2
"""Roles of what is named; see schema.sql."""

ADMIN, PLACE, LARGE = "admin", "place", "object"
"""Layers of areas: administrative ones, settlements and islands, objects too large for cells."""

BITS = {category: 1 << number for number, category in enumerate(Category)}
"""The bit of each category."""
