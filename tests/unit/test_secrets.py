"""What is taken out of a text before a model gets it, and what is not."""

import pytest
from made_up_keys import HEX, KEYS, RANDOM

from ctxcode.model.secret.path import is_secret
from ctxcode.model.secret.text import SecretKind, SecretPolicy, secret_values, secrets_in, withheld


@pytest.mark.parametrize("name", KEYS)
def test_a_key_of_a_known_shape_is_withheld_wherever_it_stands(name: str) -> None:
    key = KEYS[name]
    for text in (key, f"x = '{key}'\ny = 1\n", f'{{"k": "{key}", "n": 2}}', f"see {key} here"):
        made = withheld(text)
        assert 1 == len(made.kinds), text
        assert key[8:40] not in made.text
        assert text.replace(key, f"[withheld: {made.kinds[0]}]") == made.text


@pytest.mark.parametrize(
    "line",
    [
        f'API_KEY = "{RANDOM}"',
        f"api_key: {RANDOM}",
        f'"client_secret": "{HEX}"',
        f"const authToken: string = '{RANDOM}';",
        f"export DB_PASSWORD={RANDOM}",
        f'let secret = b"{RANDOM[:24]}"',
        f'os.environ["API_TOKEN"] = "{RANDOM}"',
        f'os.environ.setdefault("API_TOKEN", "{RANDOM}")',
        f"aws_secret_access_key = {RANDOM}+/xY",
        f"postgres://shop:{RANDOM[:12]}@db.internal/shop",
        f"Authorization: Bearer {RANDOM}",
    ],
)
def test_a_random_value_with_a_telling_name_is_withheld(line: str) -> None:
    made = withheld(line)
    assert 1 == len(made.kinds)
    assert RANDOM[:12] not in made.text
    assert HEX not in made.text
    assert line[:6] == made.text[:6]


@pytest.mark.parametrize(
    "line",
    [
        'token = "csrfmiddlewaretoken"',
        'SECRET_KEY = "django_tests_secret_key"',
        'password = get_random_string(length=32, chars="abcdefghijklmnopqrstuvwxyz0123456789")',
        'api_key = os.environ["OPENAI_API_KEY"]',
        "token_path = '/var/run/secrets/kubernetes.io/token2'",
        "sk-fading-circle sk-circle-fade-dot-container-one",
        'key = f"views.decorators.cache.cache_page.{prefix}.{method}"',
        "commit 9f3ac1e07b52d846f0c3b19a7d65e2840011aabb",
        '"integrity": "sha512-q7Rv2LxT9mKd4WzB8nYc3HgP6sJf5VtAeUi1q7Rv2LxT9mKd4WzB8nYc3HgP6sJf=="',
        "postgres://user:password@localhost/db and https://user:${PASSWORD_1}@host/",
        'AWS_ACCESS_KEY_ID="AKIAIOSFODNN7EXAMPLE"',
        "-----BEGIN PRIVATE KEY-----",
        'if line.startswith("-----BEGIN RSA PRIVATE KEY-----"): key_lines = []',
        "class AccessTokenAuthenticationMiddleware2Factory:",
        'keys = ["test_a_pinned_file_is_not_retrieved_again2"]',
        "const tokenKind = SyntaxKind.NoSubstitutionTemplateLiteral2;",
    ],
)
def test_code_that_is_about_secrets_is_left_alone(line: str) -> None:
    assert (line, ()) == (withheld(line).text, withheld(line).kinds)


@pytest.mark.parametrize(
    "name", ["api_key", "API\u212aEY", "\u017fecret_key", "credent\u0131al_token", "\u0130_api_key"]
)
def test_a_name_says_so_of_the_values_of_its_own_line_only(name: str) -> None:
    text = f"x = 1\nother = '{RANDOM}'\n{name} = '{RANDOM}', '{HEX}'\n'{RANDOM}'\n"
    (found,) = secrets_in(text)
    assert text.index(name) < found.start
    assert RANDOM == text[found.start : found.end]
    assert SecretKind.ASSIGNED is found.kind


def test_values_of_the_users_environment_are_withheld_wherever_they_stand() -> None:
    made = withheld("first correct-horse-1, then correct-horse-1.", ("correct-horse-1", "short"))
    assert "first [withheld: value of your environment], then [withheld: value of your environment]." == made.text


def test_overlapping_finds_become_one() -> None:
    text = f'token = "{KEYS["GitHub"]}"'
    assert [SecretKind.PROVIDER_KEY] == [one.kind for one in secrets_in(text, (KEYS["GitHub"][4:],))]


def test_only_variables_whose_names_say_so_and_whose_values_are_worth_it_are_secrets() -> None:
    variables = {
        "OPENAI_API_KEY": "abcdef-1234",
        "DB_PASSWORD": "hunter2hunter2",
        "KEYBOARD_LAYOUT": "neo-1234567",
        "TOKEN": "short1",
        "SSH_KEY": "/home/ann/.ssh/id_rsa",
        "SECRET": "whatever",
        "HOME": "/home/ann/12345",
    }
    assert ("hunter2hunter2", "abcdef-1234") == secret_values(variables.items())


def test_a_policy_that_is_off_withholds_nothing_and_never_shows_its_values() -> None:
    policy = SecretPolicy(is_on=False, known=("hunter2hunter2",))
    assert "my hunter2hunter2" == policy.cleared("my hunter2hunter2").text
    assert not policy.finds(KEYS["PEM"])
    assert "hunter2" not in repr(policy)


@pytest.mark.parametrize(
    "path",
    [
        ".env", "a/.ENV.local", ".envrc", "prod.env", "k/server.key", "id_rsa.pub", ".aws/credentials", "x/.npmrc",
        "home/.kube/config", ".config/gcloud/access_tokens.db", "client_secret_12.json", "infra/prod.tfstate",
        "release.keystore", "config/secrets.yml", "a/Service-Account-prod.json", ".cargo/credentials.toml",
    ],
)  # fmt: skip
def test_secret_files_are_known_by_name(path: str) -> None:
    assert is_secret(path)


@pytest.mark.parametrize(
    "path",
    [
        "environment.py", "keys.py", "docs/credentials.md", "rsa.py", "config.json", "secrets.py", "service_account.py",
        "gcloud/storage.py", "locales/en/auth.json", ".config/nvim/init.lua", "client_secret.py",
    ],
)  # fmt: skip
def test_code_about_secrets_is_read(path: str) -> None:
    assert not is_secret(path)
