"""What is used of scikit-learn's estimators, without its import, which takes a second."""

from inspect import signature
from typing import Any, Self

from subclust.core.exceptions import InputError


class Estimator:
    """Stores the arguments of its constructor under their names.

    So it can be copied by ``sklearn.base.clone``, and its parameters can be read and set as those
    of scikit-learn's estimators.
    """

    _estimator_type = "clusterer"

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters by name; `deep` is ignored, since none is an estimator."""
        return {name: getattr(self, name) for name in self._parameters()}

    def set_params(self, **params: Any) -> Self:
        """Set parameters.

        Raises
        ------
        InputError
            If there is no parameter of that name.
        """
        known = self._parameters()
        for name, value in params.items():
            if name not in known:
                raise InputError(
                    "{estimator} has no parameter {name!r}; choose one of {known}.",
                    estimator=type(self).__name__,
                    name=name,
                    known=", ".join(known),
                )
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        """Write the constructor's call, with the parameters that are not its defaults."""
        defaults = {one.name: one.default for one in signature(type(self)).parameters.values()}
        given = {
            name: value for name, value in self.get_params().items() if value is not defaults[name]
        }
        return f"{type(self).__name__}({', '.join(f'{k}={v!r}' for k, v in given.items())})"

    def __sklearn_tags__(self) -> Any:
        """Return what scikit-learn asks before it uses an estimator."""
        from sklearn.utils import InputTags, Tags, TargetTags

        return Tags(
            estimator_type=self._estimator_type,
            target_tags=TargetTags(required=False),
            input_tags=InputTags(string=True, two_d_array=False),
        )

    @classmethod
    def _parameters(cls) -> tuple[str, ...]:
        return tuple(signature(cls).parameters)
