from tests.nominatim_server.fixture import real_nominatim

__all__ = ["real_nominatim"]
