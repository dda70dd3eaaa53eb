"""How questions in other languages than English point back: how they begin, and what stands for a thing in them.

Left out is what as often stands for something in the same question: German *sie* and *es* alone, French *est-il* behind
a noun. What is missed is searched for alone, as before; what is taken wrongly would search for something else too.
"""

import re
from functools import cache

_MOST_WORDS, _MOST_CHARS = 8, 160
"""Of a short question. What is pasted may be one endless word, for which the patterns would take minutes."""
_MOST_UNSPACED_CHARS = 40
"""Of one in a language that writes no blanks."""

_BARE_TEXT = """
aber beispiel beispiele bitte da das dazu denn detail details doch eigentlich einfacher erklär erkläre erklären es
genau genauer inwiefern mal mehr mir noch so und wann warum was wer weshalb wie wieso wo wofür woher wozu zeig zeige
comment davantage détails encore exactement exemple exemples explique expliquez et où plus pourquoi précisément quand
qui quoi un
cómo cuál cuándo dónde ejemplo ejemplos exactamente explica explícame explícalo más por porque qué quién y
como detalhes e exatamente exemplo exemplos explica explique mais onde porquê quais qual quando quem que quê
chi come cosa dettagli dove esattamente esempio esempi perché più quale quando spiega spiegami spiegalo un
а где ещё еще зачем и как какой когда кто объясни объясните подробнее подробней почему пример примеры точнее что
为什么 为何 怎么 怎样 如何 哪里 在哪里 什么 谁 何时 什么时候 详细 详细点 详细一点 例子 举个例子 解释一下
具体 具体点 然后呢
なぜ なぜですか どうして どうしてですか なんで どこ どこですか どう どうやって 誰 いつ 例えば たとえば
詳しく もっと もっと詳しく 具体的に
왜 왜요 어떻게 어디 어디서 누가 언제 뭐 예를 들면 더 자세히 좀 구체적으로
"""
BARE = frozenset(_BARE_TEXT.split())
"""Words which among themselves ask about what was said before."""

_THINGS = {
    "de": "funktion|methode|klasse|datei|fehler|code|tests?|werte?|modul|aufruf|typ|stelle|zeile",
    "fr": "fonctions?|méthodes?|classes?|fichiers?|erreurs?|code|tests?|valeurs?|modules?|appels?|type|lignes?",
    "es": "funci[oó]n|funciones|m[eé]todos?|clases?|archivos?|ficheros?|error(?:es)?|c[oó]digo|pruebas?|tests?|valor"
    "|valores|m[oó]dulos?|tipos?",
    "pt": "funç(?:ão|ões)|métodos?|classes?|arquivos?|ficheiros?|erros?|código|testes?|valor(?:es)?|módulos?|tipos?",
    "it": "funzion[ei]|metod[oi]|class[ei]|file|error[ei]|codice|test|valor[ei]|modul[oi]|tip[oi]",
    "ru": r"(?:функци|метод|класс|файл|ошибк|модул|тест|код|тип|значени)\w*",
}
_PATTERNS = (
    # German
    r"^(?:und|aber|oder|was ist mit|wie (?:ist|sieht|steht) es mit)\b",
    r"\bdas(?=\W*$)|\bdas(?= (?:\w*ge\w+(?:t|en)|\w+iert|be\w+t|ver\w+(?:t|en)|so|hier|noch|auch|genau|eigentlich)\b)",
    r"\b(?:macht|tut|funktioniert|bedeutet|wird|wurde|liegt) (?:es|sie|er)\b|\bruft (?:es|sie|ihn)\b",
    r"\b(?:davon|dafür|dabei|dazu|darin|darauf)\b",
    rf"\bdiese[rsnm]? (?:{_THINGS['de']})\b|\bdiese[rsnm]?(?=\W*$)",
    # French
    r"^(?:et|mais|qu['’]en est-il)\b",
    r"\b(?:ça|cela|ceci|cel(?:ui|le|les)-ci|ceux-ci)\b",
    r"^(?:où|comment|pourquoi|quand|que)\s(?:\w+-)(?:t-)?(?:ils?|elles?)\b(?!\s(?:possible|nécessaire|important|utile))",
    r"^qui (?:l['’]|les? |la )\w+",
    rf"\b(?:cet(?:te)?|ces?) (?:{_THINGS['fr']})\b",
    # Spanish
    r"^y (?=(?:por|para|c[oó]mo|d[oó]nde|qu[eé]|qui[eé]n|cu[aá]\w+|si|en|el|la|los|las|se|no|es[oaet]\w*)\b)",
    r"^(?:pero|entonces|qu[eé] (?:pasa|hay) con)\b",
    r"\b(?:eso|esto|ello)\b|\bqui[eé]n(?:es)? l[oa]s? \w+",
    r"\bd[oó]nde se \w+(?=\W*$)|\bsus? (?:pruebas?|tests?|m[eé]todos?)\b",
    rf"\b(?:es[ae]|est[ae]|es[ao]s|est[ao]s) (?:{_THINGS['es']})\b",
    # Portuguese
    r"^e (?=(?:por|para|como|onde|o|os|as?|que|quem|qua\w+|se|em|no|na|não|isso|esse|essa|este|esta)\b)",
    r"^mas\b|^então\b|\b(?:isso|isto|disso|disto|nisso|nisto)\b",
    r"^(?:onde|como|quem|quando|por ?qu[eê]|o que)\b.*\b(?:eles?|elas?|del[ea]s?)\b",
    r"\bonde (?:é|são) \w+[oa]s?(?=\W*$)",
    rf"\b(?:ess[ae]s?|est[ae]s?) (?:{_THINGS['pt']})\b",
    # Italian
    r"^e (?=(?:per|come|dove|cosa|che|chi|quando|qual\w*|se|in|il|la|lo|i|gli|le|non|perch[eé]|quest\w+)\b)",
    r"^ma\b(?= \w+ \w)|\b(?:ciò|esso|essa|essi)\b|\bquesto(?=\W*$)",
    r"\bchi l[oaie] \w+|\bdove (?:viene|vengono|è|sono) \w+t[oaie](?=\W*$)",
    rf"\b(?:quest[aoie]|quell[aoe]|quel|quei) (?:{_THINGS['it']})\b",
    # Russian
    r"^(?:а|и|но|или|тогда)\b",
    r"\b(?:он|она|оно|они|его|её|ее|их|ему|ей|этого|этому|этим)\b|\bэто(?=\W*$)",
    r"\bэто (?=(?:работает|делает|значит|означает|происходит|вызывается|используется|определ|тестируется|провер)\w*)",
    rf"\bэт(?:а|у|ой|от|ом|и|их) {_THINGS['ru']}",
)
_UNSPACED = (
    # Chinese
    r"^(?:那么?|还有|但是?|所以|然后|另外)",
    r"它|(?:这个|那个)(?!项目|仓库|代码库|程序|库|应用|包|软件)|这段|这些|那些|这里|上面的|前面的",
    # Japanese
    r"^(?:では|じゃ|それで|それなら|でも|しかし|そして|ちなみに)",
    r"それ(?!ぞれ)|これ(?!から|まで)|(?:その|この)(?:関数|メソッド|クラス|ファイル|エラー|モジュール|テスト|コード|型|値|変数|処理|中)",
    # Korean
    r"^(?:그럼|그러면|그리고|그런데|하지만|그래서)",
    r"그것|이것|그게|이게|그거|이거|그걸|이걸",
    r"(?:그|이|해당) (?:함수|메서드|메소드|클래스|파일|오류|에러|모듈|테스트|코드|타입|값|변수)",
)
_HAN_OR_KANA = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]")
_OPENING = " \t\r\n¿¡«„“\"'([-–—…"


def points_back(text: str) -> bool:
    """Tell whether a short question in another language than English goes on from the one before."""
    text = text.strip().lstrip(_OPENING)
    if len(text) > _MOST_CHARS or len(text.split()) > _MOST_WORDS:
        return False
    if _spaced().search(text) is not None:
        return True
    return not text.isascii() and len(text) <= _MOST_UNSPACED_CHARS and _unspaced().search(text) is not None


def is_unspaced(text: str) -> bool:
    """Tell whether a text is in a script that has no blanks between words, so that what looks like one may be many."""
    return not text.isascii() and _HAN_OR_KANA.search(text) is not None


@cache
def _spaced() -> re.Pattern[str]:
    # Made when a second question is asked: it takes as long as the rest of the stage.
    return re.compile("|".join(_PATTERNS), re.IGNORECASE)


@cache
def _unspaced() -> re.Pattern[str]:
    return re.compile("|".join(_UNSPACED))
