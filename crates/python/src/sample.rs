//! A clip at many times, as one array.
//!
//! In:  a clip, times, a space and a form.
//! Out: rows of float32, frame by frame and joint by joint. Frames are shared among all cores.

use pyo3::prelude::*;
use rayon::prelude::*;
use sinew::glam::{Affine3A, Mat3A, Mat4, Vec3A, Vec4};
use sinew::motion::{LANES, Lanes, Sampler, to_model};
use sinew::{Clip, JointId, Pose, Scene};

use crate::axes::Axes;
use crate::error::bad;
use crate::form::{Form, by_rows};
use crate::poses::Poses;

/// Fewer frames than this are not shared among threads.
const CHUNK: usize = 256;

/// How many frames are sampled before they are written: they stay in the nearest cache.
const POSES: usize = 16;

/// What a transform is relative to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Space {
    /// The joint's parent.
    Local,
    /// The model.
    Model,
    /// The world that the model is placed in.
    World,
}

impl Space {
    pub(crate) fn named(name: &str) -> PyResult<Self> {
        Ok(match name {
            "local" => Self::Local,
            "model" => Self::Model,
            "world" => Self::World,
            other => {
                let known = "\"local\", \"model\" or \"world\"";
                return Err(bad(format!("space: expected {known}, found \"{other}\"")));
            }
        })
    }
}

/// Calls `job` with the first frame and the rows of each share of the work; the first error ends it.
pub(crate) fn in_chunks<T: Send>(
    out: &mut [T],
    width: usize,
    job: impl Fn(usize, &mut [T]) -> Result<(), String> + Send + Sync,
) -> Result<(), String> {
    if width == 0 {
        return Ok(());
    }
    if out.len() <= CHUNK * width {
        return job(0, out);
    }
    // Each share begins with a search for its first keys: no more of them than balance the cores.
    let frames = (out.len() / width).div_ceil(4 * rayon::current_num_threads()).max(CHUNK);
    let chunks = out.par_chunks_mut(frames * width).enumerate();
    chunks.try_for_each(|(at, chunk)| job(at * frames, chunk))
}

/// How transforms of poses are written.
pub(crate) struct Writer<'a> {
    pub(crate) scene: &'a Scene,
    pub(crate) space: Space,
    pub(crate) form: Form,
    /// All joints in order where none are chosen.
    pub(crate) joints: Option<&'a [JointId]>,
    pub(crate) axes: Option<Axes>,
    pub(crate) world_from_model: Affine3A,
}

impl Writer<'_> {
    /// How many joints a frame has.
    pub(crate) fn joint_count(&self) -> usize {
        self.joints.map_or(self.scene.skeleton().len(), <[JointId]>::len)
    }

    /// The shape of so many frames.
    pub(crate) fn shape(&self, frames: usize) -> Vec<usize> {
        [&[frames, self.joint_count()], self.form.shape()].concat()
    }

    /// How many numbers a frame has.
    fn width(&self) -> usize {
        self.joint_count() * self.form.width()
    }

    /// Samples `clip` at `times`; `out` has room for all frames.
    pub(crate) fn sample(&self, clip: &Clip, times: &[f32], out: &mut [f32]) {
        let rest = Pose::new(self.scene);
        let sampled = in_chunks(out, self.width(), |first, chunk| {
            let times = &times[first..first + chunk.len() / self.width()];
            let mut poses = vec![rest.clone(); times.len().min(POSES)];
            let mut sampler = Sampler::new(clip);
            let mut matrices = self.room();
            // Numbers go to a near cache first, and from there in one piece: a large array written a few numbers at a time is
            // fetched from memory line by line, which takes longer than all else.
            let mut near = vec![0.0; poses.len() * self.width()];
            for (rows, times) in chunk.chunks_mut(POSES * self.width()).zip(times.chunks(POSES)) {
                let poses = &mut poses[..times.len()];
                sampler.sample(times, poses);
                for (row, pose) in near.chunks_exact_mut(self.width()).zip(poses) {
                    self.write(pose, &mut matrices, row);
                }
                rows.copy_from_slice(&near[..rows.len()]);
            }
            Ok(())
        });
        debug_assert!(sampled.is_ok(), "sampling cannot fail");
    }

    /// Writes poses that a caller gave; `out` has room for all frames.
    pub(crate) fn poses(&self, poses: &Poses<'_>, out: &mut [f32]) -> PyResult<()> {
        let rest = Pose::new(self.scene);
        let written = in_chunks(out, self.width(), |first, chunk| {
            let (mut pose, mut matrices) = (rest.clone(), self.room());
            for (frame, row) in (first..).zip(chunk.chunks_exact_mut(self.width())) {
                poses.read(frame, &mut pose)?;
                self.write(&pose, &mut matrices, row);
            }
            Ok(())
        });
        written.map_err(bad)
    }

    /// Room for the model matrices of one frame: the same for every frame, so that it stays in the nearest cache.
    pub(crate) fn room(&self) -> Vec<Affine3A> {
        let needed = self.space != Space::Local;
        vec![Affine3A::IDENTITY; if needed { self.scene.skeleton().len() } else { 0 }]
    }

    /// Writes one frame; model matrices are worked out first where they are wanted.
    pub(crate) fn write(&self, pose: &Pose, matrices: &mut [Affine3A], row: &mut [f32]) {
        if self.space != Space::Local {
            to_model(self.scene.skeleton(), pose.locals(), matrices);
            return self.write_model(matrices, row);
        }
        if self.form == Form::Quat && self.joints.is_none() && self.axes.is_none() {
            return write_blocks(pose.locals(), row);
        }
        let matrices = self.form == Form::Matrix && !self.scene.skeleton().sheared().is_empty();
        let every = (0..self.scene.skeleton().len()).map(JointId::new);
        let rows = row.chunks_exact_mut(self.form.width());
        match self.joints {
            Some(joints) => {
                rows.zip(joints).for_each(|(row, &joint)| self.local(pose, joint, matrices, row));
            }
            None => rows.zip(every).for_each(|(row, joint)| self.local(pose, joint, matrices, row)),
        }
    }

    fn local(&self, pose: &Pose, joint: JointId, sheared: bool, row: &mut [f32]) {
        let local = pose.local(joint);
        if sheared && let Some(shear) = self.shear(joint) {
            let matrix = local.to_affine() * Affine3A { matrix3: shear, translation: Vec3A::ZERO };
            return write_matrix(self.axes.as_ref(), self.form, matrix, row);
        }
        self.form.write(self.axes.map_or(local, |axes| axes.transform(local)), row);
    }

    fn shear(&self, joint: JointId) -> Option<Mat3A> {
        self.scene.skeleton().node(joint).shear
    }

    fn write_model(&self, model_from_joint: &[Affine3A], row: &mut [f32]) {
        let placed = self.space == Space::World && self.world_from_model != Affine3A::IDENTITY;
        if self.form == Form::Matrix && !placed && self.joints.is_none() && self.axes.is_none() {
            let (rows, _) = row.as_chunks_mut();
            rows.iter_mut().zip(model_from_joint).for_each(|(row, matrix)| *row = by_rows(*matrix));
            return;
        }
        let one = |matrix: &Affine3A, row: &mut [f32]| {
            let matrix = if placed { self.world_from_model * *matrix } else { *matrix };
            write_matrix(self.axes.as_ref(), self.form, matrix, row);
        };
        let rows = row.chunks_exact_mut(self.form.width());
        match self.joints {
            Some(joints) => {
                rows.zip(joints)
                    .for_each(|(row, joint)| one(&model_from_joint[joint.index()], row));
            }
            None => rows.zip(model_from_joint).for_each(|(row, matrix)| one(matrix, row)),
        }
    }
}

#[inline]
fn write_matrix(axes: Option<&Axes>, form: Form, matrix: Affine3A, row: &mut [f32]) {
    form.write_affine(axes.map_or(matrix, |axes| axes.matrix(matrix)), row);
}

/// Translations and quaternions, straight from the blocks: whole ones first, then what is left of the last.
fn write_blocks(blocks: &[Lanes], row: &mut [f32]) {
    let (whole, rest) = row.as_chunks_mut::<{ LANES * WIDTH }>();
    let (full, last) = blocks.split_at(whole.len());
    for (block, out) in full.iter().zip(whole) {
        side_by_side(block, out);
    }
    if let Some(block) = last.first() {
        let mut out = [0.0; LANES * WIDTH];
        side_by_side(block, &mut out);
        rest.copy_from_slice(&out[..rest.len()]);
    }
}

/// Numbers of a translation and a quaternion.
const WIDTH: usize = 7;

/// Four joints at a time, by 4 × 4 matrices that are set on their sides: the first four numbers of each, then the last four.
#[inline(always)]
fn side_by_side(block: &Lanes, out: &mut [f32; LANES * WIDTH]) {
    let [tx, ty, tz] = &block.translation;
    let [rx, ry, rz, rw] = &block.rotation;
    for (half, rows) in out.chunks_exact_mut(LANES / 2 * WIDTH).enumerate() {
        let four = |numbers: &[f32; LANES]| Vec4::from_slice(&numbers[4 * half..4 * half + 4]);
        let first = Mat4::from_cols(four(tx), four(ty), four(tz), four(rx)).transpose();
        let last = Mat4::from_cols(four(rx), four(ry), four(rz), four(rw)).transpose();
        let numbers = first.to_cols_array_2d().into_iter().zip(last.to_cols_array_2d());
        for (row, (first, last)) in rows.chunks_exact_mut(WIDTH).zip(numbers) {
            row[..4].copy_from_slice(&first);
            row[3..].copy_from_slice(&last);
        }
    }
}
