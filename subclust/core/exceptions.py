"""Every error a user may meet, each carrying one plain sentence.

The tree::

    SubclustError
    ├── SettingsError        a setting or environment variable that cannot be used
    ├── StorageError         a disk that takes no more, or a folder that cannot be written to
    ├── OutOfMemoryError     something that takes more memory than there is now
    ├── ClusterError         a cluster that does not answer now; what was asked can be asked again
    ├── InputError           a value, file or row that somebody gave us
    │   ├── FileFormatError  a file that cannot be read as what it claims to be
    │   ├── NotFoundError    a job, or themes, that are not there
    │   ├── DamagedJobError  a background job whose record cannot be read
    │   └── QuotaError       more than somebody of a role may have
    ├── BinError             something that cannot be deleted or put back
    ├── InUseError           something that a job works on, and that therefore stays as it is
    ├── ReadOnlyError        a change that an app which is served read-only does not take
    │   └── NotAllowedError  a change that takes another role
    ├── LibraryError         a library that is missing, locked or damaged
    │   └── LibraryNotFoundError
    ├── EncoderError         an encoder that cannot be loaded
    ├── EndpointError        a language model that does not answer, or refuses
    ├── LiveSourceError      a live source that does not answer, answers nonsense, or refuses
    │   └── LiveSourceOffError  one that nobody has switched on, or that may not be asked offline
    ├── CheckpointError      a checkpoint that is missing or damaged
    │   └── CheckpointNotFoundError
    ├── LabelledSetError     a labelled set that cannot be kept, is damaged or in use
    │   └── LabelledSetNotFoundError
    ├── CorrectionsError     corrections that cannot be kept, or are damaged
    │   ├── CorrectionsNotFoundError
    │   └── DraftElsewhereError
    ├── SessionError         a saved session that cannot be kept
    │   └── SessionNotFoundError
    ├── TrainingError        a training run that cannot start or go on
    │   └── TrainingStopped      one that somebody stopped, and that can be resumed
    └── BenchmarkError       a task or result that cannot be read

Pages and the command line catch `SubclustError` and show its sentence. Anything else is a bug and
is seen as one.
"""

from subclust.core.messages import Message


class SubclustError(Exception):
    """Base of every error whose sentence is meant for the user.

    Parameters
    ----------
    sentence : str
        The template of a `Message`, or a sentence as it is.
    **values : object
        For the places of the template.
    """

    def __init__(self, sentence: str, /, **values: object) -> None:
        super().__init__(Message(sentence, **values) if values else sentence)

    @property
    def sentence(self) -> str:
        """What is told; a `Message` where it was made of a template."""
        return self.args[0] if self.args and isinstance(self.args[0], str) else str(self)


class SettingsError(SubclustError):
    """A setting or environment variable cannot be used."""


class StorageError(SubclustError):
    """A disk takes no more, or a folder cannot be written to."""


class OutOfMemoryError(SubclustError):
    """The computer has not enough memory now for what was asked; less may be."""


class ClusterError(SubclustError):
    """A cluster of machines does not answer now; what was asked of it can be asked again."""


class InputError(SubclustError):
    """A value, file or row that was given cannot be used."""


class FileFormatError(InputError):
    """A file cannot be read as the format it claims to have."""


class NotFoundError(InputError):
    """No job, or no themes, of that name exist."""


class DamagedJobError(InputError):
    """The record of a background job cannot be read."""


class QuotaError(InputError):
    """Somebody has as much as their role allows."""


class BinError(SubclustError):
    """Something cannot be moved to the bin, or not back to its place."""


class InUseError(SubclustError):
    """A library, model or labelled set is needed by a job that waits or runs."""


class ReadOnlyError(SubclustError):
    """Nothing may be changed here."""


class NotAllowedError(ReadOnlyError):
    """Somebody else may change this, but not who asks."""


class LibraryError(SubclustError):
    """A passage library is locked, damaged or does not fit the request."""


class LibraryNotFoundError(LibraryError):
    """No library of that name exists."""


class EncoderError(SubclustError):
    """An encoder cannot be loaded or used."""


class EndpointError(SubclustError):
    """A language model does not answer, or refuses."""


class LiveSourceError(SubclustError):
    """A live source does not answer, answers what cannot be understood, or refuses."""


class LiveSourceOffError(LiveSourceError):
    """A live source is not switched on, or may not be asked; nothing was sent."""


class CheckpointError(SubclustError):
    """A checkpoint is damaged or does not fit its method."""


class CheckpointNotFoundError(CheckpointError):
    """No checkpoint of that name exists."""


class LabelledSetError(SubclustError):
    """A labelled set cannot be kept or removed, or is damaged."""


class LabelledSetNotFoundError(LabelledSetError):
    """No labelled set of that name or version is kept."""


class CorrectionsError(SubclustError):
    """Corrections cannot be kept or deleted, or are damaged."""


class CorrectionsNotFoundError(CorrectionsError):
    """No corrections of that name are saved."""


class DraftElsewhereError(CorrectionsError):
    """The same corrections were gone on with in another window."""


class SessionError(SubclustError):
    """A saved session cannot be kept."""


class SessionNotFoundError(SessionError):
    """No saved session of that name exists."""


class TrainingError(SubclustError):
    """A training run cannot start or go on."""


class TrainingStopped(TrainingError):
    """A training run was stopped by somebody; its state is saved."""


class BenchmarkError(SubclustError):
    """A benchmark task or result cannot be read."""
