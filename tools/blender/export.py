"""Exports from the command line, with Blender's program or with the `bpy` module.

blender --background FILE.blend --python tools/blender/export.py -- --out DIR/STEM
python tools/blender/export.py FILE.blend --out DIR/STEM
"""

import argparse
import sys
from pathlib import Path

import bpy

sys.path.insert(0, str(Path(__file__).resolve().parent))
from sinew_export import ExportError, choose, export  # noqa: E402


def main(arguments):
    parser = argparse.ArgumentParser(prog="export.py", description="Write .skeleton_anim, .mesh and .weight files.")
    parser.add_argument("blend", nargs="?", help="the .blend file to open, unless Blender has one open")
    parser.add_argument("--out", required=True, metavar="DIR/STEM", help="path of the files, without ending")
    parser.add_argument("--armature", metavar="NAME", help="the armature object, instead of the selected one")
    parser.add_argument("--mesh", metavar="NAME", action="append", default=[], help="a mesh object; may be repeated")
    options = parser.parse_args(arguments)
    try:
        if options.blend:
            bpy.ops.wm.open_mainfile(filepath=options.blend)
        paths, notes = export(bpy.context, options.out, *choose(bpy.context, options.armature, options.mesh))
    except (ExportError, OSError, RuntimeError) as trouble:
        print(f"error: {trouble}", file=sys.stderr)
        return 1
    for note in notes:
        print(f"note: {note}", file=sys.stderr)
    for path in paths:
        print(path)
    return 0


if __name__ == "__main__":
    # Blender's program keeps its own arguments before the two dashes.
    own = sys.argv[sys.argv.index("--") + 1 :] if "--" in sys.argv else sys.argv[1:]
    status = main(own)
    sys.stdout.flush()
    sys.exit(status)
