"""Recognise postcodes and street addresses, so that a source without them can say so. Nothing is looked up."""

import re

from bearings.places.query.tidy import fold, parts

# The formats of the Universal Postal Union's members with the most mail; also a lone number of four to six digits.
_LETTERED = (
    r"(?:GIR ?0AA|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2})",  # United Kingdom
    r"[A-Z]\d[A-Z][ -]?\d[A-Z]\d",  # Canada
    r"[AC-FHKNPRTV-Y](?:\d{2}|6W) ?[0-9AC-FHKNPRTV-Y]{4}",  # Ireland
    r"\d{4} ?[A-Z]{2}",  # Netherlands
    r"[A-Z]\d{4}[A-Z]{3}",  # Argentina
    r"(?:AD|BB|BM|BN|LC|LV|LT|MD|MT|VG|SI|HR|FI|SE|AX)-?\d{3,5}",
    r"(?:A|B|CH|D|DE|F|FL|I|L|E|AT|BE|FR|IT|ES)-\d{4,5}",  # with a country's sign
)
_NUMBERED = (
    r"\d{5}-\d{4}",  # United States
    r"〒? ?\d{3}-\d{4}",  # Japan
    r"\d{5}-\d{3}",  # Brazil
    r"\d{2}-\d{3}",  # Poland
    r"\d{4}-\d{3}",  # Portugal
    r"\d{3} \d{2,3}",  # Czechia, Greece, Slovakia, Sweden; India
    r"\d{4,6}",
)
_ANY = "|".join((*_LETTERED, *_NUMBERED))
_ALONE = re.compile(_ANY, re.IGNORECASE)
_BESIDE = re.compile(
    rf"(?P<first>{_ANY}) \D+|\D+(?: |(?<=[^\W\d]{{3}})-)(?P<last>{_ANY})|\D+ (?P<middle>\d{{4,6}}) \D+",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"(?:№|no\.?|nr\.?|#)? ?\d{1,5}(?: ?[a-z]|[/-]\d{1,4}[a-z]?| bis| ter)?", re.IGNORECASE)
_DIGIT = re.compile(r"\d")
_EAST_ASIAN = re.compile(r"\d++ ?(?:丁目|番地|番|号|號|弄|巷|번지|번길)|(?:路|街|道|大道|로|길) ?\d+")

_WORDS = frozenset(
    """
    street st place avenue ave av road rd lane ln drive dr boulevard blvd way court ct square sq terrace crescent close
    highway hwy route parkway pkwy row mews gardens alley esplanade embankment broadway
    rue chemin allee quai impasse cours faubourg ruelle sentier
    strasse str weg gasse platz allee ufer damm ring chaussee
    calle avenida avda paseo carrera camino ronda carretera plaza plazuela
    via viale piazza corso largo vicolo strada piazzale lungomare
    rua travessa praca estrada alameda rodovia
    straat laan plein gracht kade dijk singel steeg
    ulica ul aleja plac osiedle namesti ulice utca ter korut
    sokak sokagi caddesi cad bulvari mahallesi
    улица ул проспект пр переулок пер площадь бульвар шоссе набережная вулиця
    gata gatan vagen gade vej vei veien katu tie
    οδος λεωφορος
    jalan jl lorong gang duong pho
    marg nagar
    """.split()
)
_ENDINGS = tuple(
    "strasse str gasse platz allee straat gracht plein laan gatan vagen gade vej veien katu utca kade damm".split()
)
_LEAST_ENDING = 3
_ONE_WORD_OF_NAME = 2


def postcode(text: str) -> str | None:
    """The part of a text that looks like a postcode: all of it, a part between commas, or one end of a part."""
    if not _DIGIT.search(text):  # every postcode has one
        return None
    if len(text) > 1 and _ALONE.fullmatch(text):
        return text
    for part in parts(text):
        is_british = " " in part and part.isupper()  # two digits, as in "SW1A 2AA"
        if _ALONE.fullmatch(part) and (is_british or len(_DIGIT.findall(part)) > 2):
            return part
        if match := _BESIDE.fullmatch(part):
            code: str = match["first"] or match["last"] or match["middle"]
            if not is_street(part.replace(code, "1")):
                return code
    return None


def is_street(text: str) -> bool:
    """Whether a text looks like a street address: a house number and a street word, in one part or two."""
    if not _DIGIT.search(text):
        return False
    pieces = parts(text)
    for at, part in enumerate(pieces):
        words = [word for each in part.split() if (word := fold(each))]
        if len(words) < _ONE_WORD_OF_NAME or not any(map(is_street_word, words)):
            continue
        beside = pieces[at + 1 : at + 2] + pieces[max(0, at - 1) : at]
        if any(map(_DIGIT.search, words)) or any(_NUMBER.fullmatch(each) for each in beside):
            return True
    return _EAST_ASIAN.search(text) is not None


def is_street_word(folded: str) -> bool:
    """Whether a folded word names a street or is a street's name by its end: "avenue", "hauptstrasse"."""
    return folded in _WORDS or is_compound(folded)


def is_compound(folded: str) -> bool:
    """Whether a folded word is a street's whole name in a language that compounds: "hauptstrasse"."""
    return any(folded.endswith(end) and len(folded) >= len(end) + _LEAST_ENDING for end in _ENDINGS)
