"""Which territories with a code of their own belong to which country.

Those that ISO 3166-1 lists apart and that Natural Earth's column SOVEREIGNT gives to another country (1:50m, 4.1), but
for Palestine; and those that it draws as parts of the country itself: French Guiana, Svalbard, Bonaire.
"""

_TERRITORIES = {
    "au": "cc cx hm nf",
    "cn": "hk mo",
    "dk": "fo gl",
    "fi": "ax",
    "fr": "bl gf gp mf mq nc pf pm re tf wf yt",
    "gb": "ai bm fk gg gi gs im io je ky ms pn sh tc vg",
    "nl": "aw bq cw sx",
    "no": "bv sj",
    "nz": "ck nu tk",
    "us": "as gu mp pr um vi",
}


def territories(country_code: str) -> tuple[str, ...]:
    """Lower-case alpha-2 codes of what belongs to a country and is not in its own outline."""
    return tuple(_TERRITORIES.get(country_code, "").split())
