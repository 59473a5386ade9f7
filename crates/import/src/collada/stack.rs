//! A node's stack of transform elements, split into groups that are each translation · rotation · scale.
//!
//! In:  the steps of a node, and which of them some animation drives.
//! Out: groups, the outermost first. Each becomes a node of the scene; the last has the name. A
//! stack that nothing drives is one group, kept exactly. So nothing is ever approximated: what does
//! not fit in one node takes several.

use glam::{DAffine3, DQuat, DVec3};

use super::step::{self, Kind, Step};
use super::trs::Trs;

/// What becomes one node.
#[derive(Clone, Debug)]
pub(super) enum Group {
    /// Nothing drives it.
    Still(DAffine3),
    /// Translations, then rotations, then scales.
    Moving(Vec<Step>),
    /// A matrix, a look-at or a skew that is driven.
    Matrix(Step),
    /// The outer half of one that is sheared at times; the inner half comes next.
    Outer(Step),
    /// The inner half of one that is sheared at times.
    Inner(Step),
}

/// Splits a stack. Gives at least one group.
pub(super) fn split(steps: &[Step], is_driven: impl Fn(&Step) -> bool) -> Vec<Group> {
    if !steps.iter().any(&is_driven) {
        return vec![Group::Still(product(steps))];
    }
    let mut groups = Groups { done: Vec::new(), open: Vec::new() };
    for run in steps.chunk_by(|one, other| !is_driven(one) && !is_driven(other)) {
        match run {
            [step] if is_driven(step) => groups.add(step.clone()),
            still => groups.add_still(product(still)),
        }
    }
    groups.close();
    groups.done
}

/// The matrix of steps at rest.
pub(super) fn product(steps: &[Step]) -> DAffine3 {
    steps
        .iter()
        .fold(DAffine3::IDENTITY, |product, step| product * step::matrix(step.kind, &step.rest))
}

impl Group {
    /// Translation, rotation and scale at rest, for a group that is driven.
    pub(super) fn rest(&self) -> Trs {
        match self {
            Self::Still(matrix) => Trs::nearest(*matrix).0,
            Self::Matrix(step) => Trs::nearest(step::matrix(step.kind, &step.rest)).0,
            Self::Outer(step) => halves(step).0,
            Self::Inner(step) => Trs { rotation: halves(step).1, ..Trs::IDENTITY },
            Self::Moving(steps) => steps.iter().fold(Trs::IDENTITY, |mut trs, step| {
                match step.kind {
                    Kind::Translate => trs.translation += step::vector(&step.rest),
                    Kind::Rotate => trs.rotation *= step::rotation(&step.rest),
                    _ => trs.scale *= step::vector(&step.rest),
                }
                trs
            }),
        }
    }
}

fn halves(step: &Step) -> (Trs, DQuat) {
    Trs::halves(step::matrix(step.kind, &step.rest), DQuat::IDENTITY)
}

struct Groups {
    done: Vec<Group>,
    open: Vec<Step>,
}

/// The order within a group; a step that would go back begins the next.
fn phase(kind: Kind) -> u8 {
    match kind {
        Kind::Translate => 0,
        Kind::Rotate => 1,
        _ => 2,
    }
}

impl Groups {
    fn add(&mut self, step: Step) {
        if matches!(step.kind, Kind::Matrix | Kind::LookAt | Kind::Skew) {
            self.close();
            self.done.push(Group::Matrix(step));
            return;
        }
        if self.open.last().is_some_and(|last| phase(step.kind) < phase(last.kind)) {
            self.close();
        }
        self.open.push(step);
    }

    /// What is not driven is folded together and taken apart again: most of it is nothing.
    fn add_still(&mut self, matrix: DAffine3) {
        // Exporters round matrices to six digits; that is no shear.
        const ROUNDING: f64 = 2e-6;
        let (trs, miss) = Trs::nearest(matrix);
        if miss > ROUNDING {
            self.close();
            self.done.push(Group::Still(matrix));
            return;
        }
        if trs.translation != DVec3::ZERO {
            self.add(Step::of(Kind::Translate, &trs.translation.to_array()));
        }
        if !trs.rotation.abs_diff_eq(DQuat::IDENTITY, 1e-9) {
            self.add(Step::rotate(trs.rotation));
        }
        if !trs.scale.abs_diff_eq(DVec3::ONE, 1e-9) {
            self.add(Step::of(Kind::Scale, &trs.scale.to_array()));
        }
    }

    fn close(&mut self) {
        if !self.open.is_empty() {
            self.done.push(Group::Moving(std::mem::take(&mut self.open)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn translate(x: f64, y: f64, z: f64) -> Step {
        Step::of(Kind::Translate, &[x, y, z])
    }

    fn rotate(axis: DVec3, degrees: f64) -> Step {
        Step::of(Kind::Rotate, &[axis.x, axis.y, axis.z, degrees])
    }

    fn scale(x: f64, y: f64, z: f64) -> Step {
        Step::of(Kind::Scale, &[x, y, z])
    }

    /// All steps marked by their kind are driven; whatever the split, the product stays.
    fn groups_of(steps: &[Step], driven: Kind) -> usize {
        let groups = split(steps, |step| step.kind == driven);
        let whole = groups.iter().fold(DAffine3::IDENTITY, |product, group| {
            product
                * match group {
                    Group::Still(matrix) => *matrix,
                    group => group.rest().to_affine(),
                }
        });
        assert!(whole.abs_diff_eq(product(steps), 1e-12), "{whole:?}");
        groups.len()
    }

    #[test]
    fn the_usual_order_is_one_node() {
        let steps = [
            translate(1.0, 2.0, 3.0),
            rotate(DVec3::Z, 90.0),
            rotate(DVec3::Y, 10.0),
            rotate(DVec3::X, 20.0),
            scale(1.0, 2.0, 3.0),
        ];
        assert_eq!(groups_of(&steps, Kind::Rotate), 1);
        assert_eq!(groups_of(&steps, Kind::Translate), 1);
    }

    #[test]
    fn a_pivot_around_a_driven_rotation_takes_two_nodes_and_an_empty_one_takes_none() {
        let pivot =
            [translate(1.0, 0.0, 0.0), rotate(DVec3::Z, 90.0), Step::of(Kind::Matrix, &IDENTITY)];
        assert_eq!(groups_of(&pivot, Kind::Rotate), 1);
        let mut moved = pivot;
        moved[2].rest[3] = -1.0;
        assert_eq!(groups_of(&moved, Kind::Rotate), 2);
    }

    #[test]
    fn a_scale_before_a_driven_rotation_takes_two_nodes() {
        let steps = [scale(1.0, 2.0, 3.0), rotate(DVec3::Z, 30.0)];
        assert_eq!(groups_of(&steps, Kind::Rotate), 2);
    }

    #[test]
    fn a_shear_among_driven_steps_is_kept_in_a_node_of_its_own() {
        let skew = Step::of(Kind::Skew, &[45.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0]);
        let steps = [translate(1.0, 0.0, 0.0), skew, rotate(DVec3::Z, 30.0)];
        assert_eq!(groups_of(&steps, Kind::Rotate), 2);
    }

    const IDENTITY: [f64; 16] =
        [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];
}
