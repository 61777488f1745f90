"""What costs more to read than it says: sources, coverage reports, manifests, replies of a geocoder."""
