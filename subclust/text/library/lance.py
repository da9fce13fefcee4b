"""LanceDB, imported without the client of its REST catalogues: half of what its import takes."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from threading import Lock
from types import ModuleType
from typing import Any

_CLIENT = "lance_namespace_urllib3_client"
"""Hundreds of Pydantic models of requests to a server, which libraries in a folder never make."""

_COMPILED = "lancedb._lancedb"
"""Its compiled module, which ends with a panic if it is loaded a second time."""

_importing = Lock()


def lancedb() -> ModuleType:
    """Import LanceDB."""
    with _importing:
        if "lancedb" in sys.modules or _CLIENT in sys.modules:
            return import_module("lancedb")
        before = set(sys.modules)
        try:
            with _without_client():
                return import_module("lancedb")
        except Exception:  # another version may want more of the client than names
            for name in set(sys.modules) - before - {_COMPILED}:
                if name.partition(".")[0] in ("lancedb", "lance_namespace"):
                    sys.modules.pop(name, None)
            return import_module("lancedb")


class _Names(MetaPathFinder, Loader):
    """Finds the client's modules as empty ones that have a class of every name."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Find a module of the client."""
        if fullname != _CLIENT and not fullname.startswith(f"{_CLIENT}."):
            return None
        return ModuleSpec(fullname, self, is_package=True)

    def create_module(self, spec: ModuleSpec) -> None:
        """Leave it to Python."""

    def exec_module(self, module: ModuleType) -> None:
        """Give the module a class for each name that is asked of it."""

        def named(name: str) -> type:
            # The import system asks for __path__ and the like, which must not be classes.
            if name.startswith("__"):
                raise AttributeError(name)
            return _later(module.__name__, name)

        module.__dict__["__getattr__"] = named


def _later(module: str, name: str) -> type:
    """Make a class whose objects are those of the client's class, which is then imported."""

    def make(_: type, *args: Any, **named: Any) -> Any:
        return getattr(import_module(module), name)(*args, **named)

    return type(name, (), {"__new__": make, "__module__": module})


@contextmanager
def _without_client() -> Iterator[None]:
    finder = _Names()
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        for name in list(sys.modules):  # at once, since other threads may import meanwhile
            if name.partition(".")[0] == _CLIENT:
                sys.modules.pop(name, None)
