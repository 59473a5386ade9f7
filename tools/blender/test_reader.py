"""A second opinion on the files: reads and plays them as the format is written down.

Shares nothing with the exporter, so that a mistake made there is not made again here.
"""

import struct

import numpy as np


class Bytes:
    def __init__(self, path):
        self.data, self.at = path.read_bytes(), 0

    def take(self, layout):
        values = struct.unpack_from("<" + layout, self.data, self.at)
        self.at += struct.calcsize("<" + layout)
        return values

    def raw(self, count):
        self.at += count
        return self.data[self.at - count : self.at]

    def matrix(self):
        # Sixteen numbers, column after column.
        return np.array(self.take("16f")).reshape(4, 4).T

    def done(self):
        assert self.at == len(self.data), f"{len(self.data) - self.at} bytes left over"


class Animation:
    """`.skeleton_anim`, layout A."""

    def __init__(self, path):
        file = Bytes(path)
        assert file.raw(13) == b"skeleton_anim"
        (count,) = file.take("H")
        self.names = [file.raw(*file.take("H")).decode("utf-8") for _ in range(count)]
        self.children = [file.take(f"{file.take('H')[0]}H") for _ in range(count)]
        self.rest = [file.matrix() for _ in range(count)]
        (frames,) = file.take("H")
        self.offsets = [[file.matrix() for _ in range(count)] for _ in range(frames)]
        file.done()

    def world(self, offsets):
        """As a player does it: from bone 0 down, under an identity. A bone never reached stays None."""
        result = [None] * len(self.names)

        def visit(bone, parent):
            assert result[bone] is None, f"bone {bone} is reached twice"
            result[bone] = parent @ self.rest[bone] @ offsets[bone]
            for child in self.children[bone]:
                assert child > bone, f"child {child} comes before its parent {bone}"
                visit(child, result[bone])

        visit(0, np.identity(4))
        assert all(matrix is not None for matrix in result), "some bones hang on nothing"
        return np.array(result)

    def frame(self, index):
        return self.world(self.offsets[index])

    def bind(self):
        return self.world([np.identity(4)] * len(self.names))

    def pull(self, index):
        return self.frame(index) @ np.linalg.inv(self.bind())


class Mesh:
    """`.mesh` and `.weight`."""

    def __init__(self, mesh_path, weight_path):
        file = Bytes(mesh_path)
        assert file.raw(4) == b"mesh"
        vertices, indices = file.take("HH")
        rows = np.array([file.take("9f") for _ in range(vertices)]).reshape(-1, 9)
        self.positions, self.colours, self.uvs = rows[:, :3], rows[:, 3:7], rows[:, 7:]
        self.triangles = np.array(file.take(f"{indices}H")).reshape(-1, 3)
        file.done()
        assert indices == 0 or self.triangles.max() < vertices

        file = Bytes(weight_path)
        assert file.raw(6) == b"weight"
        self.influences = []
        for _ in range(vertices):
            slots = list(zip(file.take("4b"), file.take("4b"), strict=True))
            assert all(percent > 0 if bone >= 0 else (bone, percent) == (-1, 0) for bone, percent in slots), slots
            assert sum(percent for _, percent in slots) == 100, slots
            self.influences.append({bone: percent for bone, percent in slots if bone >= 0})
        file.done()

    def skinned(self, pull):
        """Linear skinning; `pull` is what each bone does to a vertex: world · inverse bind."""
        return np.array(
            [
                sum(percent / 100.0 * self.alone(pull, vertex, bone) for bone, percent in influences.items())
                for vertex, influences in enumerate(self.influences)
            ]
        )

    def alone(self, pull, vertex, bone):
        """Where one bone alone would put a vertex."""
        return (pull[bone] @ np.append(self.positions[vertex], 1.0))[:3]

    def volume(self):
        """Of the closed surface: above zero when triangles wind counter-clockwise seen from outside."""
        a, b, c = (self.positions[self.triangles[:, corner]] for corner in range(3))
        return np.einsum("ij,ij->", a, np.cross(b, c)) / 6.0
