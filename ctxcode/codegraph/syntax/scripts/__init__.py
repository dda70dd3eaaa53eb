"""What functions and blocks of JavaScript and TypeScript have for themselves.

``given`` tells apart what a function gives to one name after another, ``blocks`` keeps what a block defines in it.
"""
