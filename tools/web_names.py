"""Shortens the names by which a module of WebAssembly and its JavaScript find each other.

In:  NAME.js and NAME_bg.wasm as wasm-bindgen made them, for `--target web`. Out: the same files, smaller.

wasm-bindgen names an import after its function with a hash behind it, twice: in the module and in the JavaScript. Only
these two read the names, and hashes do not compress.

tools/web_names.py DIR NAME
"""
import re
import sys
from pathlib import Path

IMPORT_SECTION = 2


def read_leb(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def leb(value):
    out = bytearray()
    while True:
        byte = value & 127
        value >>= 7
        out.append(byte | (128 if value else 0))
        if not value:
            return bytes(out)


def short(number):
    letters = "abcdefghijklmnopqrstuvwxyz"
    name = ""
    while True:
        name = letters[number % 26] + name
        number = number // 26 - 1
        if number < 0:
            return "$" + name


def skip_type(data, at, kind):
    """Past an import's type: function, table, memory or global."""
    if kind == 0:
        return read_leb(data, at)[1]
    if kind == 3:
        return at + 2
    at += 1 if kind == 1 else 0
    limits, at = read_leb(data, at)
    at = read_leb(data, at)[1]
    return read_leb(data, at)[1] if limits & 1 else at


def rename_imports(section, names):
    count, at = read_leb(section, 0)
    out = bytearray(leb(count))
    for _ in range(count):
        length, at = read_leb(section, at)
        out += leb(length) + section[at : at + length]
        at += length
        length, at = read_leb(section, at)
        name = section[at : at + length].decode()
        at += length
        name = names.setdefault(name, short(len(names))).encode()
        out += leb(len(name)) + name
        end = skip_type(section, at + 1, section[at])
        out += section[at:end]
        at = end
    return bytes(out)


def main():
    folder, name = Path(sys.argv[1]), sys.argv[2]
    wasm, script = folder / f"{name}_bg.wasm", folder / f"{name}.js"
    data = wasm.read_bytes()
    out, at, names = bytearray(data[:8]), 8, {}
    while at < len(data):
        kind = data[at]
        length, start = read_leb(data, at + 1)
        section = data[start : start + length]
        if kind == IMPORT_SECTION:
            section = rename_imports(section, names)
        out += bytes([kind]) + leb(len(section)) + section
        at = start + length
    text = script.read_text(encoding="utf-8")
    # In the script each is a member of one object: `name: function(` or `name: (`.
    text, found = re.subn(r"^( {8})(\w+)(: )", lambda m: m[1] + names.get(m[2], m[2]) + m[3], text, flags=re.M)
    missing = [known for known, new in names.items() if not re.search(rf"^ {{8}}\{new}: ", text, re.M)]
    if missing:
        sys.exit(f"{script}: imports were not found: {missing[:3]}; wasm-bindgen may write them otherwise now")
    wasm.write_bytes(out)
    script.write_text(text, encoding="utf-8")


main()
