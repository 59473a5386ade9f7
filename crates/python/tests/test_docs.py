"""The examples of all docstrings, also of those in the compiled module."""

import doctest
import inspect

import numpy as np
import pytest

import sinew


def documented():
    seen = {}
    for name in sinew.__all__:
        thing = getattr(sinew, name)
        seen[name] = thing
        if inspect.isclass(thing):
            seen.update({f"{name}.{key}": value for key, value in vars(thing).items() if not key.startswith("__")})
    return {name: thing.__doc__ for name, thing in seen.items() if ">>>" in (getattr(thing, "__doc__", None) or "")}


@pytest.mark.parametrize("name", documented())
def test_the_example_gives_what_it_says(name):
    test = doctest.DocTestParser().get_doctest(documented()[name], {"sinew": sinew, "np": np}, name, None, None)
    result = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS).run(test)
    assert result.failed == 0


def test_everything_that_people_call_is_explained():
    bare = []
    for name in sinew.__all__:
        thing = getattr(sinew, name)
        if inspect.isclass(thing) or callable(thing):
            bare += [] if thing.__doc__ else [name]
        if inspect.isclass(thing) and not issubclass(thing, BaseException):
            members = {key: value for key, value in vars(thing).items() if not key.startswith("_")}
            bare += [f"{name}.{key}" for key, value in members.items() if not value.__doc__]
    assert bare == []


def test_the_package_itself_has_an_example():
    test = doctest.DocTestParser().get_doctest(sinew.__doc__, {}, "sinew", None, None)
    assert test.examples and doctest.DocTestRunner(verbose=False).run(test).failed == 0
