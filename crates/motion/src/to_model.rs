//! From parent space to model space.
//!
//! In:  where each node stands in its parent, eight to a block.
//! Out: where each node stands in the model.
//!
//! First every local matrix is made, eight nodes at a time. Then each is multiplied by its parent's,
//! level by level, so that one product need not wait for the one before.

use std::ops::Range;

use sinew_lanes::{Kernel, SimdLevel, Wide, run};
use sinew_scene::Skeleton;
use sinew_scene::glam::{Affine3A, Mat3A, Vec3A};

use crate::lanes::{LANES, Lanes};

/// Where each node stands in the model.
///
/// # Panics
/// When the slices do not fit the skeleton.
pub fn to_model(
    skeleton: &Skeleton,
    parent_from_joint: &[Lanes],
    model_from_joint: &mut [Affine3A],
) {
    to_model_on(SimdLevel::current(), skeleton, parent_from_joint, model_from_joint);
}

/// The same on a given path. [`SimdLevel::Fast`] strays from the others by less than 1e-6 of the size of
/// the numbers for each level of the tree.
///
/// # Panics
/// When the slices do not fit the skeleton.
pub fn to_model_on(
    path: SimdLevel,
    skeleton: &Skeleton,
    parent_from_joint: &[Lanes],
    model_from_joint: &mut [Affine3A],
) {
    assert_eq!(parent_from_joint.len(), skeleton.len().div_ceil(LANES), "eight joints per block");
    assert_eq!(model_from_joint.len(), skeleton.len(), "one matrix per joint");
    run(path, ToModel { skeleton, parent_from_joint, model_from_joint });
}

struct ToModel<'a> {
    skeleton: &'a Skeleton,
    parent_from_joint: &'a [Lanes],
    model_from_joint: &'a mut [Affine3A],
}

impl Kernel for ToModel<'_> {
    type Output = ();

    #[inline(always)]
    fn run<W: Wide>(self) {
        let matrices = self.model_from_joint;
        let (whole, rest) = matrices.as_chunks_mut::<LANES>();
        let (blocks, last) = self.parent_from_joint.split_at(whole.len());
        for (block, out) in blocks.iter().zip(whole) {
            local_matrices::<W>(block, out);
        }
        if let [last] = last {
            let mut out = [Affine3A::IDENTITY; LANES];
            local_matrices::<W>(last, &mut out);
            rest.copy_from_slice(&out[..rest.len()]);
        }
        for (joint, shear) in self.skeleton.sheared() {
            let shear = Affine3A { matrix3: *shear, translation: Vec3A::ZERO };
            matrices[joint.index()] = product::<W>(&matrices[joint.index()], &shear);
        }
        for (joint, parent) in self.skeleton.levels() {
            let model_from_parent = matrices[parent.index()];
            let local = &mut matrices[joint.index()];
            *local = product::<W>(&model_from_parent, local);
        }
    }
}

/// The same for a few nodes in a row; what is above them must be there already.
#[inline]
pub(crate) fn to_model_range(
    skeleton: &Skeleton,
    parent_from_joint: &[Lanes],
    model_from_joint: &mut [Affine3A],
    range: Range<usize>,
) {
    let parents = skeleton.parents();
    assert_eq!(parent_from_joint.len(), parents.len().div_ceil(LANES), "eight joints per block");
    assert_eq!(model_from_joint.len(), parents.len(), "one matrix per joint");

    let all = skeleton.sheared();
    let mut sheared = match all {
        [] => [].iter().peekable(),
        _ => all[all.partition_point(|(id, _)| id.index() < range.start)..].iter().peekable(),
    };
    for joint in range {
        let mut local = parent_from_joint[joint / LANES].get(joint % LANES).to_affine();
        if let Some((_, shear)) = sheared.next_if(|(id, _)| id.index() == joint) {
            local *= Affine3A { matrix3: *shear, translation: Vec3A::ZERO };
        }
        model_from_joint[joint] = match parents[joint] {
            Some(parent) => model_from_joint[parent.index()] * local,
            None => local,
        };
    }
}

/// Eight transforms as matrices.
#[inline(always)]
fn local_matrices<W: Wide>(block: &Lanes, out: &mut [Affine3A; LANES]) {
    let [x, y, z, w] = &block.rotation;
    let (x, y, z, w) = (W::load(x), W::load(y), W::load(z), W::load(w));
    let [sx, sy, sz] = &block.scale;
    let (sx, sy, sz) = (W::load(sx), W::load(sy), W::load(sz));
    let [tx, ty, tz] = &block.translation;
    let (tx, ty, tz) = (W::load(tx), W::load(ty), W::load(tz));
    let (one, zero) = (W::splat(1.0), W::splat(0.0));
    let (x2, y2, z2) = (x + x, y + y, z + z);
    let (xx, xy, xz, yy, yz) = (x * x2, x * y2, x * z2, y * y2, y * z2);
    // Of nodes i and i + 4, one in each half.
    let a = W::transpose([
        (one - z.mul_add(z2, yy)) * sx,
        w.mul_add(z2, xy) * sx,
        w.mul_sub_from(y2, xz) * sx,
        zero,
    ]);
    let b = W::transpose([
        w.mul_sub_from(z2, xy) * sy,
        (one - z.mul_add(z2, xx)) * sy,
        w.mul_add(x2, yz) * sy,
        zero,
    ]);
    let c = W::transpose([
        w.mul_add(y2, xz) * sz,
        w.mul_sub_from(x2, yz) * sz,
        (one - (xx + yy)) * sz,
        zero,
    ]);
    let d = W::transpose([tx, ty, tz, zero]);
    for node in 0..4 {
        let ([a, e], [b, f]) = (a[node].into_pair(), b[node].into_pair());
        let ([c, g], [d, h]) = (c[node].into_pair(), d[node].into_pair());
        out[node] = Affine3A { matrix3: Mat3A::from_cols(a, b, c), translation: d };
        out[node + 4] = Affine3A { matrix3: Mat3A::from_cols(e, f, g), translation: h };
    }
}

/// `parent · local`, two columns at a time.
#[inline(always)]
fn product<W: Wide>(parent: &Affine3A, local: &Affine3A) -> Affine3A {
    let Mat3A { x_axis, y_axis, z_axis } = parent.matrix3;
    let columns = [W::pair(x_axis, x_axis), W::pair(y_axis, y_axis), W::pair(z_axis, z_axis)];
    let moved = W::pair(Vec3A::ZERO, parent.translation);
    let xy = W::pair(local.matrix3.x_axis, local.matrix3.y_axis);
    let zw = W::pair(local.matrix3.z_axis, local.translation);
    let [a, b] = carry(columns, xy).into_pair();
    // What is large is added last and rounded once: far down a chain of long moves it shows.
    let [c, d] = (carry(columns, zw) + moved).into_pair();
    Affine3A { matrix3: Mat3A::from_cols(a, b, c), translation: d }
}

/// Two vectors, one in each half, by the same matrix.
#[inline(always)]
fn carry<W: Wide>([x, y, z]: [W; 3], vectors: W) -> W {
    let sum = vectors.spread::<0>() * x;
    vectors.spread::<2>().mul_add(z, vectors.spread::<1>().mul_add(y, sum))
}

#[cfg(test)]
mod tests {
    use sinew_scene::glam::{Quat, Vec3};
    use sinew_scene::{JointId, Node, Scene, SceneParts, Transform};

    use super::*;
    use crate::Pose;

    /// Shoulder at the origin, elbow 1 m along X, hand 1 m further.
    fn arm() -> Scene {
        let metre = Transform::from_translation(Vec3::X);
        let nodes = vec![
            Node::new("shoulder", None, Transform::IDENTITY),
            Node::new("elbow", Some(JointId::new(0)), metre),
            Node::new("hand", Some(JointId::new(1)), metre),
        ];
        Scene::new(SceneParts { nodes, ..SceneParts::default() }).expect("an arm is a scene")
    }

    #[test]
    fn a_hand_follows_a_turned_shoulder() {
        let scene = arm();
        let mut pose = Pose::new(&scene);
        let turned = Transform::from_rotation(Quat::from_rotation_z(90_f32.to_radians()));
        pose.set_local(JointId::new(0), turned);
        pose.to_model(scene.skeleton());
        let hand = Vec3::from(pose.model_from_joint()[2].translation);
        assert!(hand.abs_diff_eq(2.0 * Vec3::Y, 1e-6), "hand is at {hand}");
    }

    #[test]
    fn a_sheared_node_keeps_its_matrix_and_shears_its_children() {
        let mut parts = arm().into_parts();
        // x gains half of y.
        parts.nodes[1].shear = Some(Mat3A::from_cols_array(&[1., 0., 0., 0.5, 1., 0., 0., 0., 1.]));
        parts.nodes[2].rest.translation = Vec3::Y;
        let scene = Scene::new(parts).expect("a sheared arm is a scene");
        let pose = Pose::new(&scene);
        let hand = Vec3::from(pose.model_from_joint()[2].translation);
        assert!(hand.abs_diff_eq(Vec3::new(1.5, 1.0, 0.0), 1e-6), "hand is at {hand}");
    }

    /// Thirty nodes, some scaled, turned and sheared, in a tree that forks.
    fn bush() -> Scene {
        let node = |at: usize| {
            let parent = at.checked_sub(1).map(|last| JointId::new(last / 2 + last % 2 * last / 3));
            let angle = at as f32;
            let rest = Transform {
                translation: Vec3::new(0.3, angle.sin(), 0.1 * angle.cos()),
                rotation: Quat::from_euler(Default::default(), angle, 0.7 * angle, -0.2 * angle),
                scale: Vec3::new(1.0, 0.9 + 0.01 * angle, if at == 7 { -1.0 } else { 1.1 }),
            };
            let shear =
                (at == 5).then(|| Mat3A::from_cols_array(&[1., 0., 0., 0.5, 1., 0., 0., 0., 1.]));
            Node { shear, ..Node::new("", parent, rest) }
        };
        let nodes = (0..30).map(node).collect();
        Scene::new(SceneParts { nodes, ..SceneParts::default() }).expect("a bush is a scene")
    }

    fn on(path: SimdLevel, scene: &Scene) -> Vec<Affine3A> {
        let pose = Pose::new(scene);
        let mut out = vec![Affine3A::IDENTITY; pose.len()];
        to_model_on(path, scene.skeleton(), pose.locals(), &mut out);
        out
    }

    #[test]
    fn every_path_gives_what_plain_matrices_give() {
        let scene = bush();
        let mut expected: Vec<Affine3A> = Vec::new();
        for node in scene.skeleton().nodes() {
            let local = node.parent_from_node();
            expected.push(node.parent.map_or(local, |parent| expected[parent.index()] * local));
        }
        for path in SimdLevel::ALL {
            for (joint, (found, expected)) in on(path, &scene).iter().zip(&expected).enumerate() {
                assert!(
                    found.abs_diff_eq(*expected, 5e-6),
                    "{path:?}, {joint}: {found} {expected}"
                );
            }
        }
    }

    #[test]
    fn the_deterministic_path_has_the_bits_of_the_plain_one() {
        let scene = bush();
        let bits = |path| -> Vec<_> {
            on(path, &scene).iter().map(|matrix| matrix.to_cols_array().map(f32::to_bits)).collect()
        };
        assert_eq!(bits(SimdLevel::Deterministic), bits(SimdLevel::Scalar));
    }
}
