"""A small repository that the tests open, index and ask about; what three more languages add costs a second to read."""

from pathlib import Path

FILES = {
    "shop/__init__.py": '"""A shop."""\n',
    "shop/cart.py": '''"""The cart."""

from shop.price import Price, total_of


class Cart:
    """Things a customer wants to buy."""

    def __init__(self) -> None:
        self.prices: list[Price] = []

    def add(self, price: Price) -> None:
        """Put a thing into the cart."""
        self.prices.append(price)

    def checkout(self) -> int:
        """Return what the customer has to pay, in cents."""
        return total_of(self.prices)
''',
    "shop/price.py": '''"""Prices in cents."""

from dataclasses import dataclass

VAT_PERCENT = 19


@dataclass(frozen=True)
class Price:
    """A price before tax."""

    cents: int

    def with_tax(self) -> int:
        """Return the price with value-added tax."""
        return self.cents * (100 + VAT_PERCENT) // 100


def total_of(prices: list[Price]) -> int:
    """Return the sum of prices with tax."""
    return sum(price.with_tax() for price in prices)
''',
    "tests/test_cart.py": """from shop.cart import Cart
from shop.price import Price


def test_checkout_adds_tax() -> None:
    cart = Cart()
    cart.add(Price(100))
    assert cart.checkout() == 119
""",
    "LICENSE": "# Shop\n",
    "logo.png": "\x89PNG\0\0",
}

OTHER_LANGUAGES = {
    "web/client.ts": """import { request } from './http';

/** Sends the cart to the server, again after a failure. */
export async function sendCart(prices: number[]): Promise<boolean> {
  return request('/cart', { prices });
}
""",
    "web/http.ts": """export async function request(path: string, body: unknown): Promise<boolean> {
  const reply = await fetch(path, { method: 'POST', body: JSON.stringify(body) });
  return reply.ok;
}
""",
    "core/src/lib.rs": """//! Stock keeping.

/// How many are left.
pub struct Stock {
    pub left: u32,
}

impl Stock {
    /// Takes one away.
    pub fn take(&mut self) -> bool {
        if self.left == 0 {
            return false;
        }
        self.left -= 1;
        true
    }
}
""",
    "server/main.go": """package main

// Serve answers requests for carts.
func Serve(port int) error {
	return listen(port)
}

func listen(port int) error {
	return nil
}
""",
}


def write_sample(folder: Path) -> Path:
    """Write the repository, all of it in Python, into a folder and return it."""
    return _written(folder, FILES)


def write_sample_of_four_languages(folder: Path) -> Path:
    """Write the repository with its parts in TypeScript, Rust and Go into a folder and return it."""
    return _written(folder, FILES | OTHER_LANGUAGES)


def _written(folder: Path, files: dict[str, str]) -> Path:
    for path, text in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text.encode("utf-8"))
    return folder
