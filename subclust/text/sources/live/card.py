"""What is known of a live source without importing its reader, or asking it anything."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class LiveCard:
    """A service on the network that documents can be asked of.

    Parameters
    ----------
    name : str
        For the command line and for `Settings`.
    label : str
        For people.
    summary : str
        What it has; no full sentence.
    loader : str
        ``"package.module:Class"``, a `LiveSource`.
    url : str
        Where it is asked; ``""`` where only the librarian knows, as of a repository.
    pause : float
        Seconds, at least, between the end of a request and the next one.
    page_size : int
        Records that one request asks for at most.
    rules : str
        Where the service says how it wants to be asked.
    key : {"none", "optional", "needed"}
        Whether it knows keys.
    key_page : str
        Where keys are had.
    searchable : bool
        Whether it finds what answers a query; else it is only harvested.
    """

    name: str
    label: str
    summary: str
    loader: str
    url: str
    pause: float
    page_size: int
    rules: str
    key: Literal["none", "optional", "needed"] = "none"
    key_page: str = ""
    searchable: bool = True

    @property
    def variable(self) -> str:
        """The ending of the environment variables that are about it, such as ``OAI_PMH``."""
        return self.name.upper().replace("-", "_")
