//! The vertices that are farthest out, of all that a node moves.
//!
//! In:  a scene. Out: for each node that moves vertices, the farthest of them in 26 directions, in the node's space.
//!
//! Vertices are looked at in blocks that lie near each other: a block whose box is within what is known has none that is farther.

use std::ops::Range;

use rayon::prelude::*;
use sinew_scene::glam::{Vec3, Vec3A};
use sinew_scene::{Instance, Primitive, Scene, Skin};

/// Influences below this move a vertex too little to count.
const LEAST_WEIGHT: f32 = 0.01;

/// Half of the directions in which the farthest vertices are looked for; the others are their opposites.
const DIRECTIONS: usize = 13;
/// Vertices that are looked at together, and of these such as lie near each other.
const CHUNK: usize = 8_192;
const BLOCK: usize = 32;

/// How far a point is along each direction: along the axes, and halfway between two and three of them.
fn along(point: Vec3A) -> [f32; DIRECTIONS] {
    let [x, y, z] = point.to_array();
    [x, y, z, x + y, x - y, x + z, x - z, y + z, y - z, x + y + z, x + y - z, x - y + z, y - x + z]
}

/// The farthest points of one node: along each direction, and against it.
#[derive(Clone, Debug)]
pub(crate) struct Farthest {
    most: [f32; DIRECTIONS],
    least: [f32; DIRECTIONS],
    points: [[Vec3A; 2]; DIRECTIONS],
}

impl Farthest {
    const NONE_YET: Self = Self {
        most: [f32::NEG_INFINITY; DIRECTIONS],
        least: [f32::INFINITY; DIRECTIONS],
        points: [[Vec3A::ZERO; 2]; DIRECTIONS],
    };

    fn none_yet() -> Box<Self> {
        Box::new(Self::NONE_YET)
    }

    fn see(&mut self, point: Vec3A) {
        let along = along(point);
        // Nearly every point is within those known: that is seen of all directions at once.
        let mut is_farther = false;
        for ((along, most), least) in along.iter().zip(&self.most).zip(&self.least) {
            is_farther |= along > most || along < least;
        }
        if is_farther {
            self.take(&along, &along, &[[point; 2]; DIRECTIONS]);
        }
    }

    /// Whether no point of a box is farther than those that are known.
    fn has_all(&self, [low, high]: [Vec3A; 2]) -> bool {
        let middle = along(0.5 * (low + high));
        let [x, y, z] = (0.5 * (high - low)).to_array();
        let [xy, xz, yz] = [x + y, x + z, y + z];
        let all = x + y + z;
        let reach = [x, y, z, xy, xy, xz, xz, yz, yz, all, all, all, all];
        let mut is_farther = false;
        for (at, reach) in reach.iter().enumerate() {
            is_farther |= middle[at] + reach > self.most[at] || middle[at] - reach < self.least[at];
        }
        !is_farther
    }

    fn take(
        &mut self,
        most: &[f32; DIRECTIONS],
        least: &[f32; DIRECTIONS],
        taken: &[[Vec3A; 2]; DIRECTIONS],
    ) {
        for (at, points) in self.points.iter_mut().enumerate() {
            if most[at] > self.most[at] {
                self.most[at] = most[at];
                points[0] = taken[at][0];
            }
            if least[at] < self.least[at] {
                self.least[at] = least[at];
                points[1] = taken[at][1];
            }
        }
    }

    pub(crate) fn points(&self) -> impl Iterator<Item = &Vec3A> {
        self.points.iter().flatten()
    }
}

/// Of every node that moves vertices, the farthest of them.
pub(crate) fn farthest(scene: &Scene) -> Vec<Option<Box<Farthest>>> {
    let none = || -> Vec<Option<Box<Farthest>>> { vec![None; scene.skeleton().len()] };
    let chunks: Vec<Chunk<'_>> = scene.instances.iter().flat_map(|it| chunks(scene, it)).collect();
    let each = |mut known: Vec<Option<Box<Farthest>>>, chunk: &Chunk<'_>| {
        see_chunk(scene, chunk, &mut known);
        known
    };
    let merge = |mut known: Vec<Option<Box<Farthest>>>, later: Vec<Option<Box<Farthest>>>| {
        for (known, later) in known.iter_mut().zip(later) {
            match (known.as_mut(), later) {
                (Some(known), Some(later)) => known.take(&later.most, &later.least, &later.points),
                (None, later) => *known = later,
                (Some(_), None) => {}
            }
        }
        known
    };
    chunks.par_iter().fold(none, each).reduce(none, merge)
}

/// Some vertices of a primitive of an instance.
struct Chunk<'a> {
    instance: &'a Instance,
    primitive: &'a Primitive,
    vertices: Range<usize>,
}

fn chunks<'a>(scene: &'a Scene, instance: &'a Instance) -> impl Iterator<Item = Chunk<'a>> {
    scene[instance.mesh].primitives.iter().flat_map(move |primitive| {
        let count = primitive.positions.len();
        (0..count).step_by(CHUNK).map(move |from| Chunk {
            instance,
            primitive,
            vertices: from..count.min(from + CHUNK),
        })
    })
}

/// Takes in vertices of an instance, in the space of each node that moves them.
fn see_chunk(scene: &Scene, chunk: &Chunk<'_>, known: &mut [Option<Box<Farthest>>]) {
    let Chunk { instance, primitive, vertices } = chunk;
    let skin = instance.skin.map(|skin| &scene[skin]);
    let Some(skin) = skin.filter(|_| !primitive.influences.is_empty()) else {
        let farthest = known[instance.joint.index()].get_or_insert_with(Farthest::none_yet);
        let points = vertices.clone().flat_map(|vertex| morphed(primitive, vertex));
        return points.for_each(|point| farthest.see(point.into()));
    };
    let mut boxes: Vec<(u32, [Vec3A; 2])> = Vec::new();
    for from in vertices.clone().step_by(BLOCK) {
        let block = from..vertices.end.min(from + BLOCK);
        boxes.clear();
        see_block(skin, primitive, block.clone(), |joint, point| {
            match boxes.iter_mut().find(|(known, _)| *known == joint) {
                Some((_, [low, high])) => {
                    *low = low.min(point);
                    *high = high.max(point);
                }
                None => boxes.push((joint, [point; 2])),
            }
        });
        // Nearly every block is within what is known of all of its nodes.
        boxes.retain(|(joint, around)| {
            let node = skin.joints[*joint as usize].index();
            !known[node].get_or_insert_with(Farthest::none_yet).has_all(*around)
        });
        if boxes.is_empty() {
            continue;
        }
        see_block(skin, primitive, block, |joint, point| {
            let node = skin.joints[joint as usize].index();
            if let Some(farthest) = &mut known[node]
                && boxes.iter().any(|(wide, _)| *wide == joint)
            {
                farthest.see(point);
            }
        });
    }
}

/// Shows vertices to `see`, in the space of each joint of a skin that moves them.
fn see_block(
    skin: &Skin,
    primitive: &Primitive,
    vertices: Range<usize>,
    mut see: impl FnMut(u32, Vec3A),
) {
    for vertex in vertices {
        for influence in primitive.influences.of(vertex) {
            if influence.weight < LEAST_WEIGHT {
                continue;
            }
            let joint_from_mesh = &skin.joint_from_mesh[influence.joint as usize];
            for point in morphed(primitive, vertex) {
                see(influence.joint, joint_from_mesh.transform_point3a(point.into()));
            }
        }
    }
}

/// A vertex as it is, and with each morph target that moves it fully on.
fn morphed(primitive: &Primitive, vertex: usize) -> impl Iterator<Item = Vec3> {
    let point = primitive.positions[vertex];
    let changes = primitive.morphs.iter().filter_map(move |morph| morph.positions.get(vertex));
    let moved = changes.filter(|change| **change != Vec3::ZERO).map(move |change| point + *change);
    std::iter::once(point).chain(moved)
}

#[cfg(test)]
mod tests {
    use sinew_scene::glam::Affine3A;
    use sinew_scene::{
        Geometry, Influence, Influences, JointId, Mesh, MeshId, Node, SceneParts, SkinId, Transform,
    };

    use super::*;

    #[test]
    fn the_farthest_of_all_vertices_are_found_however_many_lie_between() {
        // A ball of 4,000 vertices, with a bump that comes last and six points of its axes first.
        let axes = [Vec3::X, Vec3::Y, Vec3::Z].into_iter().flat_map(|at| [at, -at]);
        let ball = (0..4_000).map(|at| {
            let turn = at as f32;
            Vec3::new(turn.sin(), (0.7 * turn).cos(), (1.3 * turn).sin()).normalize_or_zero()
        });
        let positions: Vec<Vec3> = axes.chain(ball).chain([Vec3::splat(2.0)]).collect();
        let mut influences = Influences::default();
        for _ in &positions {
            influences.push([Influence { joint: 0, weight: 1.0 }]);
        }
        let bind = Affine3A::from_rotation_x(0.3) * Affine3A::from_translation(0.5 * Vec3::Y);
        let positions_of = positions.clone();
        let primitive = Primitive::from(Geometry { positions, influences, ..Geometry::default() });
        let scene = Scene::new(SceneParts {
            nodes: vec![Node::new("ball", None, Transform::IDENTITY)],
            meshes: vec![Mesh { primitives: vec![primitive], ..Mesh::default() }],
            instances: vec![Instance {
                joint: JointId::new(0),
                mesh: MeshId::new(0),
                skin: Some(SkinId::new(0)),
                weights: Vec::new(),
            }],
            skins: vec![Skin {
                joints: vec![JointId::new(0)],
                joint_from_mesh: vec![bind],
                ..Skin::default()
            }],
            ..SceneParts::default()
        })
        .expect("a ball");
        let found = farthest(&scene);
        let found = found[0].as_ref().expect("a node that moves vertices");
        let all: Vec<Vec3A> =
            positions_of.iter().map(|at| bind.transform_point3a((*at).into())).collect();
        for direction in 0..DIRECTIONS {
            let lengths = all.iter().map(|point| along(*point)[direction]);
            let most = lengths.clone().fold(f32::MIN, f32::max);
            let least = lengths.fold(f32::MAX, f32::min);
            assert_eq!([found.most[direction], found.least[direction]], [most, least]);
            let [high, low] = found.points[direction].map(|point| along(point)[direction]);
            assert_eq!([high, low], [most, least], "{direction}");
        }
    }
}
