"""The bytes of the three files.

In:  plain numbers and names, already in file space.
Out: bytes. Whatever a field cannot hold is an ExportError, never a wrapped number.

All little-endian; a matrix is 16 f32, column after column. Knows nothing of Blender.
"""

import struct

import numpy as np

U16_MAX = 0xFFFF
I8_MAX = 0x7F


class ExportError(Exception):
    """What cannot be exported and why, in words for the person at the keyboard."""


def skeleton_anim(names, children, rest, frames):
    """Layout A: names, children, rest matrices (bones, 4, 4), offsets (frames, bones, 4, 4)."""
    out = [b"skeleton_anim", _u16(len(names), "bones")]
    for name in names:
        utf8 = name.encode("utf-8")
        out += [_u16(len(utf8), f"bytes in the name of bone {name!r}"), utf8]
    for name, indices in zip(names, children, strict=True):
        out += [_u16(len(indices), f"children of bone {name!r}")]
        out += [struct.pack(f"<{len(indices)}H", *indices)]
    out += [_matrices(rest), _u16(len(frames), "frames"), _matrices(frames)]
    return b"".join(out)


def mesh(vertices, indices):
    """`vertices` are rows of nine: position, colour, texture coordinate; `indices` make triangles."""
    return b"".join(
        [
            b"mesh",
            _u16(len(vertices), "vertices (after merging equal ones)"),
            _u16(len(indices), "indices, three for each triangle,"),
            np.asarray(vertices, "<f4").tobytes(),
            np.asarray(indices, "<u2").tobytes(),
        ]
    )


def weight(influences):
    """For each vertex up to four pairs of bone and percent; an empty slot is bone -1, 0 percent."""
    out = [b"weight"]
    for pairs in influences:
        pairs = list(pairs) + [(-1, 0)] * (4 - len(pairs))
        highest = max(bone for bone, _ in pairs)
        if highest > I8_MAX:
            raise ExportError(
                f"the weights use bone number {highest}, and a .weight file counts bones from 0 to {I8_MAX}: "
                "let fewer bones deform the mesh"
            )
        out.append(struct.pack("<8b", *(bone for bone, _ in pairs), *(percent for _, percent in pairs)))
    return b"".join(out)


def _u16(count, what):
    if count > U16_MAX:
        raise ExportError(f"{count} {what} are too many: the file has room for {U16_MAX}")
    return struct.pack("<H", count)


def _matrices(matrices):
    """Numpy keeps rows together and the file keeps columns together, hence the transposition."""
    matrices = np.asarray(matrices)
    if not np.isfinite(matrices).all():
        raise ExportError("a bone matrix holds a number that is not finite")
    return np.ascontiguousarray(np.swapaxes(matrices, -1, -2), "<f4").tobytes()
