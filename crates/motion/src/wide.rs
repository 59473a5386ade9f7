//! Arithmetic on eight numbers side by side.
//!
//! Plain loops of fixed length over arrays: the compiler turns each into vector instructions, and
//! no code here branches on a number.

use crate::lanes::LANES;

/// One number for each of eight joints.
pub(crate) type Wide = [f32; LANES];

/// Eight quaternions: x, y, z, w.
pub(crate) type WideQuat = [Wide; 4];

#[inline(always)]
pub(crate) fn zip(a: &Wide, b: &Wide, combine: impl Fn(f32, f32) -> f32) -> Wide {
    std::array::from_fn(|lane| combine(a[lane], b[lane]))
}

#[inline(always)]
pub(crate) fn dot(a: &WideQuat, b: &WideQuat) -> Wide {
    std::array::from_fn(|lane| {
        a[0][lane] * b[0][lane]
            + a[1][lane] * b[1][lane]
            + a[2][lane] * b[2][lane]
            + a[3][lane] * b[3][lane]
    })
}

#[inline(always)]
pub(crate) fn conjugate(q: &WideQuat) -> WideQuat {
    [q[0].map(|x| -x), q[1].map(|y| -y), q[2].map(|z| -z), q[3]]
}

/// The product `a b`: `b` turns first, about the axes that `a` leads to.
#[inline(always)]
pub(crate) fn times(a: &WideQuat, b: &WideQuat) -> WideQuat {
    let mut out = [[0.0; LANES]; 4];
    for lane in 0..LANES {
        let [ax, ay, az, aw] = [a[0][lane], a[1][lane], a[2][lane], a[3][lane]];
        let [bx, by, bz, bw] = [b[0][lane], b[1][lane], b[2][lane], b[3][lane]];
        out[0][lane] = aw * bx + ax * bw + ay * bz - az * by;
        out[1][lane] = aw * by - ax * bz + ay * bw + az * bx;
        out[2][lane] = aw * bz + ax * by - ay * bx + az * bw;
        out[3][lane] = aw * bw - ax * bx - ay * by - az * bz;
    }
    out
}

/// Of unit length again; what has next to no length becomes no rotation at all.
#[inline(always)]
pub(crate) fn unit(q: &WideQuat) -> WideQuat {
    let length = dot(q, q);
    let scale = length.map(|length| if length > 1e-20 { 1.0 / length.sqrt() } else { 0.0 });
    let mut out = *q;
    for row in &mut out {
        *row = zip(row, &scale, |value, scale| value * scale);
    }
    for lane in 0..LANES {
        out[3][lane] = if scale[lane] == 0.0 { 1.0 } else { out[3][lane] };
    }
    out
}

#[cfg(test)]
mod tests {
    use sinew_scene::glam::Quat;

    use super::*;

    fn wide(q: Quat) -> WideQuat {
        q.to_array().map(|value| [value; LANES])
    }

    #[test]
    fn products_agree_with_the_narrow_ones() {
        let (a, b) = (Quat::from_rotation_x(0.7), Quat::from_rotation_z(-2.0));
        let found = times(&wide(a), &wide(b)).map(|row| row[3]);
        assert!(Quat::from_array(found).abs_diff_eq(a * b, 1e-6), "{found:?}");
        let back = times(&conjugate(&wide(a)), &wide(a)).map(|row| row[7]);
        assert!(Quat::from_array(back).abs_diff_eq(Quat::IDENTITY, 1e-6), "{back:?}");
    }

    #[test]
    fn no_length_is_no_turn() {
        let found = unit(&wide(Quat::from_xyzw(0.0, 0.0, 0.0, 0.0))).map(|row| row[0]);
        assert_eq!(found, [0.0, 0.0, 0.0, 1.0]);
        let found = unit(&wide(Quat::from_xyzw(0.0, 3.0, 0.0, 4.0))).map(|row| row[0]);
        assert_eq!(found, [0.0, 0.6, 0.0, 0.8]);
    }
}
