"""Names as people write them: Natural Earth's are in capitals, abbreviated, or have lost letters."""

import re
from collections.abc import Iterable

from builder.feature import Name

_SMALL = frozenset("of the and de del de la las los le les du des da do dos das d’ di el al ar as y".split())

_LONG = (
    (r"\bMts ?\.", "Mountains"), (r"\bMtn\.", "Mountain"), (r"^Mt\. ?", "Mount "), (r" Mt\.", " Mountain"),
    (r"/Mt\. ", "/Mount "), (r"\bPk\.", "Peak"), (r"\bRa\.", "Range"), (r"^Plat\.", "Plateau"),
    (r" Plat\.", " Plateau"), (r" Pen\.", " Peninsula"), (r"^Pen\.", "Península"), (r"^Pén\.", "Péninsule"),
    (r" Arch\.", " Archipelago"), (r" Str\.", " Strait"), (r" Sd\.", " Sound"), (r"^Cord\.", "Cordillera"),
    (r"^N\. ", "North "), (r" Res\.", " Reservoir"), (r"^S\. (?=D|d)", "Serra "), (r"^S\. ", "South "),
    (r"^Is\. ", "Islas "), (r" Is\.", " Islands"), (r"^I\. ", "Isla "), (r"^[îÎ]\. ", "Île "), (r" I\.", " Island"),
    (r"^Pt\. ", "Point "), (r"^W\. ", "West "), (r"^R\. ", "Rivière "), (r"\bFk\b\.?", "Fork"),
    (r"\bIsands\b", "Islands"), (r",$", ""), (r"^Br\. ", "British "), (r" Ocean Ter\.", " Ocean Territory"),
    (r"^E\. ", "East "),
)  # fmt: skip
"""(pattern, replacement): abbreviations and a common slip."""

_MENDED = {
    "Golfo San Mat’as": "Golfo San Matías", "Gulf of Olen‘k": "Gulf of Olenyok", "Grmsey": "Grímsey",
    "Pijnne": "Päijänne", "Inarijrvi": "Inarijärvi", "Pjrvi": "Pyaozero", "Pyhjrvi": "Pyhäjärvi", "Mritz": "Müritz",
    "Sasyqkl": "Sasykkol", "Ataturk Barajt": "Atatürk Reservoir", "Keban Baraji": "Keban Reservoir", "Rhne": "Rhône",
    "Byk Menderes": "Büyük Menderes", "Kiz?lirmak": "Kızılırmak", "Gta lv": "Göta älv", "Klarlven": "Klarälven",
    "Lule lv": "Lule älv", "Stora Lule lv": "Stora Lule älv", "Motala strm": "Motala ström", "Tornelven": "Tornio",
    "ngermanlven": "Ångermanälven", "Kokemenjoki": "Kokemäenjoki", "Pnuco": "Pánuco", "Purificacin": "Purificación",
    "Ro Grande de Santiago": "Río Grande de Santiago", "Ro Grande de Matagalpa": "Río Grande de Matagalpa",
    "Santa Mara": "Santa María", "Mlzes": "Mélèzes", "Grande Rivire de la Baleine": "Grande Rivière de la Baleine",
    "Chirrip del Atlntico": "Chirripó del Atlántico", "Zncara": "Záncara", "Embalse de Cara": "Embalse de Alcántara",
    "Represa Itaipu": "Itaipu Reservoir", "Repressa de Jupia": "Represa de Jupiá", "Pskoyskoye Ozero": "Lake Pskov",
    "Embalse de Entrepeas": "Embalse de Entrepeñas", "Hvannadalshnkur": "Hvannadalshnúkur",
    "Cerro El Jabaln": "Cerro El Jabalí", "Maja e Jezercs": "Maja Jezercë", "Volcaán Villarrica": "Volcán Villarrica",
    "Cerro Nube Flan": "Cerro Nube Flane", "Pico Cristóbol Colón": "Pico Cristóbal Colón",
    "Cabo de São Vicentete": "Cabo de São Vicente", "Ponta São Sebastio": "Ponta São Sebastião",
    "Hachijjima": "Hachijō-jima", "New Schawbenland": "New Swabia", "Lake Il'Men'": "Lake Ilmen",
    "Hinakud Dam": "Hirakud Reservoir", "Prince ALbert Sound": "Prince Albert Sound", "Cero Raya": "Cerro Raya",
    "Boca Grande": "Boca Grande", "Arvalli Range": "Aravalli Range", "Lake Dbo": "Lake Débo",
    "Ilemi Triange": "Ilemi Triangle", "Oulujarvi": "Oulujärvi", "Kemijarvi": "Kemijärvi",
    "São  Francisco": "São Francisco", "Kyüshü": "Kyushu", "Hokkaidö": "Hokkaido", "Honshü": "Honshu",
    "Ryükyü Islands": "Ryukyu Islands", "Izu-Shotö": "Izu Islands", "Nampö-Shotö": "Nanpō Islands",
    "Daitö Islands": "Daitō Islands", "Läna‘i": "Lāna‘i", "Ösumi Islands": "Ōsumi Islands",
    "Chota Nägpur Plateau": "Chota Nagpur Plateau", "Gulf of Khambhät": "Gulf of Khambhat", "Kangtö": "Kangto",
    "Ghäghara": "Ghaghara", "Godävari": "Godavari", "Mahäna Nadï": "Mahanadi", "Jabal Nafüsah": "Nafusa Mountains",
    "Jabal as Sawdä’": "Jabal as Sawda", "Al Harüj al Aswad": "Haruj", "Idhän Murzuq": "Murzuq Desert",
    "Sarïr Kalanshiyu ar Ramli al Kabi": "Calanshio Sand Sea",
}  # fmt: skip
"""Natural Earth's name, its case and abbreviations made right, and what it is: letters are lost or wrong."""

_ENGLISH = {
    "Sardegna": "Sardinia", "Corse": "Corsica", "Sicilia": "Sicily", "Açores": "Azores",
    "Cheju Island": "Jeju Island", "Føroyar": "Faroe Islands", "Islas Canarias": "Canary Islands",
    "Ilhas de Cabo Verde": "Cape Verde Islands", "Archipiélago de Colón": "Galápagos Islands",
    "Îles de la Société": "Society Islands", "Île de Pins": "Île des Pins", "Îles Marquesas": "Marquesas Islands",
    "Archipel des Tuamotu": "Tuamotu Archipelago", "Îles Tubuaï": "Austral Islands",
    "Îles Gambier": "Gambier Islands", "Archipel des Comores": "Comoro Islands",
    "Nouvelle-Calédonie": "New Caledonia", "Îles Loyauté": "Loyalty Islands", "Îles Kerguelen": "Kerguelen Islands",
    "Îles Crozet": "Crozet Islands", "Île d’Anticosti": "Anticosti Island", "Pelopónnisos": "Peloponnese",
    "Island of Newfoundland": "Newfoundland", "Bahama Islands": "Bahamas", "Maldive Islands": "Maldives",
    "Moluccas": "Maluku Islands", "Parry Islands": "Parry Islands", "Isla de Pascua": "Easter Island",
    "Isla de Cozumel": "Cozumel", "Isla del Coco": "Cocos Island", "Isla Clarión": "Clarión Island",
    "Islas Juan Fernandez": "Juan Fernández Islands", "Falkland Islands": "Falkland Islands",
    "Arquipélago dos Bijagós": "Bissagos Islands", "Queen Charlotte Islands": "Haida Gwaii", "Hierro": "El Hierro",
    "Islas de Fernando de Noronha": "Fernando de Noronha", "Islas Martin Vaz": "Martin Vaz",
    "Islas Revillagigedo": "Revillagigedo Islands", "Reunion": "Réunion", "Zanzibar Island": "Zanzibar",
    "Cabo de Hornos": "Cape Horn", "Nunap Isua": "Cape Farewell", "Lands End": "Land’s End",
    "Salto Angel": "Angel Falls", "Gees Gwardafuy": "Cape Guardafui", "Nordkapp": "North Cape",
    "Appennini": "Apennines", "Alti-Planicie Mexicana": "Mexican Plateau", "Península Ibérica": "Iberian Peninsula",
    "Planalto Central": "Brazilian Central Plateau", "Planalto Do Mato Grosso": "Mato Grosso Plateau",
    "Planalto do Mato Grosso": "Mato Grosso Plateau", "Desierto de Atacama": "Atacama Desert",
    "Lut Desert": "Dasht-e Lut", "Garagum Desert": "Karakum Desert", "Qizilqum Desert": "Kyzylkum Desert",
    "Rub’ al Khali": "Rub’ al Khali", "Plateau of Tibet": "Tibetan Plateau", "Altay Mountains": "Altai Mountains",
    "Ahaggar Mountains": "Hoggar Mountains", "Aïr Mountains": "Aïr Mountains", "Haut Atlas": "High Atlas",
    "Moyen Atlas": "Middle Atlas", "Atlas Saharien": "Saharan Atlas", "Atlas Tellien": "Tell Atlas", "Er Rif": "Rif",
    "Böhmerwald": "Bohemian Forest", "Erzgebirge": "Ore Mountains", "Sudetes Mountains": "Sudetes",
    "Quilian Mountains": "Qilian Mountains", "Tannu-Ola Range": "Tannu-Ola Mountains",
    "Chaîne Annamitique": "Annamite Range", "Elburz Mountains": "Alborz", "Caucasus Mountains": "Caucasus Mountains",
    "Coast Ranges": "Pacific Coast Ranges", "South Nevada": "Sierra Nevada",
    "Cordillera Cantábrica": "Cantabrian Mountains", "Sredinnyy Range": "Sredinny Range",
    "Kjølen Mountains": "Scandinavian Mountains", "Péninsule d’Ungava": "Ungava Peninsula",
    "Península de Yucatán": "Yucatán Peninsula", "Península de la Guajira": "Guajira Peninsula",
    "Korea": "Korean Peninsula", "Arnhem Land": "Arnhem Land", "Crimea": "Crimean Peninsula",
    "Scandinavia": "Scandinavian Peninsula", "India": "Indian Peninsula", "Florida": "Florida Peninsula",
    "Baja California": "Baja California Peninsula", "Malay Peninsula": "Malay Peninsula",
    "Somali Peninsula": "Horn of Africa", "Taymyr Peninsula": "Taymyr Peninsula",
    "Islas de Panamá": "Isthmus of Panama", "Istmo de Tehuantepec": "Isthmus of Tehuantepec",
    "Alföld": "Great Hungarian Plain", "Normandie": "Normandy", "Bretagne": "Brittany",
    "Appalachian Mountains": "Appalachian Mountains", "Danakil": "Danakil Desert",
    "Costa de los Mosquitos": "Mosquito Coast", "Les Laurentides": "Laurentian Mountains",
    "Great Karroo": "Great Karoo", "Northern European Plain": "North European Plain",
    "Caspian Depression": "Caspian Depression", "Sudd": "Sudd", "Western Siberian Plain": "West Siberian Plain",
    "Ganges Plain": "Indo-Gangetic Plain", "Punjab": "Punjab", "Kola Peninsula": "Kola Peninsula",
    "Serra do Piaui": "Serra do Piauí", "Mount Blanc": "Mont Blanc", "Vesuvio": "Mount Vesuvius",
    "Uluru/Ayers Rock": "Uluru", "K2": "K2", "Aoraki/Mount Cook": "Aoraki / Mount Cook",
    "Gora Elbrus": "Mount Elbrus", "Fuji": "Mount Fuji", "Cerro Aconcagua": "Aconcagua", "Pico del Teide": "Teide",
    "Monte Etna": "Mount Etna", "Kailash": "Mount Kailash", "Gunung Kinabalu": "Mount Kinabalu",
    "Gunung Rinjani": "Mount Rinjani", "Gunung Merapi": "Mount Merapi", "Gunung Semeru": "Mount Semeru",
    "Olympus": "Mount Olympus", "Gunung Tambora": "Mount Tambora", "Gunung Kerinci": "Mount Kerinci",
    "Krakatau": "Krakatoa", "Mont Cameroun": "Mount Cameroon", "Klyuchevskaya Sopka": "Klyuchevskaya Sopka",
    "Paektu-san": "Paektu Mountain", "Jebel Toubkal": "Toubkal", "Tahat": "Mount Tahat",
    "Volcán Popocatépetl": "Popocatépetl", "Monte Fitz Roy": "Mount Fitz Roy",
    "Pik Imeni Ismail Samani": "Ismoil Somoni Peak", "Lenina": "Lenin Peak", "Belukha": "Belukha Mountain",
    "Gebel Katherna": "Mount Catherine", "Yu Shan": "Yushan", "Nevado Ojos del Salado": "Ojos del Salado",
    "Nevado Huascarán": "Huascarán", "Gora Goverla": "Hoverla", "Harney Peak": "Black Elk Peak",
    "Clingmans Dome": "Kuwohi", "Snowdon": "Snowdon", "Qattara Depression": "Qattara Depression",
    "Pulog": "Mount Pulag", "Bahía de Campeche": "Bay of Campeche", "Golfo de California": "Gulf of California",
    "Golfe du Lion": "Gulf of Lion", "Golfo San Jorge": "San Jorge Gulf", "Golfo de Panamá": "Gulf of Panama",
    "Golfo de Tehuantepec": "Gulf of Tehuantepec", "Golfo de Guayaquil": "Gulf of Guayaquil",
    "Golfo de Penas": "Gulf of Penas", "Golfo de Urabá": "Gulf of Urabá", "Golfo San Matías": "San Matías Gulf",
    "Golfo Corcovado": "Gulf of Corcovado", "Estrecho de Magellanes": "Strait of Magellan",
    "Straits of Florida": "Straits of Florida", "Waddenzee": "Wadden Sea", "Baia de Maputo": "Maputo Bay",
    "Lago de Maracaibo": "Lake Maracaibo", "Stettiner Haff": "Szczecin Lagoon", "Kaliningrad": "Vistula Lagoon",
    "Kangertittivaq": "Scoresby Sound", "Mecklenburger Bucht": "Bay of Mecklenburg", "Bosporus": "Bosphorus",
    "Gulf of Anadyr'": "Gulf of Anadyr", "Inner Sea": "Seto Inland Sea", "B. Inutil": "Bahía Inútil",
    "Lagoa dos Patos": "Lagoa dos Patos", "Bo Hai": "Bohai Sea", "Shelikhova Gulf": "Shelikhov Gulf",
    "Inner Seas": "Inner Seas off the West Coast of Scotland", "The North Western Passages": "Northwest Passage",
    "Qiongzhou Strait": "Qiongzhou Strait", "Sea of Crete": "Sea of Crete", "Lago Titicaca": "Lake Titicaca",
    "Lago de Nicaragua": "Lake Nicaragua", "Issyk-Kul": "Issyk-Kul", "Bodensee": "Lake Constance",
    "Lac Moeru": "Lake Mweru", "Lago di Como": "Lake Como", "Lago di Garda": "Lake Garda",
    "Lago Maggiore": "Lake Maggiore", "Lac St.-Jean": "Lac Saint-Jean", "Buhayrat ath Tharthar": "Lake Tharthar",
    "Danau Toba": "Lake Toba", "Biwa Ko": "Lake Biwa", "Mapam Yumco": "Lake Manasarovar", "Tai Hu": "Lake Tai",
    "Qinghai Hu": "Qinghai Lake", "Nam Co": "Namtso", "Siling Co": "Siling Lake", "Poyang Hu": "Poyang Lake",
    "Dongting Hu": "Dongting Lake", "Hongze Hu": "Hongze Lake", "Lago de Managua": "Lake Managua",
    "Lago de Izabal": "Lake Izabal", "Lago de Chapala": "Lake Chapala", "Lago Argentino": "Lake Argentino",
    "Lago Viedma": "Viedma Lake", "Lago Buenos Aires": "Lake General Carrera", "Lago Llanquihue": "Lake Llanquihue",
    "Lago Poopó": "Lake Poopó", "Lago Enriquillo": "Lake Enriquillo", "Hulun Nuur": "Hulun Lake",
    "Khövsgöl Nuur": "Lake Khövsgöl", "Uvs Nuur": "Uvs Lake", "Lake Disappointment": "Kumpupintil Lake",
    "Samara Reservoir": "Kuybyshev Reservoir", "Represa de Sobradinho": "Sobradinho Reservoir",
    "Lago Gatun": "Gatun Lake", "Lake Saimaa": "Saimaa", "Banggong Co": "Pangong Tso",
    "Lago de Cahora Bassa": "Cahora Bassa Reservoir", "Lake Taupo": "Lake Taupō", "Embalse de Guri": "Guri Reservoir",
    "Buhayrat al-Assad": "Lake Assad", "Lake Eyre North": "Lake Eyre", "Danube Delta": "Danube Delta",
    "Clair Engle Lake": "Trinity Lake", "Réservoir de Caniapiscau": "Caniapiscau Reservoir",
    "Lac la Martre": "Lac la Martre", "Professor Doctor Ingenieur W. J. Van Blommestein Meer": "Brokopondo Reservoir",
    "Toktogul Suu Saktagychy": "Toktogul Reservoir",
}  # fmt: skip
"""Natural Earth's name, its case and abbreviations made right, and the name that English uses."""

_MORE: dict[str, tuple[str, ...]] = {
    "Mount Everest": ("Everest", "Sagarmatha", "Chomolungma", "Qomolangma"),
    "Mount Fuji": ("Fuji", "Fujisan", "Fujiyama"), "Alps": ("The Alps",), "Sahara": ("Sahara Desert",),
    "Himalayas": ("Himalaya", "The Himalayas"), "Andes": ("Andes Mountains",),
    "Rocky Mountains": ("Rockies", "The Rockies"), "Ural Mountains": ("Urals", "Ural"),
    "Pyrenees": ("Pyrenees Mountains",), "Apennines": ("Apennine Mountains",),
    "Carpathian Mountains": ("Carpathians",), "Caucasus Mountains": ("Caucasus", "Greater Caucasus"),
    "Appalachian Mountains": ("Appalachians",), "Tian Shan": ("Tien Shan",), "Pamirs": ("Pamir Mountains", "Pamir"),
    "Karakoram Range": ("Karakoram",), "Hindu Kush": ("Hindukush",), "Altai Mountains": ("Altay Mountains",),
    "Atlas Mountains": ("Atlas",), "Zagros Mountains": ("Zagros",), "Taurus Mountains": ("Taurus",),
    "Alborz": ("Elburz Mountains", "Alborz Mountains"), "Cascade Range": ("Cascades", "Cascade Mountains"),
    "Sierra Nevada": ("Sierra Nevada Mountains",), "Drakensberg": ("Drakensberg Mountains",),
    "Kalahari Desert": ("Kalahari",), "Gobi Desert": ("Gobi",), "Namib Desert": ("Namib",),
    "Atacama Desert": ("Atacama",), "Taklimakan Desert": ("Taklamakan Desert", "Taklamakan"),
    "Thar Desert": ("Great Indian Desert",), "Negev Desert": ("Negev",), "Mojave Desert": ("Mojave",),
    "Rub’ al Khali": ("Empty Quarter", "Rub al Khali"), "Dasht-e Lut": ("Lut Desert",), "Sinai Peninsula": ("Sinai",),
    "Arabian Peninsula": ("Arabia",), "Iberian Peninsula": ("Iberia",),
    "Balkan Peninsula": ("Balkans", "The Balkans"), "Kamchatka Peninsula": ("Kamchatka",),
    "Korean Peninsula": ("Korea",), "Crimean Peninsula": ("Crimea",), "Scandinavian Peninsula": ("Scandinavia",),
    "Indian Peninsula": ("Indian subcontinent", "Deccan Peninsula"),
    "Yucatán Peninsula": ("Yucatan Peninsula", "Yucatán"), "Horn of Africa": ("Somali Peninsula",),
    "Indochina Peninsula": ("Indochina",), "Taymyr Peninsula": ("Taimyr Peninsula",), "Yamal Peninsula": ("Yamal",),
    "Baja California Peninsula": ("Baja California",),
    "Tibetan Plateau": ("Plateau of Tibet", "Qinghai-Tibet Plateau"), "Deccan Plateau": ("Deccan",),
    "Great Plains": ("The Great Plains",), "Pampas": ("Pampa", "The Pampas"),
    "Caspian Depression": ("Caspian Lowland",), "Gulf of California": ("Sea of Cortez", "Golfo de California"),
    "English Channel": ("La Manche", "The Channel"), "Sea of Japan": ("East Sea",), "Persian Gulf": ("Arabian Gulf",),
    "Bosphorus": ("Bosporus", "Istanbul Strait"), "Dardanelles": ("Hellespont",),
    "Northwest Passage": ("North West Passage",), "Southern Ocean": ("Antarctic Ocean",),
    "Bohai Sea": ("Bo Hai", "Bohai"), "Mediterranean Sea": ("Mediterranean",), "Caribbean Sea": ("Caribbean",),
    "Baltic Sea": ("Baltic",), "Adriatic Sea": ("Adriatic",), "Aegean Sea": ("Aegean",),
    "Río de la Plata": ("River Plate", "La Plata River"), "Bab el Mandeb": ("Bab-el-Mandeb",),
    "Lake Baikal": ("Baikal",), "Lake Malawi": ("Lake Nyasa",), "Namtso": ("Lake Nam", "Nam Co"),
    "Issyk-Kul": ("Lake Issyk-Kul", "Issyk Kul"), "Lake Constance": ("Bodensee",),
    "Lake Geneva": ("Lac Léman", "Lake Léman", "Genfersee"), "Lake Balaton": ("Balaton",), "Vänern": ("Lake Vänern",),
    "Dead Sea": ("Salt Sea",), "Sea of Galilee": ("Lake Tiberias", "Kinneret"),
    "Kumpupintil Lake": ("Lake Disappointment",),
    "Lake Eyre": ("Kati Thanda", "Kati Thanda–Lake Eyre", "Lake Eyre North"),
    "Lake General Carrera": ("Lago Buenos Aires", "Lago General Carrera"), "Denali": ("Mount McKinley",),
    "Uluru": ("Ayers Rock",), "Aoraki / Mount Cook": ("Mount Cook", "Aoraki"),
    "Mount Kilimanjaro": ("Kilimanjaro", "Kibo"), "Vinson Massif": ("Mount Vinson",),
    "Puncak Jaya": ("Carstensz Pyramid",), "Mount Elbrus": ("Elbrus",), "Aconcagua": ("Mount Aconcagua",),
    "K2": ("Mount Godwin-Austen", "Chogori"), "Mount Ararat": ("Ararat", "Ağrı Dağı"), "Mount Etna": ("Etna",),
    "Mount Vesuvius": ("Vesuvius",), "Mount Taranaki": ("Mount Egmont",), "Teide": ("Mount Teide",),
    "Hispaniola": ("La Española",), "Galápagos Islands": ("Galapagos", "Galapagos Islands"),
    "Canary Islands": ("Canaries",), "Bahamas": ("Bahama Islands", "The Bahamas"),
    "Philippines": ("Philippine Islands",), "Japan": ("Japanese Archipelago",),
    "Haida Gwaii": ("Queen Charlotte Islands",), "Maluku Islands": ("Moluccas", "Spice Islands"),
    "Sulawesi": ("Celebes",), "Borneo": ("Kalimantan",), "Majorca": ("Mallorca",), "Mallorca": ("Majorca",),
    "Menorca": ("Minorca",), "Crete": ("Kriti",), "Jeju Island": ("Jeju", "Cheju"), "Fraser Island": ("K’gari",),
    "Easter Island": ("Rapa Nui", "Isla de Pascua"), "Zanzibar": ("Unguja",), "Peloponnese": ("Peloponnesus",),
    "Hokkaido": ("Hokkaidō",), "Honshu": ("Honshū",), "Kyushu": ("Kyūshū",), "Ryukyu Islands": ("Nansei Islands",),
    "Hawai‘i": ("Big Island", "Hawaii Island"), "New Guinea": ("Papua",), "Victoria Falls": ("Mosi-oa-Tunya",),
    "Iguazu Falls": ("Iguaçu Falls", "Iguassu Falls"), "Cape Farewell": ("Nunap Isua",), "Land’s End": ("Lands End",),
    "West Indies": ("Caribbean Islands",), "Siberia": ("Sibir",), "Great Barrier Reef": ("The Great Barrier Reef",),
    "Grand Canyon": ("The Grand Canyon",), "Lapland": ("Sápmi",), "Great Dividing Range": ("Great Divide",),
    "Anatolia": ("Asia Minor",), "Lake Turkana": ("Lake Rudolf",), "Lake Urmia": ("Lake Orumiyeh",),
    "IJsselmeer": ("Lake IJssel",), "Falkland Islands": ("Islas Malvinas", "Malvinas"),
    "Lake Tai": ("Taihu", "Tai Hu"), "Lake Manasarovar": ("Mapam Yumco",), "Kyzylkum Desert": ("Kyzylkum",),
    "Karakum Desert": ("Karakum",), "Cape Verde Islands": ("Cabo Verde Islands",), "Socotra": ("Suqutra",),
    "Lesbos": ("Lesvos",), "Svalbard": ("Svalbard Islands",), "Chuuk": ("Truk",), "Lofoten": ("Lofoten Islands",),
}  # fmt: skip
"""Further English names of what is known by several."""

_GROUPS = frozenset({"Great Lakes", "Finger Lakes"})
"""Names of groups that Natural Earth gives as other names of a lake."""

_BODY_OF_WATER = re.compile(
    r"\b(?:lakes?|lac|lago|lagoa?|laguna|lagoon|laghi|ozero|danau|buhayrat|loch|lough|llyn|lac-à|reservoirs?|réservoir|"
    r"represa|embalse|presa|dam|shuiku|hu|nuur|nor|nur|co|yumco|tso|ko|köli|kol|göl[uü]?|sea|bay|bayou|pond|flowage|pool|river|"
    r"channel|ponds|haff|zalew|zaliv|étang|etang|see|meer|mar|tonle|sarygamysh|saktagychy|delta|lagoons|vaart)\b|"
    r"(?:järvi|jrvi|vesi|selkä|sjön|sjö|sjøen|sjoen|sjöarna|vatnet?|vatn|jaure|javri|träsk|luokta|ozero|meer|see|fjorden)\b",
    re.IGNORECASE,
)
_FOREIGN_LAKE = re.compile(
    r"^(?:Lago|Lac|Lagoa|Laguna|Ozero|Danau|Buhayrat|Hồ)(?: (?:de|di|del|da|do|des|du|la|al))* (.+)$"
    r"|^(.+) (?:Hu|Nuur|Nur|Nor|Köli|Ko|Co|Gölü|Yumco)$"
)


def spelt(name: str) -> str:
    """The name in ordinary case, unabbreviated, its lost letters restored, in English where English has one."""
    written = plain(name)
    return _ENGLISH.get(written, written)


def plain(name: str) -> str:
    """The same, in the language that the file has it in."""
    text = " ".join(name.split())
    if text in _MENDED:
        return _MENDED[text]
    text = titled(text) if text.isupper() and len(text) > 3 else text
    for pattern, replacement in _LONG:
        text = re.sub(pattern, replacement, text)
    return _MENDED.get(text, text)


def titled(name: str) -> str:
    """A name in capitals as people write it: "ÎLES DE LA SOCIÉTÉ" is "Îles de la Société"."""
    words = name.lower().split(" ")
    written = [word if index and word in _SMALL else _capital(word) for index, word in enumerate(words)]
    return " ".join(written)


def _capital(word: str) -> str:
    parts = re.split(r"([-/(])", word)
    capitals = "".join(part[:1].upper() + part[1:] for part in parts)
    return re.sub(r"^([DL])([’'])(\w)", lambda found: found[1].lower() + found[2] + found[3].upper(), capitals)


def further(name: str, others: Iterable[str | None]) -> tuple[Name, ...]:
    """All other names: those of the source, of `_MORE`, and plain spellings; none twice, none the name itself."""
    spellings = [part for other in others if other for part in _alternatives(other)]
    english = [*_MORE.get(name, ()), *(_saint(name))]
    found = {text: Name(text, "en") for text in english} | {text: Name(text) for text in spellings}
    return tuple(value for text, value in found.items() if text and text != name)


def _alternatives(other: str) -> list[str]:
    return [plain(part) for part in other.split(",") if part.strip() not in _GROUPS]


def _saint(name: str) -> list[str]:
    if re.search(r"\bSt\. ", name):
        return [re.sub(r"\bSt\. ", "Saint ", name)]
    return []


def lake_names(name: str) -> list[str]:
    """The name that English gives a lake: "Lake X" for one whose own name does not say that it is a lake."""
    foreign = _FOREIGN_LAKE.match(name)
    if foreign:
        rest = foreign[1] or foreign[2]
        return [f"Lake {rest[:1].upper()}{rest[1:]}"]
    if _BODY_OF_WATER.search(name):
        return []
    return [f"Lake {name}"]
