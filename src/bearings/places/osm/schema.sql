-- A map: the index of OpenStreetMap extracts. One file, written once, read only. Positions are steps of 1e-7 degrees.

CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

-- What objects are: OSM's key and value, and Nominatim's place rank.
CREATE TABLE kind (id INTEGER PRIMARY KEY, category TEXT NOT NULL, type TEXT NOT NULL, rank INTEGER NOT NULL);

-- `osm` is the object's id times 4, plus 0 for a node, 1 a way, 2 a relation; NULL for what is no object (a postcode, a
-- town that only addresses name, a country that lies around the extract). `box` is four i4 (west, south, east, north),
-- NULL for a point. `names` are further names by their tags, `mains` all tags of a category where there are several, as
-- JSON. `street` is the place of the street that an object belongs to, or of the first part of a street; `around` what
-- it lies in. `weight` is 1000 times (1 - importance).
CREATE TABLE place (
    id       INTEGER PRIMARY KEY,
    osm      INTEGER,
    kind     INTEGER NOT NULL,
    name     TEXT,
    names    TEXT,
    mains    TEXT,
    lat      INTEGER NOT NULL,
    lon      INTEGER NOT NULL,
    box      BLOB,
    street   INTEGER,
    house    TEXT,
    around   INTEGER NOT NULL,
    weight   INTEGER NOT NULL
);

-- The areas, settlements and postcodes around places, innermost first, as a JSON array of places; each combination once.
CREATE TABLE around (id INTEGER PRIMARY KEY, areas TEXT NOT NULL, country_code TEXT);

-- A street of several parts: its whole box.
CREATE TABLE street (place INTEGER PRIMARY KEY, box BLOB NOT NULL);

-- Keys of names (words.py), and the same from behind: a misspelt key has its first or its second half right. `area`: whether
-- it names something that others lie in.
CREATE TABLE spelling (id INTEGER PRIMARY KEY, key TEXT NOT NULL, area INTEGER NOT NULL);

-- What a key names, most important first. `kind` is 0 the main name, 1 another name, 2 a code; `role` is 0 for
-- an object, 1 for an area that others lie in, 2 for one that is no answer itself; `around` is the place's.
CREATE TABLE named (
    spelling INTEGER NOT NULL,
    weight   INTEGER NOT NULL,
    place    INTEGER NOT NULL,
    kind     INTEGER NOT NULL,
    role     INTEGER NOT NULL,
    around   INTEGER NOT NULL,
    PRIMARY KEY (spelling, weight, place)
) WITHOUT ROWID;

-- Addresses: the key of the street, and the house number's.
CREATE TABLE house (
    spelling INTEGER NOT NULL,
    number   TEXT    NOT NULL,
    place    INTEGER NOT NULL,
    PRIMARY KEY (spelling, number, place)
) WITHOUT ROWID;

-- The words of names, by spelling.
CREATE VIRTUAL TABLE word_fts USING fts5(
    words, content = '', columnsize = 0, detail = none, tokenize = "unicode61 remove_diacritics 0 categories 'L* N* Co M*'"
);

-- The tiles of .05 degrees that hold named objects (coverage.py).
CREATE TABLE covered (tile INTEGER PRIMARY KEY);

-- Shapes by cells of a grid (cells.py). `areas` are the administrative areas, settlements and islands whose polygons meet
-- the cell, smallest first, as a JSON array of [area, place, whether the polygon holds the whole cell].
CREATE TABLE cell (id INTEGER PRIMARY KEY, shapes BLOB NOT NULL, areas TEXT NOT NULL);

-- Named objects of the seven categories, and settlements, by their points; `categories` has a bit for each category.
CREATE VIRTUAL TABLE object_rtree USING rtree(id, west, east, south, north, +categories INTEGER);

-- Settlements that are points, but for those whose areas are known.
CREATE VIRTUAL TABLE settlement_rtree USING rtree(id, west, east, south, north);

-- The polygons of areas, and of objects too large for cells, a row for each part (chains.py).
CREATE TABLE area (id INTEGER PRIMARY KEY, place INTEGER NOT NULL, layer TEXT NOT NULL, outline BLOB NOT NULL);
CREATE VIRTUAL TABLE area_rtree USING rtree(id, west, east, south, north);
