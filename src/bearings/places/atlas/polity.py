"""Names of countries without the words that only say what kind of state or place they are, in many languages.

"Republiek Palau" is "palau", "Saint Vincent og Grenadinerne" "saint vincent grenadinerne", "ประเทศไทย" "ไทย". Names and
queries are bared alike, so that they meet whatever form, islands, conjunctions and articles either says. All words are
in the form of keys (text.py).
"""

from functools import cache
from typing import NamedTuple

from bearings.places.engine import text

_FORMS = """
republic republica republika republiek republik republique repubblica republiken republikken republiikki republica
republike republikes republikas respublika respublikasi respublikasy respubliki repubulika repubilika repubiliki
republiki rebublikka republikko respubliko republikk rėspublika ripablik riphabliki iriphabliki rephaboliki
bondsrepubliek bundesrepublik forbundsrepublikken volksrepubliek volksrepublik folkerepublikken folkrepubliken
tasavalta tasavallan liittotasavalta kansantasavalta vabariik rahvavabariik liitvabariik koztarsasag koztarsasaga
lydveldi lydveldid poblacht phoblacht daonphoblacht gweriniaeth jamhuri jamhuuriyadda jamhuriyati cumhuriyeti
cumhuriyet cumhuriyyeti comhuriyete komar komara komari cong hoa phobblaght rd dr arab arabische arabe arabska arabisk
kingdom koninkrijk konigreich royaume reino regno kongeriget kongeriket konungariket kuningaskunta kuningriik
kiralysag kiralysaga krolestwo kralovstvi kralovstvo kraljevina kralevina kralstvo karalyste karaliste regat regatul
teyrnas riocht ufalme boqortooyada kralligi kerajaan vuong quoc erresuma regne masarautar
state states stat staten staat staaten estado estados etat etats stato stati estat estats stany staty drzava drzave
valstybe valstijos valsts riik osariigid allam allamok shtet shteti shtetet valtio valtiot valdkond devlet devleti
dowleti davlati dawlat rikki rikjanna negara statele taleithiau ilblat bondsstaat bundesstaat wladza
country land pays pais paese nchi kasar ulke
principality vorstendom furstentum principaute principado principato principat fyrstendommet furstendomet
ruhtinaskunta vurstiriik hercegseg ksiestwo knizectvi kniezatstvo knezevina kunigaikstyste prinsessa prionsacht
duchy groothertogdom grossherzogtum duche ducado ducato storhertugdommet storhertugdomet suurherttuakunta
nagyhercegseg wielkie velkovevodstvi
sultanate sultanaat sultanat sultanato sultanatet sulttaanikunta emirate emirates emiraten emirati emirats
federation federatie foderation federacion federazione federacao federacja federace federacija federatia foderationen
foderasjonen liittovaltio foderacio federasyonu federasiyasi confederation confederatie confederacion konfederation
union unione unie unia unija commonwealth gemenebest
islamic islamitische islamische islamique islamica islamska islamski islamisk islamiska islamilainen islamska islam
democratic democratische demokratische democratique democratica demokratska demokraticka demokratyczna demokratisk
demokratiska demokratiske demokratik demokrat demokraattinen demokratikus demokratine democratico democratic
demokratiki dan chu
people peoples populaire popular popolare ludowa lidova ludova narodna halk xalq
socialist socialistische sozialistische socialiste socialista federal federale federative federatieve foderale
federalna federativa federativni united verenigde vereinigte unis unies unidos unidas uniti uniti zjednoczone spojene
ujedinjene forente forenede forenade yhdistyneet plurinational plurinationale plurinacional
cooperative cooperatieve kooperative bolivarian bolivarische bolivariana bolivarienne independent onafhankelijke
unabhangige oriental
δημοκρατια δημοκρατιας λαικη λαικης λαοκρατικη λαοκρατικης λαϊκη ισλαμικη ομοσπονδιακη βασιλειο βασιλειου πριγκιπατο
πριγκιπατου πολιτεια πολιτειες κρατος δουκατο μεγαλο σουλτανατο αραβικη αραβικα
республика республики республіка республикасы республикаси республикаһы република республикаһы
жумхурии ҷумҳурии ҷумҳурият королевство королевства королівство кралство краљевина кралство държава
государство держава княжество князівство кнежевина султанат федерация федерації федерација федерациясы федеративная
исламская ісламська исламска демократическая демократична демократска народная народна народная социалистическая
мемлекеті мемлекети мамлекети давлати улс бүгд найрамдах ард ардчилсан пачхьалкх герцогство эмирати
جمهورية جمهورى جمهوري جمهوريه جمهوریت المملكة مملكة مملكت پادشاهي دولة دولت سلطنة سلطنت امارة الامارات كوماري كۆماري
شانشيني شانشینی ولاتي الاسلامية اسلامي الديمقراطية ديمقراطية دموكراتيك الشعبية الاتحادية المتحدة عوامي
רפובליקת רפובליקה הרפובליקה ממלכת הממלכה נסיכות נסיכת מדינת הדמוקרטית העממית האסלאמית סולטנות
गणराज्य गणतंत्र गणतन्त्र प्रजासत्ताक प्रजातन्त्रिक जनवादी लोकतांत्रिक राज्य साम्राज्य संघराज्य
প্রজাতন্ত্র প্রজান্ত্র গণতান্ত্রিক গণপ্রজাতন্ত্রী ਗਣਰਾਜ ਗਣਤੰਤਰ પ્રજાસત્તાક குடியரசு గణతంత్రం ഗണരാജ്യം ರಾಜ್ಯ ಗಣರಾಜ್ಯ ජනරජය
"""

_ISLANDS = """
island islands isle isles eiland eilanden insel inseln ile iles isla islas isola isole ilha ilhas illa illes islles
insula insulele insulas insuli insulo insuloj oy oya oyene oyane oer oerne oarna on saari saaret saar saared sziget
szigetek eyja eyjar eyjarnar oyggj oyggjar oyggjarnar wyspa wyspy ostrov ostrovy ostrova ostrvo ostrva otok otoki otoci
sala salos salas ishulli ishujt uharte uharteak inis inizi enez oilean oileain ynys ynysoedd ellan ellanyn eilean
eileanan kisiwa visiwa pulau kepulauan ada adasi adalari adalar dao quan jasiiradda jasiiradaha tsibirin tsibirai
gzira gzejjer lapkampi utrawlari atoll archipelago archipel archipelago territory territories gebied
νησος νησοι νησων νησι νησια
остров острова острів острови острво острва острови астравы аралы аралдары атрауы утраулары утрауҙары арлууд арал
джазира ҷазираи ҷазираҳои гӏайренаш дияс діяс утравесем
جزيرة جزر جزيره جزاير جزائر دوورگه دوورگەي دوورگەكاني ئاراللىرى ئارىلى ټاپو ټاپوګان ٻيٽ
אי איי האי
द्वीप द्वीपसमूह द्वीपसमुह समूह टापु টাপু দ্বীপ দ্বীপপুঞ্জ ਟਾਪੂ ਦੀਪ ટાપુઓ ટાપુ ଦ୍ବୀପ ଦ୍ୱୀପପୁଞ୍ଜ
தீவு தீவுகள் ద్వీపం ద్వీపాలు దీవులు ദ്വീപ് ദ്വീപുകൾ ದ್ವೀಪ ದ್ವೀಪಗಳು දූපත් දූපත
კუნძული კუნძულები կղզի կղզիներ ደሴቶች ደሴት ደሴቶችና
"""

_LINKS = """
and und et en og och ja y e i a und ir un va ve eta dhe agus ac na ha iyo es sy u ka kple cu ne ati ma nan sama
of the de het van von der die das dem den des du la le les el los las lo l d del della dei do da dos das di il i
al ar as an na ny o os yn y to tou tis ton tes af av se ning nam me
και η ο οι του της των το τα
и й і та да ва бан менен мен жана және болон ба һәм һам тата йә дә
و ئو او اور ۋە
ו של
और व तथा एवं र ও এবং আৰু ਅਤੇ ਤੇ અને ଏବଂ மற்றும் మరియు ಮತ್ತು കൂടാതെ ഒപ്പം සහ හා
და և እና
"""

_SAINTS = """
saint sainte st ste sankt sankti sint san santa santo sant sao sveti sveta svaty svata svety szent swiety swieta sfantu
sfantul sen santu seint sent sin
сент сен сенти санкт свети света святой свята святы сэнт сант
αγιος αγια αγιου
سانت سينت سنت سان
סנט
सेंट सेन्ट सेंट্ সেন্ট ਸੇਂਟ સેંટ સેન્ટ செயின்ட் సెయింట్ സെന്റ് ಸೇಂಟ್ ශාන්ත
სენტ սենթ
"""

_JOINED = """
สาธารณรัฐ ราชอาณาจักร ประเทศ สหพันธรัฐ หมู่เกาะ เกาะ
ສາທາລະນະລັດ ລາຊະອານາຈັກ ປະເທດ ໝູ່ເກາະ ຫມູ່ເກາະ ເກາະ
សាធារណរដ្ឋ ព្រះរាជាណាចក្រ ប្រទេស ប្រជុំកោះ កោះ
နိုင်ငံ ကျွန်းစု ကျွန်းများ ကျွန်း
民主主义人民共和国 人民共和国 民主共和国 共和国 王国 公国 联邦 群岛 群島 羣岛 羣島 诸岛 諸島
공화국 민주공화국 왕국 제도 군도 섬
"""
"""Written without a space before or behind the name."""

_LEAST_REST = 2
_ARABIC_ARTICLE, _ARABIC_AND = "ال", "و"
_LEAST_ARABIC = 5
"""Letters of an Arabic word from which on a first "and" may be one."""


class Bare(NamedTuple):
    """A key without words for a form of state, and whether it had one."""

    key: str
    formal: bool


class _Words(NamedTuple):
    forms: frozenset[str]
    left_out: frozenset[str]
    saints: frozenset[str]
    joined: tuple[str, ...]


@cache
def _words() -> _Words:
    forms, islands, links, saints, joined = (
        frozenset(filter(None, map(text.key_of, words.split())))
        for words in (_FORMS, _ISLANDS, _LINKS, _SAINTS, _JOINED)
    )
    return _Words(forms, forms | islands | links, saints, tuple(sorted(joined, key=lambda word: (-len(word), word))))


def bared(key: str) -> Bare:
    """A key without such words; as it is where nothing else would be left."""
    words, known = key.split(" "), _words()
    words_left = [
        _saint(_plain(word, number), known) for number, word in enumerate(words) if word not in known.left_out
    ]
    formal = any(word in known.forms for word in words)
    rest = " ".join(words_left)
    for word in known.joined if not rest.isascii() else ():
        cut = rest.removeprefix(word).removesuffix(word).strip()
        if cut != rest and len(cut) >= _LEAST_REST:
            rest, formal = cut, True
    return Bare(rest, formal) if rest else Bare(key, False)


def _saint(word: str, known: _Words) -> str:
    return "saint" if word in known.saints else word


def _plain(word: str, number: int) -> str:
    """An Arabic word without "and" and its article."""
    if number and len(word) >= _LEAST_ARABIC:
        word = word.removeprefix(_ARABIC_AND)
    return word.removeprefix(_ARABIC_ARTICLE) if len(word) >= _LEAST_ARABIC else word
