//! A damped spring, exactly: no step is too long for it.
//!
//! In:  seconds, natural frequency and damping.
//! Out: what distance and speed become, as four factors.
//!
//! The solution of `y″ + 2ζω y′ + ω² y = 0`, so two half steps are one whole step.

/// What distance and speed become after a step: `[[yy, yv], [vy, vv]]`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Step {
    pub(super) yy: f32,
    pub(super) yv: f32,
    pub(super) vy: f32,
    pub(super) vv: f32,
}

impl Step {
    /// `omega` in radians a second, above zero; `zeta` 1 just does not swing.
    pub(super) fn new(seconds: f32, omega: f32, zeta: f32) -> Self {
        // So near to critical that both formulas around it divide by nearly nothing.
        let zeta = if (zeta - 1.0).abs() < 1e-3 { 1.0 } else { zeta };
        let (decay, t) = (zeta * omega, seconds);
        // `even` and `odd` are e^(-ζωt) times the cosine and the sine over its frequency.
        let (even, odd) = if zeta < 1.0 {
            let swing = omega * (1.0 - zeta * zeta).sqrt();
            let (sine, cosine) = (swing * t).sin_cos();
            let fade = (-decay * t).exp();
            (fade * cosine, fade * sine / swing)
        } else if zeta == 1.0 {
            let fade = (-decay * t).exp();
            (fade, fade * t)
        } else {
            let spread = omega * (zeta * zeta - 1.0).sqrt();
            let (slow, fast) = ((-(decay - spread) * t).exp(), (-(decay + spread) * t).exp());
            ((slow + fast) / 2.0, (slow - fast) / (2.0 * spread))
        };
        Self { yy: even + decay * odd, yv: odd, vy: -omega * omega * odd, vv: even - decay * odd }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(step: Step, [y, v]: [f32; 2]) -> [f32; 2] {
        [step.yy * y + step.yv * v, step.vy * y + step.vv * v]
    }

    #[test]
    fn half_a_swing_without_damping_is_the_other_side() {
        let step = Step::new(0.5, std::f32::consts::TAU, 0.0);
        let [y, v] = after(step, [1.0, 0.0]);
        assert!((y + 1.0).abs() < 1e-6 && v.abs() < 1e-5, "{y} {v}");
    }

    #[test]
    fn a_critical_spring_follows_its_formula() {
        // y = (1 + ωt) e^(-ωt) from rest at 1.
        let [y, _] = after(Step::new(0.3, 5.0, 1.0), [1.0, 0.0]);
        assert!((y - 2.5 * (-1.5_f32).exp()).abs() < 1e-6, "{y}");
    }

    #[test]
    fn two_half_steps_are_a_whole_one() {
        for zeta in [0.0, 0.2, 0.9985, 1.0, 1.0005, 1.5, 8.0] {
            let half = Step::new(0.01, 30.0, zeta);
            let [y, v] = after(half, after(half, [0.3, -2.0]));
            let [whole_y, whole_v] = after(Step::new(0.02, 30.0, zeta), [0.3, -2.0]);
            assert!((y - whole_y).abs() < 1e-5 && (v - whole_v).abs() < 1e-3, "{zeta}");
        }
    }

    #[test]
    fn no_step_is_too_long() {
        for zeta in [0.05, 1.0, 40.0] {
            let [y, v] = after(Step::new(1e4, 100.0, zeta), [1.0, 100.0]);
            assert!(y.abs() <= 1.1 && v.abs() <= 1.0, "{zeta}: {y} {v}");
        }
    }
}
