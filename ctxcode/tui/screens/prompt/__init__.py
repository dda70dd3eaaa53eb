"""The prompt on a screen: completion, history, the editor; entry point ``PromptScreen``."""
