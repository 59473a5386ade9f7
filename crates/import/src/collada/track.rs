//! Tracks: what a group of a node's transforms does over time.
//!
//! In:  a group, and the channels of one clip that drive its steps.
//! Out: curves of translation, rotation and scale that follow the steps exactly, or nearly so where
//! no curve can: see [`fit`](crate::fit). What stays at rest gets no track.

use std::ops::Range;

use sinew_scene::{Clip, InstanceId, JointId, Track, WeightTrack};

use super::animation::{Channel, Channels};
use super::driven::{Driven, Number};
use super::matrix;
use super::motion::{Matrix, Rotation, Vector};
use super::stack::Group;
use super::step::{Kind, Step};
use super::trs::Trs;
use crate::ImportError;
use crate::budget::Budget;
use crate::fit::{self, Clock, NotFinite, Pieces, ROTATION_TOLERANCE, Slice};

/// How far a translation, a scale or a weight may be from the file, as a part of the largest.
pub(super) const TOLERANCE: f64 = 1e-6;

/// Whether any clip shears a driven matrix, so that it takes two nodes.
pub(super) fn is_sheared(step: &Step, channels: &Channels) -> bool {
    matrix::is_sheared(step, &of_step(step, channels, &[Range { start: 0, end: usize::MAX }]))
}

/// The channels of a step that lie in one of the ranges of text.
fn of_step<'a>(step: &Step, all: &'a Channels, within: &[Range<usize>]) -> Vec<&'a Channel> {
    step.tag.map(|tag| all.of(tag, within).collect()).unwrap_or_default()
}

/// A clip in the making.
pub(super) struct Build<'b> {
    pub(super) clip: Clip,
    pub(super) clock: Clock,
    pub(super) budget: &'b mut Budget,
    /// Tracks that had to be left out.
    pub(super) lost: usize,
    /// What the outer half of a sheared matrix left for the inner half, which comes next.
    pub(super) inner: Option<Pieces>,
}

impl Build<'_> {
    /// Adds the tracks of a group.
    pub(super) fn group(
        &mut self,
        joint: JointId,
        group: &Group,
        channels: &Channels,
        within: &[Range<usize>],
    ) -> Result<(), ImportError> {
        let of_step = |step| of_step(step, channels, within);
        match group {
            Group::Still(_) => Ok(()),
            Group::Matrix(step) => self.matrix(joint, step, &of_step(step), group.rest()),
            Group::Outer(step) => self.sheared(joint, step, &of_step(step), group.rest()),
            Group::Inner(_) => {
                if let Some(pieces) = self.inner.take() {
                    self.rotate(joint, &pieces, 10, group.rest());
                }
                Ok(())
            }
            Group::Moving(steps) => {
                let of = |kind| {
                    let steps = steps.iter().filter(move |step| step.kind == kind);
                    steps.map(|step| Driven::new(step, &of_step(step))).collect()
                };
                let rest = group.rest();
                self.vector(joint, of(Kind::Translate), rest, false)?;
                self.rotation(joint, of(Kind::Rotate), rest)?;
                self.vector(joint, of(Kind::Scale), rest, true)
            }
        }
    }

    /// Translations are added, scales multiplied.
    fn vector(
        &mut self,
        joint: JointId,
        all: Vec<Driven<'_>>,
        rest: Trs,
        is_scale: bool,
    ) -> Result<(), ImportError> {
        if !all.iter().any(|driven| driven.is_driven) {
            return Ok(());
        }
        let rows = all.into_iter().map(|driven| driven.numbers).collect();
        let mut source = Vector::new(rows, is_scale, TOLERANCE);
        let knots = source.knots();
        let pieces = fit::fit(&mut source, &knots, &self.clock, self.budget)?;
        let slice = Slice { pieces: &pieces, from: 0, width: 3, tolerance: source.tolerance };
        if is_scale {
            self.scale(joint, slice, rest);
        } else {
            self.translate(joint, slice, rest);
        }
        Ok(())
    }

    fn rotation(
        &mut self,
        joint: JointId,
        all: Vec<Driven<'_>>,
        rest: Trs,
    ) -> Result<(), ImportError> {
        if !all.iter().any(|driven| driven.is_driven) {
            return Ok(());
        }
        let mut source = Rotation::new(all);
        let knots = source.knots();
        let pieces = fit::fit(&mut source, &knots, &self.clock, self.budget)?;
        self.rotate(joint, &pieces, 0, rest);
        Ok(())
    }

    fn matrix(
        &mut self,
        joint: JointId,
        step: &Step,
        channels: &[&Channel],
        rest: Trs,
    ) -> Result<(), ImportError> {
        if channels.is_empty() || matrix::keyed(step, channels, joint, rest, self)? {
            return Ok(());
        }
        let source = Matrix::new(Driven::new(step, channels), false, TOLERANCE);
        self.fitted(joint, source, rest)?;
        Ok(())
    }

    fn sheared(
        &mut self,
        joint: JointId,
        step: &Step,
        channels: &[&Channel],
        rest: Trs,
    ) -> Result<(), ImportError> {
        if !channels.is_empty() {
            let source = Matrix::new(Driven::new(step, channels), true, TOLERANCE);
            self.inner = Some(self.fitted(joint, source, rest)?);
        }
        Ok(())
    }

    /// Adds the tracks of a matrix that is driven number by number.
    fn fitted(
        &mut self,
        joint: JointId,
        mut source: Matrix<'_>,
        rest: Trs,
    ) -> Result<Pieces, ImportError> {
        let knots = source.knots();
        let pieces = fit::fit(&mut source, &knots, &self.clock, self.budget)?;
        let slice = |from, tolerance| Slice { pieces: &pieces, from, width: 3, tolerance };
        self.translate(joint, slice(0, source.length), rest);
        self.rotate(joint, &pieces, 3, rest);
        self.scale(joint, slice(7, source.scale), rest);
        Ok(pieces)
    }

    /// Adds the track of an instance's morph weights.
    pub(super) fn weights(
        &mut self,
        instance: InstanceId,
        numbers: Vec<Number<'_>>,
        rest: &[f32],
    ) -> Result<(), ImportError> {
        let mut source = Vector::new(vec![numbers], false, TOLERANCE);
        let knots = source.knots();
        let pieces = fit::fit(&mut source, &knots, &self.clock, self.budget)?;
        let tolerance = source.tolerance;
        let slice = Slice { pieces: &pieces, from: 0, width: rest.len(), tolerance };
        let rows = slice.rows(&mut self.clock, rest);
        let rows = self.or_lost(rows);
        self.clip.weights.extend(rows.map(|rows| WeightTrack { instance, rows }));
        Ok(())
    }

    fn translate(&mut self, joint: JointId, slice: Slice<'_>, rest: Trs) {
        let curve = slice.vectors(&mut self.clock, rest.translation.as_vec3());
        let curve = self.or_lost(curve);
        self.clip.translations.extend(curve.map(|curve| Track { joint, curve }));
    }

    fn scale(&mut self, joint: JointId, slice: Slice<'_>, rest: Trs) {
        let curve = slice.vectors(&mut self.clock, rest.scale.as_vec3());
        let curve = self.or_lost(curve);
        self.clip.scales.extend(curve.map(|curve| Track { joint, curve }));
    }

    fn rotate(&mut self, joint: JointId, pieces: &Pieces, from: usize, rest: Trs) {
        let slice = Slice { pieces, from, width: 4, tolerance: ROTATION_TOLERANCE };
        let curve = slice.rotations(&mut self.clock, rest.rotation.as_quat().normalize());
        let curve = self.or_lost(curve);
        self.clip.rotations.extend(curve.map(|curve| Track { joint, curve }));
    }

    /// Counts a curve that had to be left out.
    pub(super) fn or_lost<T>(&mut self, curve: Result<Option<T>, NotFinite>) -> Option<T> {
        self.lost += usize::from(curve.is_err());
        curve.ok().flatten()
    }
}
