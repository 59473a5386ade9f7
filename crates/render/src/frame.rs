//! What to draw this frame: who stands where, who looks, in what light.
//!
//! In:  uploaded scenes with their joints as they stand now.
//! Out: one list of texels (palettes and morph weights of everyone), and rows that say where in it each finds its own.
//!
//! A frame is kept and filled anew: [`Frame::clear`], [`Frame::add`]. Once its lists have their size, nothing is allocated.

mod batches;
mod crowd;
mod posed;
mod sight;
mod single;

use glam::{Affine3A, Mat4, Vec3, Vec4};
use sinew_deform::{Bounds, rigid_part};
use sinew_scene::{LightKind, SkinMethod};

use crate::overlay::Overlay;
use crate::{Background, Camera, Environment, Fog, GpuScene, Light, Occlusion, Tone};

use batches::mode;
pub(crate) use batches::{Batch, Batches, Row};
pub(crate) use crowd::Borrowed;
pub use crowd::{CrowdInstance, GpuPalettes};
pub use posed::{ActorView, RestPose};
pub(crate) use sight::Sight;
pub use single::{FramePalette, MeshInstance};

/// The plane under everything.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Floor {
    /// In metres above the world's origin.
    pub height: f32,
    /// Whether a grid is drawn.
    pub grid: bool,
    /// Whether shadows fall on it.
    pub shadow: bool,
    /// Between two lines of the grid, in metres; every tenth is stronger.
    pub cell: f32,
    /// Where the grid has faded away, in metres from the camera's target.
    pub radius: f32,
    /// Of the lines: linear, with alpha.
    pub color: Vec4,
    /// Light on the floor about the camera's target, which fades into the background; 0 for none.
    pub pool: f32,
    /// How much of a mirror it is, from 0 for none to 1 for all that Fresnel leaves of a polished one. Reflections fade with height and
    /// are gone at an eighteenth of the radius.
    pub reflection: f32,
}

impl Floor {
    /// Nothing at all.
    pub const NONE: Self = Self {
        height: 0.0,
        grid: false,
        shadow: false,
        cell: 1.0,
        radius: 20.0,
        color: Vec4::new(0.35, 0.37, 0.40, 0.5),
        pool: 0.0,
        reflection: 0.0,
    };

    /// Grid and shadow, in a size that suits what stands on it.
    #[must_use]
    pub fn under(bounds: Bounds) -> Self {
        let size = if bounds.is_empty() { 1.0 } else { bounds.size().length().max(1e-3) };
        let cell = 10_f32.powf((size * 0.2).log10().round());
        Self { grid: true, shadow: true, cell, radius: size * 6.0, ..Self::NONE }
    }
}

impl Default for Floor {
    fn default() -> Self {
        Self { grid: true, shadow: true, ..Self::NONE }
    }
}

/// Shadows of the main light: the first directional one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shadows {
    /// Whether there are any.
    pub on: bool,
    /// Pixels on a side of the map.
    pub map_size: u32,
    /// 1 for none of the light, 0 for all of it.
    pub strength: f32,
    /// How far from the camera's target there are shadows at most, in metres.
    pub reach: f32,
    /// How wide a shadow's edge is, in metres for a metre between what casts it and where it falls; 0 for as sharp as the map
    /// is. The sun's is 0.01, that of a lamp with a shade 0.05 to 0.2.
    pub softness: f32,
}

impl Default for Shadows {
    fn default() -> Self {
        Self { on: true, map_size: 2048, strength: 1.0, reach: 30.0, softness: 0.06 }
    }
}

/// What to draw.
#[derive(Debug)]
pub struct Frame {
    /// Who looks.
    pub camera: Camera,
    /// The first directional one casts shadows; the first 16 count.
    pub lights: Vec<Light>,
    /// Light from everywhere, linear; beside that of the environment.
    pub ambient: Vec3,
    /// What surrounds everything.
    pub environment: Environment,
    /// How much of the environment's light is used.
    pub environment_strength: f32,
    /// How far the environment is turned about Y, in radians: a quarter brings what was along +Z to +X.
    pub environment_rotation: f32,
    /// What is seen where nothing is.
    pub background: Background,
    /// What hides the distance.
    pub fog: Fog,
    /// Times all light.
    pub exposure: f32,
    /// How light becomes what a screen can show.
    pub tone: Tone,
    /// The plane under everything.
    pub floor: Floor,
    /// Of the main light.
    pub shadows: Shadows,
    /// Whether parts of the scene hide the environment's light from each other.
    pub occlusion: Occlusion,
    /// Whether it is drawn with as little as looks right: without shadows, with blurred mirrors. For an image that comes soon, while the driver
    /// translates the rest. Scenes that need more than that, and a sky as background, are drawn as always.
    pub plain: bool,
    /// How far, in pixels, a level of detail may be from the whole mesh; 0 for whole meshes alone. Only scenes that were uploaded with levels
    /// have any.
    pub pixel_error: f32,
    /// Whether edges are drawn over surfaces.
    pub wireframe: bool,
    /// Whether surfaces are drawn.
    pub surfaces: bool,
    /// Lines and bones over everything.
    pub overlay: Overlay,
    pub(crate) groups: Vec<Group>,
    pub(crate) characters: Vec<Option<Bounds>>,
    pub(crate) texels: Vec<[f32; 4]>,
    /// Texels that follow them.
    pub(crate) borrowed: Vec<Borrowed>,
    /// How often it was cleared.
    fill: u64,
}

/// Everyone made from one uploaded scene.
#[derive(Debug)]
pub(crate) struct Group {
    pub(crate) scene: GpuScene,
    /// One list for each mesh.
    pub(crate) placed: Vec<Vec<Placed>>,
    /// Where each skin's palette and its dual part begin; of the character being added.
    palettes: Vec<(u32, u32)>,
    used: bool,
}

/// A mesh of a character.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placed {
    pub(crate) row: Row,
    pub(crate) character: u32,
    pub(crate) mirrored: bool,
    /// What carries it, or its first joint's share of it.
    pub(crate) carrier: Affine3A,
    /// How much larger it is in the world than in its model.
    pub(crate) scale: f32,
    /// Whether its row counts texels from where the frame's own end.
    pub(crate) borrowed: bool,
}

impl Frame {
    /// Nothing yet, in daylight, over a floor with a grid.
    #[must_use]
    pub fn new(camera: Camera) -> Self {
        Self {
            camera,
            lights: vec![Light::default()],
            ambient: Vec3::ZERO,
            environment: Environment::default(),
            environment_strength: 0.7,
            environment_rotation: 0.0,
            background: Background::default(),
            fog: Fog::None,
            exposure: 1.0,
            tone: Tone::default(),
            floor: Floor::default(),
            shadows: Shadows::default(),
            occlusion: Occlusion::OFF,
            plain: false,
            pixel_error: 1.0,
            wireframe: false,
            surfaces: true,
            overlay: Overlay::default(),
            groups: Vec::new(),
            characters: Vec::new(),
            texels: Vec::new(),
            borrowed: Vec::new(),
            fill: 0,
        }
    }

    /// Takes everyone and all overlays out; camera, light and the rest stay.
    pub fn clear(&mut self) {
        self.groups.retain(|group| group.used);
        for group in &mut self.groups {
            group.used = false;
            group.placed.iter_mut().for_each(Vec::clear);
        }
        self.characters.clear();
        self.texels.clear();
        self.borrowed.clear();
        self.overlay.clear();
        self.fill += 1;
    }

    /// How many characters are in the frame.
    #[must_use]
    pub fn len(&self) -> usize {
        self.characters.len()
    }

    /// Whether nobody is in the frame.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.characters.is_empty()
    }

    /// Adds one character, static or moving: everything that its scene draws, as `posed`.
    ///
    /// # Panics
    /// When `posed` is not of this scene: a number of joints, palettes or weights differs.
    pub fn add(&mut self, scene: &GpuScene, posed: &ActorView<'_>) {
        posed.check(scene);
        let character = self.characters.len() as u32;
        self.characters.push(posed.bounds);
        let weights = self.texels.len() as u32 * 4;
        self.push_weights(posed.weights);
        let place = self.group(scene);
        let group = &mut self.groups[place];
        group.used = true;
        group.palettes.clear();
        for skin in 0..scene.skins().len() {
            group.palettes.push(push_palette(&mut self.texels, scene, posed, skin));
        }
        let mut is_seen = false;
        let scale = longest_axis(&posed.world_from_model);
        for (index, instance) in scene.instances().iter().enumerate() {
            if posed.hidden.get(index).is_some_and(|hidden| *hidden) {
                continue;
            }
            is_seen = true;
            let world_from_node =
                posed.world_from_model * posed.model_from_joint[instance.joint.index()];
            let node = self.texels.len() as u32;
            push_matrix(&mut self.texels, world_from_node);
            let skin = instance.skin.map(|skin| skin.index());
            let (palette, dual) = skin.map_or((node, node), |skin| group.palettes[skin]);
            let method = skin.map_or(SkinMethod::Linear, |skin| scene.skins()[skin].method);
            let heat = skin.zip(posed.heat).and_then(|(skin, joint)| {
                scene.skins()[skin].joints.iter().position(|known| *known == joint)
            });
            // A skin without the chosen joint is cold all over: a number that no influence has.
            let cold = posed.heat.map_or(0, |_| u32::MAX);
            let first = skin.and_then(|skin| posed.first_matrix(scene, skin));
            let carrier = first.unwrap_or(world_from_node);
            group.placed[instance.mesh.index()].push(Placed {
                row: Row {
                    pose: [node, palette, dual, weights + instance.weights.start as u32],
                    modes: [mode(method, 1), heat.map_or(cold, |joint| joint as u32 + 1)],
                    skinned: 0,
                },
                character,
                mirrored: carrier.matrix3.determinant() < 0.0,
                carrier,
                scale,
                borrowed: false,
            });
        }
        // Nothing to draw is nowhere, for images and shadows alike.
        if !is_seen {
            self.characters[character as usize] = Some(Bounds::EMPTY);
        }
    }

    /// Whether one light from afar is all there is beside the environment's.
    pub(crate) fn has_sun_alone(&self) -> bool {
        matches!(self.lights[..], [Light { kind: LightKind::Directional, .. }])
    }

    /// Whether the pool of light on the floor is drawn with the backdrop, in one go: what a camera's rays meet is known there.
    pub(crate) fn pool_is_behind(&self) -> bool {
        matches!(self.background, Background::Backdrop { .. })
            && matches!(self.camera.lens, crate::Lens::Perspective { .. })
            && self.fog == Fog::None
    }

    fn push_weights(&mut self, weights: &[f32]) {
        for four in weights.chunks(4) {
            self.texels.push(std::array::from_fn(|index| four.get(index).copied().unwrap_or(0.0)));
        }
    }

    fn group(&mut self, scene: &GpuScene) -> usize {
        if let Some(place) = self.groups.iter().position(|group| group.scene.is(scene)) {
            return place;
        }
        self.groups.push(Group {
            scene: scene.clone(),
            placed: vec![Vec::new(); scene.mesh_count()],
            palettes: Vec::new(),
            used: true,
        });
        self.groups.len() - 1
    }
}

/// Writes one skin's palette, and its dual part where it has one; gives back where they begin.
fn push_palette(
    texels: &mut Vec<[f32; 4]>,
    scene: &GpuScene,
    posed: &ActorView<'_>,
    skin: usize,
) -> (u32, u32) {
    let palette = texels.len();
    // Room for all at once: a check per matrix would cost more than the matrix.
    texels.resize(palette + 3 * scene.skins()[skin].joints.len(), [0.0; 4]);
    let (rooms, _) = texels[palette..].as_chunks_mut::<3>();
    let mut rooms = rooms.iter_mut();
    posed.each_matrix(scene, skin, |matrix| {
        if let Some(room) = rooms.next() {
            *room = rows(&matrix);
        }
    });
    let palette = palette as u32;
    let dual = texels.len() as u32;
    if scene.skins()[skin].method != SkinMethod::Linear {
        posed.each_matrix(scene, skin, |matrix| push_dual(texels, matrix));
    }
    (palette, dual)
}

/// A matrix as turn, move and scale, for dual quaternions.
fn push_dual(texels: &mut Vec<[f32; 4]>, matrix: Affine3A) {
    let part = rigid_part(matrix);
    texels.push(part.rotation.to_array());
    texels.push(part.translation.extend(0.0).to_array());
    texels.push(part.scale.extend(0.0).to_array());
}

/// The longest that an axis of length one becomes.
fn longest_axis(matrix: &Affine3A) -> f32 {
    let axes = [matrix.matrix3.x_axis, matrix.matrix3.y_axis, matrix.matrix3.z_axis];
    axes.iter().map(|axis| axis.length()).fold(0.0, f32::max)
}

fn push_matrix(texels: &mut Vec<[f32; 4]>, matrix: Affine3A) {
    texels.extend_from_slice(&rows(&matrix));
}

/// The three rows of a matrix, by way of a transposition that glam does with vectors.
#[inline]
fn rows(matrix: &Affine3A) -> [[f32; 4]; 3] {
    let turned = Mat4::from(*matrix).transpose();
    [turned.x_axis.to_array(), turned.y_axis.to_array(), turned.z_axis.to_array()]
}
