"""Names of areas, compared across sources that spell them and say what they are in their own ways."""

import re
import unicodedata
from functools import lru_cache

_GENERIC = frozenset(
    "province provincia provincie state estado region region regiao regione county departement department "
    "departamento district distrito governorate governate oblast oblasti krai kray okrug republic republika "
    "republik autonomous autonoma autonomo autonome prefecture municipality municipio municipalite parish "
    "commune canton kanton zone territory territoire division raion rayon comarca voivodeship wojewodztwo city capital "
    "federal special administrative of the de del la le el al ad das do da du des und and et y e land "
    "governatorato commonwealth comunidad ciudad principado foral union metropolitan velayat viloyati wilaya "
    "muhafazat oblysy emirate emirates island islands ile iles isla islas atoll pref ken fu council local "
    "city-state dzongkhag changwat sheng shi zizhiqu area unitary authority borough mkoa".split()
)
"""Words for what a region is, which are left out when names are compared."""


@lru_cache(maxsize=500_000)
def folded(name: str) -> str:
    """A name for comparison: no accents, no case, no words for what a region is."""
    plain = "".join(sign for sign in unicodedata.normalize("NFKD", name) if not unicodedata.combining(sign))
    words = re.findall(r"[^\W_]+", plain.replace("’", "").replace("'", "").replace("ı", "i").casefold())
    kept = [word for word in words if word not in _GENERIC]
    return "".join(kept or words)
