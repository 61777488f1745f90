"""The geocoding wing: places by name, names by place, boxes, and what is near."""
