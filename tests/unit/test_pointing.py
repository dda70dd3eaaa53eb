"""Questions in other languages than English that go on from the one before, and those that stand by themselves."""

import pytest

from ctxcode.intent.follow import asked, refers_back
from ctxcode.intent.pointing import points_back
from ctxcode.intent.prompt import parse_prompt

BACK = """
und wo wird das aufgerufen?|warum?|ist das getestet?|wo wird es aufgerufen?|was macht diese Funktion?
gibt es dazu Tests?
was macht das?|aber warum?|erkläre genauer bitte|wie funktioniert es?
et où est-ce appelé ?|pourquoi ?|qui l'appelle ?|où est-elle définie ?|à quoi sert cette fonction ?
comment ça marche ?
¿y dónde se llama?|¿por qué?|¿dónde se define?|¿quién lo llama?|¿qué hace esta función?|¿cómo funciona eso?
e onde é chamado?|por quê?|o que faz essa função?|como isso funciona?|quem chama isso?|onde ele é definido?
e dove viene chiamata?|perché?|chi la chiama?|cosa fa questa funzione?|dove è definito?|ma come funziona?
а где это вызывается?|почему?|кто его вызывает?|что делает эта функция?|как это работает?|где она определена?
它在哪里被调用？|为什么？|那么谁调用它？|这个函数返回什么？|这段代码有测试吗？
それはどこで呼ばれますか？|なぜ？|この関数は何を返しますか？|では、テストはありますか？|誰がこれを呼びますか？
그것은 어디에서 호출되나요?|왜?|이 함수는 무엇을 반환하나요?|그럼 테스트는 있나요?|누가 그걸 호출하나요?
"""
ALONE = """
wo werden abgelaufene Sitzungen gelöscht?|wie wird ein Passwort geprüft?|gibt es Tests für den Zwischenspeicher?
wo gibt es ein Zeitlimit für Anfragen?|welche Funktion liest die Einstellungen?|was tut das Modul für Bilder?
wie funktioniert die Anmeldung in diesem Projekt?|ist es möglich, den Speicher zu leeren?|warum schlägt das Laden fehl?
où les sessions expirées sont-elles supprimées ?|comment le cache est-il vidé ?|y a-t-il un délai pour les requêtes ?
quelle fonction lit les réglages ?|que fait ce projet ?|pourquoi est-il nécessaire de vider le cache ?
¿dónde se borran las sesiones caducadas?|¿cómo se comprueba una contraseña?|¿hay un límite de tiempo para peticiones?
¿qué función lee la configuración?|¿qué hace este proyecto?|¿dónde está la clase de los usuarios?
onde são apagadas as sessões expiradas?|como é verificada uma senha?|qual função lê as configurações?
o que faz este projeto?|existe um limite de tempo para pedidos?
dove vengono cancellate le sessioni scadute?|come viene controllata una password?|quale funzione legge le impostazioni?
cosa fa questo progetto?|c'è un limite di tempo per le richieste?
где удаляются просроченные сессии?|как проверяется пароль?|какая функция читает настройки?|что делает этот проект?
会话过期后在哪里删除？|密码是怎么验证的？|这个项目是做什么的？|哪个函数读取配置？|如何清空缓存？
期限切れのセッションはどこで削除されますか？|パスワードはどう検証されますか？
このプロジェクトは何をしますか？|それぞれの設定はどこで読まれますか？
만료된 세션은 어디에서 삭제되나요?|비밀번호는 어떻게 확인하나요?
이 프로젝트는 무엇을 하나요?|설정을 읽는 함수는 무엇인가요?
y axis ticks overlap the labels|ma is a moving average, where is it plotted when prices change?
das keyboard layout
es modules are not resolved|e2e tests fail|o is undefined in the loop|ele is null when the menu closes
e mail is not sent
"""
SAVE = "how does save_session write to the store?"


def questions(text: str) -> list[str]:
    return [question for line in text.strip().splitlines() for question in line.split("|")]


@pytest.mark.parametrize("prompt", questions(BACK))
def test_a_question_that_points_back_is_searched_with_the_one_before(prompt: str) -> None:
    found = asked(prompt, [SAVE])
    assert found is not None
    assert {"save_session", "store"} <= {term for term, _ in found.terms}
    assert "save_session" in [mention.text for mention in found.mentions]


@pytest.mark.parametrize("prompt", questions(ALONE))
def test_a_question_that_stands_by_itself_does_not(prompt: str) -> None:
    alone = parse_prompt(prompt)
    assert not refers_back(alone)
    before = parse_prompt("which colours has the `dark_theme`?")
    found = asked(prompt, [before.text])
    assert found is not None
    assert alone.mentions == found.mentions
    own, other = dict(alone.terms), dict(before.terms)
    # At most a little of what was asked before.
    assert all(weight == own.get(term) or weight < other[term] / 4 for term, weight in found.terms)


def test_what_names_code_stands_by_itself() -> None:
    for prompt in ("und was macht `Cart.checkout`?", "¿y dónde se llama `total_of`?", "它和 `Cart.add` 有什么关系？"):
        assert not refers_back(parse_prompt(prompt))


@pytest.mark.parametrize("pasted", [f"das {'x' * 300}gemacht", f"y se {'x' * 300}", f"а где {'x' * 300}"])
def test_an_endless_word_is_pasted_and_points_nowhere(pasted: str) -> None:
    assert not points_back(pasted)
    assert points_back(pasted.replace("x" * 300, ""))
