//! The numbers of a transform element over time.
//!
//! In:  an element, and the channels of one clip that drive its numbers.
//! Out: its numbers at any time between two knots, and the knots.
//!
//! A number that its channel never changes is held, and has no knots.

use super::animation::{Channel, Member};
use super::curve::Keys;
use super::step::{Kind, Step, Values};
use crate::fit::Span;

/// One number: held, or driven by one dimension of a channel's keys.
pub(super) struct Number<'a> {
    keys: Option<(&'a Keys, usize)>,
    /// The key that ends the span used last.
    next: usize,
    pub(super) span: Span,
}

impl<'a> Number<'a> {
    pub(super) fn held(value: f64) -> Self {
        Self { keys: None, next: 0, span: Span::held(value) }
    }

    pub(super) fn driven(keys: &'a Keys, dimension: usize) -> Self {
        let held = Self::held(keys.value(0, dimension));
        if keys.is_flat(dimension) { held } else { Self { keys: Some((keys, dimension)), ..held } }
    }

    pub(super) fn is_held(&self) -> bool {
        self.keys.is_none()
    }

    /// Goes to the times between `from` and `to`; no key may lie between.
    pub(super) fn open(&mut self, from: f64, to: f64) {
        let Some((keys, dimension)) = self.keys else { return };
        let middle = 0.5 * (from + to);
        let times = &keys.times;
        if self.next > 0 && times[self.next - 1] > middle {
            self.next = 0;
        }
        while times.get(self.next).is_some_and(|&time| time <= middle) {
            self.next += 1;
        }
        self.span = match self.next {
            0 => Span::held(keys.value(0, dimension)),
            next if next == times.len() => Span::held(keys.value(next - 1, dimension)),
            next => keys.span(next - 1, dimension),
        };
    }

    /// Goes to the times after the last key.
    pub(super) fn close(&mut self) {
        self.open(f64::INFINITY, f64::INFINITY);
    }

    /// The largest size of any key.
    pub(super) fn largest(&self) -> f64 {
        match self.keys {
            Some((keys, dimension)) => {
                f64::from(keys.values(dimension).map(f32::abs).fold(0.0, f32::max))
            }
            None => self.span.value(0.0).abs(),
        }
    }
}

/// A transform element with its numbers over time.
pub(super) struct Driven<'a> {
    pub(super) kind: Kind,
    pub(super) numbers: Vec<Number<'a>>,
    /// Whether there is a channel, even if it changes nothing.
    pub(super) is_driven: bool,
}

impl<'a> Driven<'a> {
    pub(super) fn new(step: &Step, channels: &[&'a Channel]) -> Self {
        let rest = &step.rest[..step.kind.width()];
        let mut numbers: Vec<Number<'_>> = rest.iter().copied().map(Number::held).collect();
        for channel in channels {
            drive(&mut numbers, channel, index_of(channel.member, step.kind));
        }
        Self { kind: step.kind, numbers, is_driven: !channels.is_empty() }
    }

    pub(super) fn is_held(&self) -> bool {
        self.numbers.iter().all(Number::is_held)
    }

    pub(super) fn open(&mut self, from: f64, to: f64) {
        self.numbers.iter_mut().for_each(|number| number.open(from, to));
    }

    pub(super) fn close(&mut self) {
        self.numbers.iter_mut().for_each(Number::close);
    }

    /// The numbers at a time inside what was opened.
    pub(super) fn values(&self, time: f64) -> Values {
        let mut values = [0.0; 16];
        for (value, number) in values.iter_mut().zip(&self.numbers) {
            *value = number.span.value(time);
        }
        values
    }
}

/// Has a channel drive the number at an index, or all of them.
pub(super) fn drive<'a>(numbers: &mut [Number<'a>], channel: &'a Channel, index: Option<usize>) {
    match index {
        Some(at) => {
            if let Some(number) = numbers.get_mut(at) {
                *number = Number::driven(&channel.keys, 0);
            }
        }
        None => {
            for (at, number) in numbers.iter_mut().enumerate().take(channel.keys.width) {
                *number = Number::driven(&channel.keys, at);
            }
        }
    }
}

/// The number that a member means; `None` for all of them.
fn index_of(member: Member, kind: Kind) -> Option<usize> {
    match member {
        Member::All => None,
        Member::Index(at) => Some(at),
        // The file's numbers are row by row.
        Member::Cell(column, row) => Some(row.min(3) * 4 + column.min(3)),
        Member::Angle if kind == Kind::Rotate => Some(3),
        Member::Angle => Some(0),
    }
}

/// The key times of all numbers, rising, without repeats.
pub(super) fn knots<'a: 'n, 'n>(numbers: impl Iterator<Item = &'n Number<'a>>) -> Vec<f64> {
    let mut knots: Vec<f64> = Vec::new();
    let mut last: &[f64] = &[];
    for (keys, _) in numbers.filter_map(|number| number.keys) {
        // Most numbers of a node have their keys at the same times.
        if keys.times != last {
            last = &keys.times;
            knots.extend_from_slice(last);
        }
    }
    knots.sort_by(f64::total_cmp);
    knots.dedup();
    knots
}
