"""The error tree.

CtxcodeError                what a user can be told in one sentence and one action
├── UsageError              the command line or a command's words are off (exit code 2)
├── SettingsError           a settings file is broken (2)
├── RepositoryError         not a directory, no permission, nothing to index (1)
│   └── GoneFolderError     the folder was there before
├── RefusedPathError        outside the repository, a secret, or git's own
├── AbsentPathError         no such file
├── NoFileError             a folder, a pipe or a device
├── EditError               a file can't be changed as asked
├── StaleFileError          it changed after the edit was proposed
├── SessionInUseError       another process writes the session (1)
├── StoreError              a database can't be opened, read or written (1)
│   └── UnwritableError     its file can't be written: read-only, a full disk, no permission
├── IndexingError           the index can't be built (1)
├── UpdatedError            what is installed is no longer what runs (1)
└── ModelError              a model can't be reached or refuses (1)
├── ModelUnknownError       no such model
├── ModelKeyError           key missing or refused
├── ModelUnreachableError   no network, refused connection, time-out
├── ModelBusyError          rate limit, overload
├── ModelOverflowError      the request is longer than the model's window
└── ModelReplyError         the answer can't be used
    └── EmptyReplyError     it was finished without a word
"""


class CtxcodeError(Exception):
    """Something the user can be told: what failed and what to do next.

    ``str(error)`` is the sentence; ``hint`` the action, possibly empty.
    """

    exit_code = 1

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


class UsageError(CtxcodeError):
    """The words of a command are off."""

    exit_code = 2


class SessionInUseError(CtxcodeError):
    """Another process writes the session."""


class SettingsError(CtxcodeError):
    """A settings file is broken."""

    exit_code = 2


class RepositoryError(CtxcodeError):
    """The path is no repository that can be opened."""


class GoneFolderError(RepositoryError):
    """A folder that was open, or that the user is in, is not there any more."""

    def __init__(self, folder: str) -> None:
        super().__init__(f"The folder {folder!r} is gone.", "Put it back, or open another folder.")


class RefusedPathError(RepositoryError):
    """A path that is never read: outside the repository, a secret, or git's own."""


class AbsentPathError(RepositoryError):
    """There is no such file."""


class NoFileError(RepositoryError):
    """A folder, a pipe or a device."""


class EditError(CtxcodeError):
    """A file can't be changed as asked; nothing was written."""


class StaleFileError(EditError):
    """Files are not what an edit was made from; nothing was written."""


class StoreError(CtxcodeError):
    """A database can't be opened, read or written."""


class UnwritableError(StoreError):
    """A database's file can't be written; it may still be read."""


class IndexingError(CtxcodeError):
    """The index can't be built."""


class UpdatedError(IndexingError):
    """What is installed is no longer what runs."""

    def __init__(self) -> None:
        """Say so."""
        super().__init__(
            "ctxcode was updated while this one runs, and no longer brings the index in step",
            "Leave it and start it again: the session goes on where it was.",
        )


class ModelError(CtxcodeError):
    """A model can't be reached or refuses."""


class ModelUnknownError(ModelError):
    """There is no such model."""


class ModelKeyError(ModelError):
    """The key is missing or refused."""


class ModelUnreachableError(ModelError):
    """No network, refused connection, time-out."""


class ModelBusyError(ModelError):
    """Rate limit or overload; trying later may help."""


class ModelOverflowError(ModelError):
    """The request is longer than the model's window."""


class ModelReplyError(ModelError):
    """The answer can't be used."""


class EmptyReplyError(ModelReplyError):
    """The model finished its reply without a word."""
