"""Records a real Nominatim's replies over the little town: `python -m tests.nominatim_server.record [URL]`.

Writes `tests/data/replies/*.json`, one exchange a file; without a URL it starts the server itself.
"""

import json
import sys
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any, Final

from tests.nominatim_server.sharing import running_nominatim

REPLIES: Final = Path(__file__).parents[1] / "data" / "replies"
TRUTH: Final = Path(__file__).parents[1] / "data" / "town" / "truth.json"
HOME: Final = "-26.500000,179.750000"  # latitude first
TOWN_BOX: Final = "179.73,-26.52,179.77,-26.48"
EAST_BOX: Final = "-179.95,-26.53,-179.90,-26.47"

Params = dict[str, str]
Exchange = tuple[str, str, Params, dict[str, str]]


def search(name: str, /, *, headers: dict[str, str] | None = None, **params: str) -> Exchange:
    """As our client asks: jsonv2, with address and names, in English, unless told otherwise. "" leaves one out."""
    asked = {"format": "jsonv2", "addressdetails": "1", "namedetails": "1", "accept-language": "en"}
    full = {**asked, **spelled(params)}
    return f"search-{name}", "/search", {key: value for key, value in full.items() if value}, headers or {}


def reverse(name: str, lat: str, lon: str, /, **params: str) -> Exchange:
    full = {"format": "jsonv2", "addressdetails": "1", "accept-language": "en", "lat": lat, "lon": lon}
    full |= spelled(params)
    return f"reverse-{name}", "/reverse", {key: value for key, value in full.items() if value}, {}


def lookup(name: str, /, **params: str) -> Exchange:
    full = {"format": "jsonv2", "addressdetails": "1", "accept-language": "en", **params}
    return f"lookup-{name}", "/lookup", full, {}


def spelled(params: Params) -> Params:
    """`accept_language`, as Python can write it, is Nominatim's `accept-language`."""
    return {key.replace("accept_language", "accept-language"): value for key, value in params.items()}


def exchanges(number: Callable[[str], str]) -> list[Exchange]:
    """The requests to record; `number` gives the id of a named object of the town."""
    return [
        # free text: languages, scripts, kinds of thing
        search("town", q="Port Aurel"),
        search("town-limit1", q="Port Aurel", limit="1"),
        search("town-russian-name", q="Порт-Аурель"),
        search("town-japanese-name", q="ポート・オーレル", accept_language="ja"),
        search("town-local-names", q="Port Aurel", accept_language=""),
        search("town-language-header", q="Port Aurel", accept_language="", headers={"Accept-Language": "fr"}),
        search("town-alt-name", q="Aurelhaven"),
        search("town-polygon", q="Port Aurel", polygon_geojson="1"),
        search("town-extratags-namedetails", q="Port Aurel", extratags="1", namedetails="1"),
        search("town-no-address", q="Port Aurel", addressdetails=""),
        search("country", q="Velmora"),
        search("country-polygon", q="Velmora", polygon_geojson="1", polygon_threshold="0.001"),
        search("region", q="Outer Isles"),
        search("county", q="Tideland County"),
        search("village", q="Kettle Bay"),
        search("village-beyond-180", q="Dawn Landing"),
        search("hamlet", q="Three Stones"),
        search("suburb", q="Old Harbour, Port Aurel"),
        search("island", q="Great Velmora"),
        search("causeway", q="The Strand Causeway"),
        search("street-in-two-places", q="Harbour Street"),
        search("street-in-one-place", q="Harbour Street, Kettle Bay"),
        search("street-accents", q="rue de l'eveque, Port Aurel"),
        search("street-very-long-name", q="Right Worshipful Company of Harbour Masters"),
        search("address", q="12a Harbour Street, Port Aurel"),
        search("address-building", q="5 Harbour Street, Port Aurel"),
        search("address-interpolated", q="8 Beacon Hill, Port Aurel"),
        search("address-without-street", q="1 Tri Ŝtonoj"),
        search("address-unknown-number", q="4711 Harbour Street, Port Aurel"),
        search("postcode", q="1100", countrycodes="xv"),
        search("poi-node-and-area", q="Maritime Museum"),
        search("poi-node-and-area-dedupe0", q="Maritime Museum", dedupe="0"),
        search("poi-apostrophe", q="O'Hara's Chowder House"),
        search("poi-markup", q="Salt & Pepper, Market Street"),
        search("poi-bidi", q="Mirror Shop"),
        search("poi-numeric-name", q="42, Market Street"),
        search("poi-extratags", q="The Tide Table", extratags="1", namedetails="1"),
        search("poi-unicode", q="喫茶カモメ"),
        search("peak", q="Mount Sable"),
        search("latlon", q="-26.5, 179.75"),
        search("nothing", q="Qwertzuiop"),
        search("nothing-downing-street", q="10 Downing Street, London"),
        # filters
        search("limit40", q="Harbour", limit="40"),
        search("countrycodes", q="Port Aurel", countrycodes="xv"),
        search("countrycodes-elsewhere", q="Port Aurel", countrycodes="gb,fr"),
        search("viewbox", q="Harbour Street", viewbox=TOWN_BOX),
        search("viewbox-bounded", q="Harbour Street", viewbox=TOWN_BOX, bounded="1"),
        search("viewbox-east-of-180", q="Dawn", viewbox=EAST_BOX, bounded="1"),
        search("layer-address", q="Harbour", layer="address"),
        search("layer-poi", q="Harbour", layer="poi"),
        search("layer-poi-natural", q="Sable", layer="poi,natural"),
        search("layer-railway", q="Port Aurel Station", layer="railway"),
        search("featuretype-settlement", q="Kettle", featureType="settlement"),
        # structured
        search("structured-street-city", street="3 Market Street", city="Port Aurel"),
        search("structured-amenity-city", amenity="Town Hall", city="Port Aurel"),
        search("structured-postalcode", postalcode="1002", country="Velmora"),
        search("structured-county", county="Kettle County", state="Great Region"),
        search("structured-nothing", street="3 Market Street", city="Kettle Bay"),
        # phrases: how things near a point are found
        *[
            search(f"near-{phrase.replace('=', '-')}", q=f"[{phrase}] {HOME}", viewbox=TOWN_BOX, bounded="1",
                   dedupe="0", limit="10", namedetails="")
            for phrase in ("amenity=cafe", "tourism=museum", "natural=peak", "historic=castle", "leisure=park",
                           "shop=bakery", "railway=station", "highway=bus_stop", "amenity=ferry_terminal")
        ],
        search("near-unbounded", q=f"[amenity=cafe] {HOME}", limit="10"),
        search("near-key-only", q=f"[amenity] {HOME}", limit="10"),
        search("near-viewbox-only", q="[amenity=cafe]", viewbox=TOWN_BOX, bounded="1"),
        search("near-nothing", q=f"[amenity=casino] {HOME}", viewbox=TOWN_BOX, bounded="1"),
        search("phrase-in-place", q="cafes in Port Aurel"),
        search("phrase-near-place", q="hotels near Port Aurel"),
        # reverse
        *[reverse(f"zoom{zoom:02}", "-26.505756", "179.745478", zoom=str(zoom))
          for zoom in (3, 5, 8, 10, 12, 13, 14, 15, 16, 17, 18)],
        reverse("default", "-26.5", "179.75"),
        reverse("japanese", "-26.5", "179.75", accept_language="ja"),
        reverse("local-names", "-26.5", "179.75", accept_language=""),
        reverse("extratags-namedetails", "-26.502518", "179.750603", extratags="1", namedetails="1", layer="poi"),
        reverse("polygon", "-26.5", "179.75", zoom="10", polygon_geojson="1"),
        reverse("layer-poi", "-26.5", "179.75", layer="poi"),
        reverse("layer-natural", "-26.4776", "179.7148", layer="natural"),
        reverse("no-address", "-26.5", "179.75", addressdetails="0"),
        reverse("between-towns", "-26.494604", "179.786176"),
        reverse("beyond-180", "-26.499955", "-179.928434"),
        reverse("on-180", "-26.5", "180"),
        reverse("territorial-waters", "-26.5", "179.900734"),
        reverse("open-sea", "-26.679864", "179.348043"),
        reverse("lat-91", "91", "0"),
        # lookup, status
        lookup("several", osm_ids=f"{number('Porto Aŭrelo')},{number('Maritime Museum')},R3001"),
        lookup("some-unknown", osm_ids=f"{number('The Tide Table')},N99,W99"),
        lookup("postcodes-have-no-id", osm_ids="N99"),
        lookup("bad", osm_ids="X1,abc"),
        ("status-json", "/status", {"format": "json"}, {}),
        ("status-text", "/status", {}, {}),
        # what is refused
        search("error-no-query"),
        search("error-query-and-structured", q="Port Aurel", city="Port Aurel"),
        search("error-format", q="Port Aurel", format="yaml"),
        search("error-limit", q="Port Aurel", limit="many"),
        search("error-viewbox", q="Port Aurel", viewbox="1,2,3"),
        search("error-layer", q="Port Aurel", layer="moon"),
        search("error-two-polygons", q="Port Aurel", polygon_geojson="1", polygon_svg="1"),
        reverse("error-lat-text", "abc", "179.75"),
        reverse("error-no-lon", "-26.5", ""),
        reverse("error-zoom", "-26.5", "179.75", zoom="street"),
        reverse("error-nan", "nan", "179.75"),
        lookup("error-too-many", osm_ids=",".join(f"N{number}" for number in range(1, 52))),
        lookup("error-no-ids"),
        ("error-unknown-path", "/nowhere", {"format": "jsonv2"}, {}),
    ]  # fmt: skip


def ask(base: str, path: str, params: Params, headers: dict[str, str]) -> Any:
    """One exchange, as it is written down."""
    request = urllib.request.Request(f"{base}{path}?{urllib.parse.urlencode(params)}", headers=headers)
    try:
        reply = urllib.request.urlopen(request, timeout=60)
    except urllib.error.HTTPError as error:
        reply = error
    with reply:
        return {
            "request": {"path": path, "params": params, "headers": headers},
            "status": reply.status,
            "headers": {"content-type": reply.headers["content-type"]},
            "body": reply.read().decode("utf-8"),
        }


def ids_of_the_town() -> Callable[[str], str]:
    rows = [row for section in json.loads(TRUTH.read_text(encoding="utf-8")).values() for row in section]
    return {row["name"]: row["id"] for row in rows if row.get("name")}.__getitem__


def record(base: str, directory: Path) -> int:
    """Writes every exchange into a directory in place of what was there; how many there are."""
    for old in directory.glob("*.json"):
        old.unlink()
    asked = exchanges(ids_of_the_town())
    for name, path, params, headers in asked:
        text = json.dumps(ask(base, path, params, headers), ensure_ascii=False, indent=1)
        (directory / f"{name}.json").write_text(text + "\n", encoding="utf-8")
    return len(asked)


def main() -> None:
    server = nullcontext(sys.argv[1]) if len(sys.argv) > 1 else running_nominatim()
    with server as url:
        REPLIES.mkdir(exist_ok=True)
        sys.stderr.write(f"{record(url, REPLIES)} replies recorded\n")


if __name__ == "__main__":
    main()
