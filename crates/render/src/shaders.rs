//! The shaders' texts, each put together from the parts it needs.
//!
//! WGSL has no includes; a shader is its parts, one after the other. Tests take every one through naga.

use crate::maps;
use crate::wgsl::wgsl;

/// Whether lines, bones, words and wireframes are drawn: on the web, a program may spare itself all that.
pub(crate) const OVERLAYS: bool =
    cfg!(feature = "overlays") || (cfg!(not(target_arch = "wasm32")) && !crate::IS_BUILD_SCRIPT);

/// A shader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Shader {
    Mesh,
    /// The same with as little as looks right.
    Plain,
    Shadow,
    Wire,
    Sky,
    Backdrop,
    Floor,
    FloorShadow,
    Mirror,
    Reflection,
    Lines,
    Bones,
    Blit,
}

const GLOBALS: &str = wgsl!(include_str!("globals.wgsl"));
// A program without overlays has no way to choose a curve either.
const TONE: &str = if OVERLAYS {
    wgsl!(concat!(include_str!("tone.wgsl"), include_str!("curves.wgsl")))
} else {
    wgsl!(concat!(
        include_str!("tone.wgsl"),
        "fn other_tone(light: vec3<f32>) -> vec3<f32> { return light; }"
    ))
};
const ENCODE: &str = wgsl!(include_str!("encode.wgsl"));
const IRRADIANCE: &str = wgsl!(include_str!("irradiance.wgsl"));
const HIGH_ORDER: &str = wgsl!(include_str!("irradiance_high.wgsl"));
const SURROUNDINGS: &str = wgsl!(include_str!("surroundings.wgsl"));
const DISC: &str = wgsl!(include_str!("disc.wgsl"));
const PLANE: &str = wgsl!(include_str!("pass/plane.wgsl"));
const SCREEN: &str = wgsl!(include_str!("pass/screen.wgsl"));
const TEXELS: &str = wgsl!(include_str!("texels.wgsl"));
// Nor has it a way to show whom a joint influences.
const VERTEX: &str = if OVERLAYS {
    wgsl!(concat!(include_str!("vertex.wgsl"), include_str!("heat.wgsl")))
} else {
    wgsl!(concat!(include_str!("vertex.wgsl"), "fn heat_of(vertex: Vertex) -> f32 { return 0.0; }"))
};
const HEAT_COLOR: &str = if OVERLAYS {
    wgsl!(include_str!("pass/heat_color.wgsl"))
} else {
    wgsl!("fn heat_color(heat: f32) -> vec3<f32> { return vec3(heat); }")
};
const SKINNED: &str = wgsl!(include_str!("skinned.wgsl"));
const DIRECTIONS: &str = wgsl!(include_str!("directions.wgsl"));
const MATERIAL: &str = wgsl!(include_str!("material.wgsl"));
const LAMPS: &str = wgsl!(include_str!("lamps.wgsl"));
const POSED: &str = wgsl!(include_str!("pass/posed.wgsl"));
const SURFACE: &str = wgsl!(include_str!("surface.wgsl"));
const OCCLUSION: &str = wgsl!(include_str!("occlusion.wgsl"));
const AMBIENT: &str = wgsl!(include_str!("ambient.wgsl"));
const LIGHT: &str = wgsl!(include_str!("light.wgsl"));
const IRIDESCENCE: &str = wgsl!(include_str!("iridescence.wgsl"));
const LAYERS: &str = wgsl!(include_str!("layers.wgsl"));
const REFRACTION: &str = wgsl!(include_str!("refraction.wgsl"));
const SKY: &str = wgsl!(include_str!("environment/sky.wgsl"));
const DEFORM: &str = wgsl!(sinew_deform::WGSL);

impl Shader {
    // For tests, and for who translates them.
    #[allow(dead_code)]
    pub(crate) const ALL: [Self; 13] = [
        Self::Mesh,
        Self::Plain,
        Self::Shadow,
        Self::Wire,
        Self::Sky,
        Self::Backdrop,
        Self::Floor,
        Self::FloorShadow,
        Self::Mirror,
        Self::Reflection,
        Self::Lines,
        Self::Bones,
        Self::Blit,
    ];

    fn parts(self) -> &'static [&'static str] {
        match self {
            Self::Wire | Self::Lines | Self::Bones if !OVERLAYS => &[],
            Self::Mesh => &[
                GLOBALS,
                TONE,
                DISC,
                IRRADIANCE,
                HIGH_ORDER,
                SURROUNDINGS,
                MATERIAL,
                POSED,
                LAMPS,
                SURFACE,
                OCCLUSION,
                AMBIENT,
                LIGHT,
                IRIDESCENCE,
                LAYERS,
                REFRACTION,
                HEAT_COLOR,
                wgsl!(include_str!("pass/mesh.wgsl")),
            ],
            Self::Plain => &[
                GLOBALS,
                TONE,
                IRRADIANCE,
                MATERIAL,
                POSED,
                LAMPS,
                ENCODE,
                wgsl!(include_str!("pass/plain.wgsl")),
            ],
            Self::Shadow => &[GLOBALS, MATERIAL, wgsl!(include_str!("pass/shadow.wgsl"))],
            Self::Wire => &[GLOBALS, wgsl!(include_str!("pass/wire.wgsl"))],
            Self::Sky => &[
                GLOBALS,
                TONE,
                DISC,
                IRRADIANCE,
                HIGH_ORDER,
                SURROUNDINGS,
                SKY,
                SCREEN,
                wgsl!(include_str!("pass/sky.wgsl")),
            ],
            Self::Backdrop => &[GLOBALS, SCREEN, wgsl!(include_str!("pass/backdrop.wgsl"))],
            Self::Floor => &[GLOBALS, TONE, PLANE, wgsl!(include_str!("pass/floor.wgsl"))],
            Self::FloorShadow => &[
                GLOBALS,
                TONE,
                DISC,
                IRRADIANCE,
                HIGH_ORDER,
                SURROUNDINGS,
                PLANE,
                wgsl!(include_str!("pass/floor_shadow.wgsl")),
            ],
            Self::Mirror => &[
                GLOBALS,
                TONE,
                DISC,
                IRRADIANCE,
                HIGH_ORDER,
                SURROUNDINGS,
                MATERIAL,
                wgsl!(include_str!("pass/mirror.wgsl")),
            ],
            Self::Reflection => {
                &[GLOBALS, DISC, PLANE, wgsl!(include_str!("pass/reflection.wgsl"))]
            }
            Self::Lines => &[GLOBALS, wgsl!(include_str!("pass/lines.wgsl"))],
            Self::Bones => &[GLOBALS, wgsl!(include_str!("pass/bones.wgsl"))],
            Self::Blit => &[ENCODE, wgsl!(include_str!("pass/blit.wgsl"))],
        }
    }

    /// Whether it has a tone curve and fog.
    pub(crate) fn reads_air(self) -> bool {
        use Shader::{Floor, FloorShadow, Mesh, Mirror, Plain, Sky};
        matches!(self, Mesh | Plain | Mirror | Sky | Floor | FloorShadow)
    }

    /// Whether it reads materials.
    pub(crate) fn reads_materials(self) -> bool {
        matches!(self, Self::Mesh | Self::Plain | Self::Shadow | Self::Mirror)
    }

    /// Whether it puts vertices in their poses.
    pub(crate) fn reads_poses(self) -> bool {
        use Shader::{Mesh, Mirror, Plain, Shadow, Wire};
        matches!(self, Mesh | Plain | Shadow | Mirror | Wire)
    }

    /// The whole text, for materials with these images and layers.
    pub(crate) fn source(self, maps: u32, layers: u32, vertices: Vertices) -> String {
        let parts = self.parts();
        if parts.is_empty() {
            return String::new();
        }
        let mut text = parts.join("\n");
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
    [TEXELS, DEFORM, DIRECTIONS, wgsl!(include_str!("skin.wgsl"))].join("\n")
}
