"""Shortens the names by which a module of WebAssembly and its JavaScript find each other.

In:  NAME.js and NAME_bg.wasm as wasm-bindgen made them, for `--target web`. Out: the same files, smaller.

wasm-bindgen names an import after its function with a hash behind it, and an export after all of its types, each twice:
in the module and in the JavaScript. Only these two read the names, and hashes do not compress. Exports that the JavaScript
never asks for are left out, and so is the function that starts a module at once.

tools/web_names.py DIR NAME
"""
import re
import sys
from pathlib import Path

from web_leb import EXPORTS, IMPORTS, leb, read_leb, sections


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


def rename_exports(section, names, wanted):
    count, at = read_leb(section, 0)
    kept = []
    for _ in range(count):
        length, at = read_leb(section, at)
        name = section[at : at + length].decode()
        at += length
        end = read_leb(section, at + 1)[1]
        if name in wanted:
            short_name = names.setdefault(name, short(len(names))).encode()
            kept.append(leb(len(short_name)) + short_name + section[at:end])
        at = end
    return leb(len(kept)) + b"".join(kept)


def main():
    folder, name = Path(sys.argv[1]), sys.argv[2]
    wasm, script = folder / f"{name}_bg.wasm", folder / f"{name}.js"
    data = wasm.read_bytes()
    text = script.read_text(encoding="utf-8")
    # The module's exports are members of one object there.
    wanted = set(re.findall(r"\bwasm\.(\w+)", text))
    out, names, exports = bytearray(data[:8]), {}, {}
    for kind, start, end in sections(data):
        section = data[start:end]
        if kind == IMPORTS:
            section = rename_imports(section, names)
        elif kind == EXPORTS:
            section = rename_exports(section, exports, wanted)
        out += bytes([kind]) + leb(len(section)) + section
    # In the script each is a member of one object: `name: function(` or `name: (`.
    text, found = re.subn(r"^( {8})(\w+)(: )", lambda m: m[1] + names.get(m[2], m[2]) + m[3], text, flags=re.M)
    missing = [known for known, new in names.items() if not re.search(rf"^ {{8}}\{new}: ", text, re.M)]
    if missing:
        sys.exit(f"{script}: imports were not found: {missing[:3]}; wasm-bindgen may write them otherwise now")
    missing = [asked for asked in wanted if asked not in exports]
    if missing:
        sys.exit(f"{script}: exports were not found: {missing[:3]}; wasm-bindgen may write them otherwise now")
    text = re.sub(r"\bwasm\.(\w+)", lambda m: f"wasm.{exports[m[1]]}", text)
    # What it says to who wrote the page's own code is not for those who look at the page.
    text = re.sub(r"console\.warn\(.*\);?$", ";", text, flags=re.M)
    # Engines, readers and viewers are freed by name, and every browser that runs the module encodes text in place.
    text = re.sub(r"^if \(Symbol\.dispose\).*$", "", text, flags=re.M)
    text = re.sub(r"^if \(!\('encodeInto' in cachedTextEncoder\)\) \{\n.*?^\}\n", "", text, flags=re.M | re.S)
    # Nobody starts a module while a page waits for it; what is not exported is not bundled.
    text = text.replace("export { initSync, __wbg_init as default };", "export { __wbg_init as default };")
    wasm.write_bytes(out)
    script.write_text(text, encoding="utf-8")


main()
