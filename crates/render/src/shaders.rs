//! The shaders' texts, each put together from the parts it needs.
//!
//! WGSL has no includes; a shader is its parts, one after the other. Tests take every one through naga.

use crate::maps;

/// A shader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Shader {
    Mesh,
    Shadow,
    Wire,
    Sky,
    Floor,
    Lines,
    Bones,
    Blit,
}

const GLOBALS: &str = include_str!("globals.wgsl");
const TONE: &str = include_str!("tone.wgsl");
const SURROUNDINGS: &str = include_str!("surroundings.wgsl");
const TEXELS: &str = include_str!("texels.wgsl");
const VERTEX: &str = include_str!("vertex.wgsl");
const SKINNED: &str = include_str!("skinned.wgsl");
const DIRECTIONS: &str = include_str!("directions.wgsl");
const MATERIAL: &str = include_str!("material.wgsl");
const SURFACE: &str = include_str!("surface.wgsl");
const OCCLUSION: &str = include_str!("occlusion.wgsl");
const AMBIENT: &str = include_str!("ambient.wgsl");
const LIGHT: &str = include_str!("light.wgsl");
const IRIDESCENCE: &str = include_str!("iridescence.wgsl");
const LAYERS: &str = include_str!("layers.wgsl");
const REFRACTION: &str = include_str!("refraction.wgsl");
const SKY: &str = include_str!("environment/sky.wgsl");
const DEFORM: &str = sinew_deform::WGSL;

impl Shader {
    #[cfg(test)]
    pub(crate) const ALL: [Self; 8] = [
        Self::Mesh,
        Self::Shadow,
        Self::Wire,
        Self::Sky,
        Self::Floor,
        Self::Lines,
        Self::Bones,
        Self::Blit,
    ];

    fn parts(self) -> &'static [&'static str] {
        match self {
            Self::Mesh => &[
                GLOBALS,
                TONE,
                SURROUNDINGS,
                MATERIAL,
                SURFACE,
                OCCLUSION,
                AMBIENT,
                LIGHT,
                IRIDESCENCE,
                LAYERS,
                REFRACTION,
                include_str!("pass/mesh.wgsl"),
            ],
            Self::Shadow => &[GLOBALS, MATERIAL, include_str!("pass/shadow.wgsl")],
            Self::Wire => &[GLOBALS, include_str!("pass/wire.wgsl")],
            Self::Sky => &[GLOBALS, TONE, SURROUNDINGS, SKY, include_str!("pass/sky.wgsl")],
            Self::Floor => &[GLOBALS, TONE, SURROUNDINGS, include_str!("pass/floor.wgsl")],
            Self::Lines => &[GLOBALS, include_str!("pass/lines.wgsl")],
            Self::Bones => &[GLOBALS, include_str!("pass/bones.wgsl")],
            Self::Blit => &[include_str!("pass/blit.wgsl")],
        }
    }

    /// Whether it reads materials.
    pub(crate) fn reads_materials(self) -> bool {
        matches!(self, Self::Mesh | Self::Shadow)
    }

    /// Whether it puts vertices in their poses.
    pub(crate) fn reads_poses(self) -> bool {
        matches!(self, Self::Mesh | Self::Shadow | Self::Wire)
    }

    /// The whole text, for materials with these images and layers.
    pub(crate) fn source(self, maps: u32, layers: u32, vertices: Vertices) -> String {
        let mut text = self.parts().join("\n");
        if self.reads_poses() {
            let parts = match vertices {
                Vertices::AtRest => [TEXELS, VERTEX, DEFORM].as_slice(),
                Vertices::Skinned => &[SKINNED, DIRECTIONS],
            };
            text += &parts.join("\n");
        }
        if self.reads_materials() {
            text += &maps::wgsl(maps, layers);
        }
        text
    }
}

/// What a shader finds in the place of a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Vertices {
    /// A vertex of the file, to be put in its pose.
    AtRest,
    /// One that was put in its pose once for the frame; where there are storage buffers and compute shaders.
    Skinned,
}

/// The compute shader that puts vertices in their poses.
pub(crate) fn skin_source() -> String {
    [TEXELS, DEFORM, DIRECTIONS, include_str!("skin.wgsl")].join("\n")
}
