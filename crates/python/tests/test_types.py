"""The stubs say what there is."""

import ast
import inspect
from pathlib import Path

import sinew

STUBS = Path(sinew.__file__).with_name("__init__.pyi")


def functions(body):
    return {node.name: node for node in body if isinstance(node, ast.FunctionDef)}


def same(stub, real):
    """The names of all arguments, in order."""
    wanted = [*stub.args.posonlyargs, *stub.args.args, *stub.args.kwonlyargs]
    return [argument.arg for argument in wanted if argument.arg != "self"] == [
        name for name in inspect.signature(real).parameters if name != "self"
    ]


def test_every_function_and_method_has_a_stub_with_its_arguments():
    tree = ast.parse(STUBS.read_text())
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    for name in ("Model", "Clip", "Clips", "Skeleton"):
        real = {key: value for key, value in vars(getattr(sinew, name)).items() if not key.startswith("_")}
        stubs = functions(classes[name].body)
        assert set(real) == {key for key in stubs if not key.startswith("_")}, name
        for key, value in real.items():
            if callable(getattr(value, "__func__", value)) and not inspect.isgetsetdescriptor(value):
                assert same(stubs[key], getattr(sinew, name).__dict__[key].__func__ if isinstance(value, staticmethod) else value), key
    plain = functions(tree.body)
    for name, stub in plain.items():
        if name != "retarget":
            assert same(stub, getattr(sinew, name)), name
    imported = {alias.asname or alias.name for node in tree.body if isinstance(node, ast.ImportFrom) for alias in node.names}
    assert set(sinew.__all__) - {"__version__"} <= set(plain) | set(classes) | imported


def test_the_package_says_that_it_is_typed():
    assert STUBS.with_name("py.typed").exists()
