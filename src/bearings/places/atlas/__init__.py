"""The embedded gazetteer: countries, regions, counties and settlements of 500 people or more; no network."""
