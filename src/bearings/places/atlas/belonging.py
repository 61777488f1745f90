"""The territories of each country that have a code of their own.

They are the ISO 3166-1 entries that Natural Earth's column SOVEREIGNT gives to another country (1:50m, 4.1), except
Palestine, and those that it draws as parts of the country: French Guiana, Svalbard, Bonaire.
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
    """Lower-case alpha-2 codes of a country's territories outside its own outline."""
    return tuple(_TERRITORIES.get(country_code, "").split())
