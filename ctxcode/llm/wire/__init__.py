"""What model servers send, bounded, and made into what the protocol says; entry points ``Unpacked``, ``Tidied``."""
