"""Sinew's exporter for Blender: `.skeleton_anim`, `.mesh` and `.weight` from an armature and its meshes.

This file is the door for people: the entry in File > Export. The work is in `exporter`.
"""

import os

import bpy
from bpy_extras.io_utils import ExportHelper

from .exporter import choose, export
from .files import ExportError

# For Blender 4.0 and 4.1; later ones read blender_manifest.toml.
bl_info = {
    "name": "Sinew skeletal animation",
    "author": "The Sinew authors",
    "version": (1, 0, 0),
    "blender": (4, 0, 0),
    "location": "File > Export > Sinew animation",
    "description": "Export an armature and its meshes as .skeleton_anim, .mesh and .weight",
    "category": "Import-Export",
}


class EXPORT_SCENE_OT_sinew(bpy.types.Operator, ExportHelper):
    """Export the selected armature and meshes as .skeleton_anim, .mesh and .weight"""

    bl_idname = "export_scene.sinew"
    bl_label = "Export Sinew animation"
    bl_options = {"PRESET"}

    filename_ext = ".skeleton_anim"
    filter_glob: bpy.props.StringProperty(default="*.skeleton_anim", options={"HIDDEN"})

    def execute(self, context):
        stem = self.filepath.removesuffix(self.filename_ext)
        try:
            paths, notes = export(context, stem, *choose(context))
        except (ExportError, OSError) as trouble:
            self.report({"ERROR"}, str(trouble))
            return {"CANCELLED"}
        for note in notes:
            self.report({"WARNING"}, note)
        self.report({"INFO"}, "wrote " + ", ".join(os.path.basename(path) for path in paths))
        return {"FINISHED"}


def _menu_entry(menu, _context):
    menu.layout.operator(EXPORT_SCENE_OT_sinew.bl_idname, text="Sinew animation (.skeleton_anim)")


def register():
    bpy.utils.register_class(EXPORT_SCENE_OT_sinew)
    bpy.types.TOPBAR_MT_file_export.append(_menu_entry)


def unregister():
    bpy.types.TOPBAR_MT_file_export.remove(_menu_entry)
    bpy.utils.unregister_class(EXPORT_SCENE_OT_sinew)
