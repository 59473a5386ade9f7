//! The palette as kernels read it: a number of eight bits is never out of its range.

use sinew_scene::glam::{Affine3A, Mat3A, Vec3A};

/// Four columns of three numbers, each with an idle fourth: two registers, one cache line. Without
/// the idle numbers a matrix would still take two loads, and half of them would cross a line.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Matrix(pub(super) [[f32; 8]; 2]);

impl From<&Affine3A> for Matrix {
    fn from(affine: &Affine3A) -> Self {
        let Mat3A { x_axis, y_axis, z_axis } = affine.matrix3;
        Self([pair(x_axis, y_axis), pair(z_axis, affine.translation)])
    }
}

fn pair(a: Vec3A, b: Vec3A) -> [f32; 8] {
    let (a, b) = (a.extend(0.0), b.extend(0.0));
    [a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w]
}

/// As many matrices as a byte can number.
#[derive(Debug)]
pub(super) struct Table([Matrix; 256]);

/// Whose matrix an entry of the table is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Whose {
    Joint(u32),
    /// Of the vertices that no joint influences.
    Node,
}

impl Table {
    /// Nothing in it yet.
    pub(super) const fn new() -> Self {
        Self([Matrix([[0.0; 8]; 2]); 256])
    }

    /// The matrices asked for, in that order.
    pub(super) fn fill(&mut self, order: &[Whose], joints: &[Affine3A], node: Affine3A) {
        for (place, whose) in self.0.iter_mut().zip(order) {
            *place = match *whose {
                Whose::Joint(joint) => (&joints[joint as usize]).into(),
                Whose::Node => (&node).into(),
            };
        }
    }

    #[inline(always)]
    pub(super) fn matrix(&self, number: u8) -> &Matrix {
        &self.0[usize::from(number)]
    }
}
