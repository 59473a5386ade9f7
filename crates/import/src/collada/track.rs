//! Tracks: what a group of a node's transforms does over time.
//!
//! In:  a group, and the channels of one clip that drive its steps.
//! Out: curves of translation, rotation and scale that follow the steps exactly, or nearly so where
//! no curve can: see [`fit`](crate::fit). What stays at rest gets no track.

use std::ops::Range;

use sinew_scene::{Clip, InstanceId, JointId, Track, WeightTrack};

use super::animation::Channels;
use super::driven::{Driven, Number};
use super::matrix;
use super::motion::{Matrix, Part, Rotation, Vector};
use super::stack::Group;
use super::step::{Kind, Step};
use super::trs::Trs;
use crate::Error;
use crate::budget::Budget;
use crate::fit::{self, Clock, NotFinite, Pieces, ROTATION_TOLERANCE, Slice};

/// How far a translation, a scale or a weight may be from the file, as a part of the largest.
pub(super) const TOLERANCE: f64 = 1e-6;

/// Whether any clip shears a driven matrix, so that it takes two nodes.
pub(super) fn is_sheared(step: &Step, channels: &Channels) -> bool {
    matrix::is_sheared(Driven::new(step, channels, &[Range { start: 0, end: usize::MAX }]))
}

/// A clip in the making.
pub(super) struct Build<'b> {
    pub(super) clip: Clip,
    pub(super) clock: Clock,
    pub(super) budget: &'b mut Budget,
    /// Tracks that had to be left out.
    pub(super) lost: usize,
}

impl Build<'_> {
    /// Adds the tracks of a group.
    pub(super) fn group(
        &mut self,
        joint: JointId,
        group: &Group,
        channels: &Channels,
        within: &[Range<usize>],
    ) -> Result<(), Error> {
        let driven = |step| Driven::new(step, channels, within);
        match group {
            Group::Still(_) => Ok(()),
            Group::Matrix(step) => self.matrix(joint, driven(step), Part::Whole, group.rest()),
            Group::Outer(step) => self.matrix(joint, driven(step), Part::Outer, group.rest()),
            Group::Inner(step) => self.matrix(joint, driven(step), Part::Inner, group.rest()),
            Group::Moving(steps) => {
                let of = |kind| steps.iter().filter(move |step| step.kind == kind).map(driven);
                let rest = group.rest();
                self.vector(joint, of(Kind::Translate).collect(), rest, false)?;
                self.rotation(joint, of(Kind::Rotate).collect(), rest)?;
                self.vector(joint, of(Kind::Scale).collect(), rest, true)
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
    ) -> Result<(), Error> {
        if all.iter().all(|driven| driven.channels.is_empty()) {
            return Ok(());
        }
        let rows = all.into_iter().map(|driven| driven.numbers).collect();
        let mut source = Vector::new(rows, is_scale, TOLERANCE);
        let knots = source.knots();
        let pieces = fit::fit(&mut source, &knots, &self.clock, self.budget)?;
        let slice = Slice { pieces: &pieces, from: 0, width: 3, tolerance: source.tolerance };
        if is_scale {
            self.scale(joint, slice, rest)
        } else {
            self.translate(joint, slice, rest)
        }
        Ok(())
    }

    fn rotation(&mut self, joint: JointId, all: Vec<Driven<'_>>, rest: Trs) -> Result<(), Error> {
        if all.iter().all(|driven| driven.channels.is_empty()) {
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
        driven: Driven<'_>,
        part: Part,
        rest: Trs,
    ) -> Result<(), Error> {
        if driven.channels.is_empty() {
            return Ok(());
        }
        if part == Part::Whole && matrix::keyed(&driven, joint, rest, self)? {
            return Ok(());
        }
        let knots = super::driven::knots(driven.numbers.iter());
        let mut source = Matrix::new(driven, part, TOLERANCE);
        let pieces = fit::fit(&mut source, &knots, &self.clock, self.budget)?;
        if part == Part::Inner {
            self.rotate(joint, &pieces, 0, rest);
            return Ok(());
        }
        let slice = |from, tolerance| Slice { pieces: &pieces, from, width: 3, tolerance };
        self.translate(joint, slice(0, source.length), rest);
        self.rotate(joint, &pieces, 3, rest);
        self.scale(joint, slice(7, source.scale), rest);
        Ok(())
    }

    /// Adds the track of an instance's morph weights.
    pub(super) fn weights(
        &mut self,
        instance: InstanceId,
        numbers: Vec<Number<'_>>,
        rest: &[f32],
    ) -> Result<(), Error> {
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
