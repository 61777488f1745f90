"""A standing adversary: hostile repositories, races, protocol lines, abusive peers, hostile upstreams."""
