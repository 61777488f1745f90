"""Territories that ISO 3166-1 counts apart from their sovereign."""

TERRITORIES = {
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
"""Lower-case alpha-2 codes of each country's territories outside its own outline: the ISO 3166-1 entries that Natural
Earth's column SOVEREIGNT gives to another country (1:50m, 4.1), except Palestine, and those that it draws as parts of
the country: French Guiana, Svalbard, Bonaire."""

SOVEREIGNS = {territory: sovereign for sovereign, codes in TERRITORIES.items() for territory in codes.split()}
"""The country that each territory belongs to."""
