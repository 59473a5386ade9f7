"""Numbers and sections of a module of WebAssembly, for the tools that change one."""

IMPORTS, FUNCTIONS, GLOBALS, EXPORTS, START, ELEMENTS, CODE = 2, 3, 6, 7, 8, 9, 10


def read_leb(data, at):
    """The number at a place, and where it ends."""
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


def sections(data):
    """Each section's kind, and where its content begins and ends."""
    at = 8
    while at < len(data):
        length, start = read_leb(data, at + 1)
        yield data[at], start, start + length
        at = start + length
