"""The rivers that Natural Earth cuts at borders, where their names change: which names are one river."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry


@dataclass(frozen=True, slots=True)
class River:
    """The names of a river's pieces, and the box (west, south, east, north) that holds all of it."""

    pieces: frozenset[str]
    box: tuple[float, float, float, float]

    def holds(self, name: str, shape: "BaseGeometry") -> bool:
        """Whether a piece of that name belongs to the river."""
        west, south, east, north = shape.bounds
        return (
            name in self.pieces
            and self.box[0] <= west
            and self.box[1] <= south
            and east <= self.box[2]
            and north <= self.box[3]
        )


def _river(names: str, west: float, south: float, east: float, north: float) -> River:
    return River(frozenset(names.split("|")), (west, south, east, north))


RIVERS = {
    "Rhine": _river("Rhine|Rhein|Rhin|Nederrijn|Lek|Waal", 3, 46, 10, 53),
    "Danube": _river("Danube|Donau|Bratul Chillia|Bratul Sfintu Gheorghe|Bratul Sulina|Borcea", 8, 43, 30, 50),
    "Nile": _river(
        "Nile|Rosetta Branch|Damietta Branch|El Bahr el Abyad|Bahr el Jebel|Albert Nile|Victoria Nile", 28, -1, 36, 32
    ),
    "White Nile": _river("El Bahr el Abyad|Bahr el Jebel", 28, 3, 36, 17),
    "Blue Nile": _river("El Bahr el Azraq|Abay", 30, 8, 40, 17),
    "Amazon": _river("Amazonas|Braco Menor", -80, -10, -45, 3),
    "Mississippi": _river("Mississippi", -98, 28, -88, 49),
    "Missouri": _river("Missouri", -115, 37, -88, 50),
    "Yangtze": _river("Yangtze|Chang Jiang|Jinsha|Tongtian|Tuotuo", 88, 22, 123, 37),
    "Yellow River": _river("Huang", 93, 31, 122, 43),
    "Mekong": _river("Mekong|Lancang|Za", 90, 8, 108, 36),
    "Brahmaputra": _river("Brahmaputra|Yarlung|Dihang|Maquan", 80, 22, 98, 32),
    "Indus": _river("Indus|Shiquan", 65, 23, 83, 37),
    "Irtysh": _river("Irtysh|Ertis|Ertix", 66, 44, 92, 63),
    "Ob": _river("Ob|Malaya Ob", 60, 50, 90, 69),
    "Yenisei": _river("Yenisey|Verkhniy Yenisey", 80, 48, 98, 73),
    "Amur": _river("Amur|Heilong Jiang", 115, 46, 143, 55),
    "Argun": _river("Argun’|Hailar", 114, 46, 123, 55),
    "Euphrates": _river("Euphrates|Al Furat|Firat", 36, 29, 49, 41),
    "Tigris": _river("Tigris|Dicle", 37, 29, 49, 40),
    "Congo": _river("Congo|Lualaba", 10, -13, 30, 4),
    "Niger": _river("Niger", -12, 3, 11, 19),
    "Salween": _river("Salween|Nu", 90, 14, 102, 34),
    "Irrawaddy": _river("Ayeyarwady|Irrawaddy Delta", 92, 14, 99, 29),
    "Ganges": _river("Ganges", 76, 20, 92, 32),
    "Dnieper": _river("Dnipro|Dnepre|Dnepr", 28, 45, 37, 57),
    "Daugava": _river("Daugava", 22, 54, 33, 58),
    "Neman": _river("Neman|Nemunas", 20, 52, 28, 56),
    "Tagus": _river("Tejo|Tajo", -10, 38, -1, 42),
    "Douro": _river("Duero|Douro", -10, 40, -1, 43),
    "Rhône": _river("Rhône", 3, 43, 9, 47.5),
    "Drava": _river("Drau", 11, 45, 20, 48),
    "Meuse": _river("Maas", 3, 47, 7, 53),
    "Scheldt": _river("Schelde", 2, 49, 5, 52),
    "Moselle": _river("Mosel", 5, 47, 8, 51),
    "Tiber": _river("Tevere", 11, 41, 13, 45),
    "Maritsa": _river("Evros|Maritsa", 23, 40, 27, 43),
    "Struma": _river("Strymnas|Strimonas", 22, 40, 25, 43),
    "Tisza": _river("Tisa|Tisza", 18, 44, 26, 49),
    "Northern Dvina": _river("Severnaya Dvina", 38, 60, 48, 66),
    "Syr Darya": _river("Syr Darya", 60, 38, 74, 47),
    "Amu Darya": _river("Amu Darya", 56, 36, 70, 45),
    "Ural": _river("Ural", 48, 46, 62, 56),
    "Kızılırmak": _river("Kızılırmak|Kizilirmak", 31, 38, 40, 43),
    "Rio Grande": _river("Rio Grande", -109, 25, -96, 39),
    "Colorado River": _river("Colorado", -117, 31, -105, 41),
    "Saint Lawrence River": _river("St. Lawrence", -77, 43, -60, 51),
    "Black Volta": _river("Mouhoun", -6, 7, 1, 15),
    "White Volta": _river("Nakanbé", -4, 7, 2, 15),
    "Red River of the North": _river("Red", -100, 45, -96, 51),
    "Songhua": _river("Songhua|Di’er Songhua", 120, 41, 134, 49),
    "Ussuri": _river("Ussuri", 130, 42, 137, 50),
    "Red River": _river("Hong|Yuan", 100, 20, 108, 26),
    "Orange River": _river("Orange", 15, -32, 30, -27),
    "Ganges Canal": _river("Ganga Canal", 76, 26, 80, 31),
    "Senegal": _river("Sénégal", -18, 11, -9, 17.5),
    "Benue": _river("Benue|Bénoué", 6, 6, 15, 11),
    "Orinoco": _river("Orinoco", -70, 1, -58, 12),
    "Murray": _river("Murray", 137, -38, 150, -33),
    "Zambezi": _river("Zambezi", 21, -20, 38, -10),
    "Paraná": _river("Paraná", -62, -36, -43, -16),
    "Lena": _river(
        "Lena|Bykovskaya Protoka|Olenekskaya Protoka|Trofimovskaya Protoka|Tumatskaya Protoka", 103, 50, 130, 75
    ),
}  # fmt: skip
"""By the river's English name. A piece may belong to two: the White Nile is a part of the Nile."""
