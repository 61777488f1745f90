"""Input that costs more to read than its size suggests: sources, coverage reports, manifests, geocoder replies."""
