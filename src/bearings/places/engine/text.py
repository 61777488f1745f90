"""Names and queries as comparable keys: folded, without accents and punctuation, each script kept as it is."""

import re
import unicodedata
from functools import lru_cache

ABBREVIATIONS = {"st": "saint", "ste": "sainte", "mt": "mount", "ft": "fort"}
"""Words of names that GeoNames writes both ways; see `variants`."""

_ABBREVIATED = {long: short for short, long in ABBREVIATIONS.items()}

_LATIN_WITHOUT_MARKS = str.maketrans(
    {"ø": "o", "đ": "d", "ł": "l", "ħ": "h", "ı": "i", "ŧ": "t", "æ": "ae", "œ": "oe", "þ": "th", "ð": "d"}
)
"""Letters that Unicode does not take apart, as GeoNames' ASCII names spell them."""

_HAN = "".join(
    """
    臺台 灣湾 國国 廣广 東东 門门 陝陕 蘇苏 遼辽 寧宁 龍龙 龜龟 縣县 區区 鄉乡 鎮镇 島岛 嶼屿 嶺岭 溝沟
    灘滩 濱滨 濟济 澤泽 瀋沈 貴贵 慶庆 華华 開开 關关 聯联 馬马 魯鲁 烏乌 鳥鸟 亞亚 歐欧 蘭兰 羅罗 愛爱
    爾尔 達达 紐纽 約约 維维 納纳 倫伦 葉叶 賓宾 貝贝 賽赛 賴赖 輪轮 運运 過过 遠远 連连 適适 選选 邊边
    邁迈 鄧邓 鄭郑 長长 閩闽 陽阳 陰阴 陳陈 隊队 階阶 隨随 際际 險险 雙双 雲云 電电 靈灵 靜静 頓顿 順顺
    顏颜 頭头 額额 風风 飛飞 魚鱼 鮮鲜 鷹鹰 鹽盐 麗丽 麥麦 黃黄 點点 齊齐 齒齿 萬万 與与 業业 樂乐 橋桥
    機机 樹树 歷历 曆历 歲岁 漢汉 潔洁 濕湿 營营 環环 畫画 礦矿 禮礼 種种 穩稳 積积 穀谷 築筑 簡简 糧粮
    紅红 紋纹 級级 細细 終终 絲丝 經经 綠绿 緬缅 線线 緯纬 縱纵 總总 織织 繩绳 繼继 續续 義义 習习 聖圣
    聲声 職职 腦脑 舊旧 艦舰 節节 蓋盖 薩萨 藍蓝 藝艺 處处 衛卫 補补 複复 見见 規规 覺觉 觀观 計计 訪访
    設设 許许 話话 該该 語语 說说 諸诸 諾诺 謝谢 識识 議议 護护 讓让 豐丰 財财 貢贡 貨货 費费 貿贸 資资
    質质 車车 軍军 軟软 載载 輝辉 農农 進进 邏逻 郵邮 釋释 釣钓 鈴铃 銀银 銅铜 鋼钢 錢钱 錫锡 鐘钟 鐵铁
    鑼锣 鑽钻 閃闪 間间 閣阁 闊阔 隴陇 個个 倉仓 們们 傑杰 傘伞 備备 傳传 億亿 儀仪 內内 兩两 冊册 凍冻
    凱凯 別别 劃划 劉刘 劍剑 劑剂 動动 務务 勝胜 勞劳 勢势 匯汇 協协 單单 卻却 厲厉 參参 吳吴 員员 問问
    啟启 喬乔 嘗尝 噸吨 園园 圓圆 圖图 團团 執执 堅坚 報报 場场 塊块 墳坟 墾垦 壩坝 壯壮 壽寿 夢梦 夾夹
    奧奥 奪夺 婁娄 孫孙 學学 宮宫 實实 審审 寫写 寬宽 寶宝 將将 專专 尋寻 對对 導导 層层 屬属 岡冈 峽峡
    巒峦 師师 帥帅 帶带 幣币 幾几 庫库 廈厦 廟庙 廠厂 彌弥 彎弯 後后 從从 復复 徵征 恆恒 戰战 戲戏 戶户
    掃扫 揚扬 換换 損损 撣掸 擊击 據据 敘叙 斂敛 於于 時时 曉晓 書书 會会 條条 來来 極极 榮荣 構构 樓楼
    標标 檳槟 權权 欽钦 殘残 殺杀 氣气 決决 沖冲 況况 淚泪 淨净 淺浅 渾浑 湯汤 準准 溫温 滄沧 滅灭 滿满
    漁渔 漲涨 潤润 澀涩 濃浓 濰潍 瀏浏 瀘泸 瀾澜 灕漓 灑洒 煙烟 熱热 爺爷 牆墙 狀状 獅狮 獨独 獲获 獻献
    瑪玛 瓊琼 產产 畢毕 異异 當当 療疗 發发 皺皱 盜盗 監监 盤盘 盧卢 眾众 碼码 確确 縮缩 罰罚 羣群 膠胶
    臨临 蘆芦 蕪芜 蕭萧 薦荐 虛虚 蝦虾 衝冲 錦锦 鎖锁 鏡镜 鄲郸 隸隶 雞鸡 離离 難难 韓韩 韋韦 項项 須须
    預预 領领 頗颇 飯饭 館馆 駐驻 驛驿 髮发 鬥斗 鴨鸭 鵝鹅 鶴鹤 麼么 広广 県县 沢泽 浜滨 竜龙 亜亚 栄荣
    桜樱 櫻樱 実实 対对 弾弹 彈弹 関关 駅驿 塩盐 団团 囲围 圍围 図图 豊丰 歩步 戸户
    """.split()
)
"""Characters of names in their traditional (or Japanese) form, each before the simplified one, as Unihan pairs them."""

_SPELT_ALIKE = str.maketrans(
    {
        **{chr(0x2D00 + i): chr(0x10D0 + i) for i in range(38)},
        **{chr(0x1210 + i): chr(0x1200 + i) for i in range(7)},
        **{chr(0x1280 + i): chr(0x1200 + i) for i in range(7)},
        **{chr(0x1220 + i): chr(0x1230 + i) for i in range(7)},
        **{chr(0x12D0 + i): chr(0x12A0 + i) for i in range(7)},
        **{chr(0x1340 + i): chr(0x1338 + i) for i in range(7)},
    }
    | {"ё": "е", "أ": "ا", "إ": "ا", "آ": "ا", "ى": "ي", "ی": "ي", "ک": "ك", "ـ": ""}
    | {"\u093c": "", "\u0a3c": "", "\u0abc": "", "\u0cbc": "", "\u0901": "\u0902", "\u0a70": "\u0a02"}
    | {"\u1213": "\u1200", "\u1283": "\u1200", "\u1203": "\u1200", "\u12d3": "\u12a0", "\u12a3": "\u12a0"}
    | dict(zip(_HAN[::2], _HAN[1::2], strict=True))
)
"""Letters that writers exchange freely: of Russian, Arabic and Persian; the nukta and nasal signs of Indic scripts; the
old alphabets of Georgian; the letters of Amharic that sound alike; Han variants."""

LONGEST_NAME = 200
"""Characters of the longest key of a name (193 among GeoNames')."""

_APOSTROPHES = frozenset("'`´‘’ʻʼʹʾʿ′՚՛՜՞")
"""Dropped. Armenian sets its signs of stress, exclamation and question within words."""
_ACRONYM = re.compile(r"(?<!\w)(?:\w\.){2,}\w?(?!\w)")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+")
_UNGUESSABLE = re.compile(r"[\d\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")


class _Folding(dict[int, str]):
    """For `str.translate`: each character's place in a key, worked out when it is first met."""

    def __missing__(self, code: int) -> str:
        folded = _fold(chr(code))
        self[code] = folded
        return folded


def _fold(char: str) -> str:
    """One character as it stands in a key: "" if it is dropped, a space if it separates."""
    if char in _APOSTROPHES or unicodedata.category(char) in {"Cf", "Cs"}:
        return ""
    if unicodedata.category(char) == "Mn" and _is_optional_mark(char):
        return ""
    if char == "&":
        return " and "
    if unicodedata.category(char)[0] not in "LNM":
        return " "
    base = unicodedata.normalize("NFD", char)[0]
    if unicodedata.name(base, "").startswith(("LATIN", "GREEK")):
        return base.casefold().translate(_LATIN_WITHOUT_MARKS)
    return char.casefold().translate(_SPELT_ALIKE)


def _is_optional_mark(char: str) -> bool:
    """Accents, Hebrew points and Arabic vowels: written or not. Vowel signs of Indic scripts are letters."""
    return "\u0300" <= char <= "\u036f" or unicodedata.name(char, "").startswith(("HEBREW", "ARABIC"))


_FOLDING = _Folding()


@lru_cache(maxsize=4096)
def normalise(text: str) -> str:
    """The key of a name: words separated by single spaces. Idempotent; empty where nothing can be compared.

    NFKC, folded, Latin and Greek letters without accents, punctuation as space, apostrophes and the dots of acronyms
    dropped ("Washington D.C." → "washington dc"). Other scripts stay: "東京", "москва".
    """
    key = _pass(text)
    while not key.isascii() and (again := _pass(key)) != key:
        key = again
    return key


def key_of(name: str) -> str:
    """As `normalise`, for the millions of names of a build: not cached, and quick for ASCII."""
    if name.isascii() and name.isalpha():
        return name.lower()
    return normalise.__wrapped__(name)


def _pass(text: str) -> str:
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    if "." in text:
        text = _ACRONYM.sub(lambda acronym: acronym[0].replace(".", ""), text)
    folded = text.translate(_FOLDING)
    return " ".join(folded.split() if folded.isascii() else unicodedata.normalize("NFKC", folded).split())


def variants(key: str) -> list[str]:
    """The key, and the same name as others write it: with "saint" for "st", without a leading "the"."""
    words = key.split(" ")
    spelt = " ".join(ABBREVIATIONS.get(word, word) for word in words)
    short = " ".join(_ABBREVIATED.get(word, word) for word in words)
    bare = " ".join(words[1:]) if words[0] == "the" else key
    return list(dict.fromkeys(each for each in (key, spelt, short, bare) if each))


def is_unspaced(key: str) -> bool:
    """Whether the key is one run of Chinese or Japanese, where words are not separated."""
    return _UNSPACED.fullmatch(key) is not None


def is_guessable(key: str, least: int = 5) -> bool:
    """Whether a key may be completed or corrected: `least` letters or more, no digit, letters of an alphabet.

    A key that is longer than names are is none: each guess is as long, and there are as many as it has letters.
    """
    return least <= len(key) <= LONGEST_NAME and _UNGUESSABLE.search(key) is None
