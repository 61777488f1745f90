"""Files of rows in, the same files with places out: on one machine or on a cluster."""
