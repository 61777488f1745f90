-- The index of an embedded place source. One file, written once, read only.

CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

-- place_rank is Nominatim's; importance is 0-1; the box may cross 180 degrees (west > east). `parent` is the smallest
-- administrative area that contains the place. `code` is the ISO 3166, IATA or ICAO code where there is one; `layer` one
-- of models.Layer; `elevation` metres above the sea; `zone` the time zone, if the whole place keeps one.
CREATE TABLE place (
    id           INTEGER PRIMARY KEY,
    name         TEXT    NOT NULL,
    category     TEXT    NOT NULL,
    type         TEXT    NOT NULL,
    place_rank   INTEGER NOT NULL,
    importance   REAL    NOT NULL,
    population   INTEGER NOT NULL,
    lat          REAL    NOT NULL,
    lon          REAL    NOT NULL,
    west         REAL    NOT NULL,
    south        REAL    NOT NULL,
    east         REAL    NOT NULL,
    north        REAL    NOT NULL,
    bbox_kind    TEXT    NOT NULL,
    parent       INTEGER,
    country_code TEXT,
    code         TEXT,
    osm_type     TEXT,
    osm_id       INTEGER,
    layer        TEXT    NOT NULL,
    elevation    REAL,
    zone         INTEGER
);

-- Time zones by their IANA ids. Ids are none of a place's; the zones of a country that has several have areas.
CREATE TABLE time_zone (id INTEGER PRIMARY KEY, name TEXT NOT NULL);

-- Which zones a country has.
CREATE TABLE zone_of_country (
    country_code TEXT    NOT NULL,
    zone         INTEGER NOT NULL,
    PRIMARY KEY (country_code, zone)
) WITHOUT ROWID;

-- The places that are disputed areas, what kind of dispute it is (models.Contention), and who says so; and their sides: `claims` is 0 for who administers the area, 1
-- for who claims it; `party` is a country, or the area itself.
CREATE TABLE disputed (place INTEGER PRIMARY KEY, kind TEXT NOT NULL, source TEXT NOT NULL);
CREATE TABLE side (
    place    INTEGER NOT NULL,
    claims   INTEGER NOT NULL,
    position INTEGER NOT NULL,
    party    INTEGER NOT NULL,
    PRIMARY KEY (place, claims, position)
) WITHOUT ROWID;

-- Every normalised name of every place. `weight` is round(1000 * (1 - importance)), so that the rows of one key come
-- most important first, 10,000 more for an alternate name in no known language; `kind` is 0 main name, 1 alternate name,
-- 2 code, 3 a country's name without general words, 4 its spelling in lists.
CREATE TABLE name (
    key    TEXT    NOT NULL,
    weight INTEGER NOT NULL,
    place  INTEGER NOT NULL,
    kind   INTEGER NOT NULL,
    PRIMARY KEY (key, weight, place)
) WITHOUT ROWID;

-- Names whose language the data tell.
CREATE TABLE localised (
    place    INTEGER NOT NULL,
    language TEXT    NOT NULL,
    name     TEXT    NOT NULL,
    PRIMARY KEY (place, language)
) WITHOUT ROWID;

-- The keys that may be guessed at: words of at least five letters, without digits. A word of a key must be one token,
-- because `detail = none` takes no phrases: combining marks (M*) are vowels of Thai and Indic words, and part of them.
-- An id is the length of the key times 2^24, plus a number: keys of a length are found without a look at others.
CREATE TABLE spelling (id INTEGER PRIMARY KEY, key TEXT NOT NULL);
CREATE VIRTUAL TABLE word_fts USING fts5(
    key, content = '', columnsize = 0, detail = none, tokenize = "unicode61 remove_diacritics 0 categories 'L* N* Co M*'"
);
CREATE VIRTUAL TABLE trigram_fts USING fts5(
    key, content = '', columnsize = 0, detail = none, tokenize = "trigram case_sensitive 1"
);

-- How the names of what is well known sound (sound.py): consonants in classes, and the name in letters a-z, for queries
-- in other scripts.
CREATE TABLE sound (
    skeleton TEXT    NOT NULL,
    letters  TEXT    NOT NULL,
    place    INTEGER NOT NULL,
    kind     INTEGER NOT NULL,
    PRIMARY KEY (skeleton, letters, place)
) WITHOUT ROWID;

-- The extents of settlements, each holding its point, for what a point lies in and what is nearest. An extent that
-- crosses 180 degrees is cut there, on the side of the point.
CREATE VIRTUAL TABLE extent_rtree USING rtree(id, west, east, south, north);

-- The polygons of areas and of time zones (`place` is the zone), a row for each part, as chains of edges (chains.py).
CREATE TABLE area (
    id      INTEGER PRIMARY KEY,
    place   INTEGER NOT NULL,
    layer   TEXT    NOT NULL,
    outline BLOB    NOT NULL
);
CREATE VIRTUAL TABLE area_rtree USING rtree(id, west, east, south, north);
