"""From Blender's axes to the file's.

Blender is Z up, the file is Y up, both are right-handed: (x, y, z) becomes (x, z, -y), a quarter turn
about X and no mirror. It is applied once, on the left of every world matrix:

    file_from_bone = FILE_FROM_BLENDER @ blender_from_armature @ armature_from_bone

so translations, rotations and vertices all turn together, and triangles keep their winding. A bone's own
space is left as Blender has it (Y from head to tail): an upright bone at the origin has the identity.
"""

import numpy as np

FILE_FROM_BLENDER = np.array(
    [
        [1.0, 0.0, 0.0, 0.0],
        [0.0, 0.0, 1.0, 0.0],
        [0.0, -1.0, 0.0, 0.0],
        [0.0, 0.0, 0.0, 1.0],
    ]
)


def matrix(blender_matrix):
    """A mathutils matrix (f32) as a numpy one (f64), in which products and inverses lose nothing."""
    return np.array(blender_matrix, float)
