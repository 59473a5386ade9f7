//! A hand that reaches for a ball, and a head that looks at it, on top of a clip.
//!
//! ```sh
//! cargo run --example motion_ik                                  # numbers
//! cargo run --example motion_ik --features render -- ik.png      # and an image
//! ```
//!
//! Modifiers are plain structs with a function over a pose; [`Actor::advance_with`] calls them between the clip and the
//! palettes, in the order that is written there. Places are in model space, in metres.

#[cfg(feature = "render")]
mod studio;

use std::error::Error;

use sinew::Actor;
use sinew::glam::Vec3;
use sinew::ik::{LookAt, LookAtState, Outcome, Pole, TwoBone};

const TICK: f32 = 1.0 / 60.0;

struct Reacher {
    arm: TwoBone,
    look: LookAt,
    gaze: LookAtState,
}

impl Reacher {
    fn new(actor: &Actor) -> Result<Self, Box<dyn Error>> {
        let skeleton = actor.scene().skeleton();
        let find = |name: &str| skeleton.find(name).ok_or(format!("there is no {name}"));
        let arm = TwoBone {
            pole: Pole::Toward(Vec3::new(0.6, -1.0, -0.4)), // elbows point down and out
            softness: 0.05,
            ..TwoBone::new(skeleton, find("hand.L")?)?
        };
        let joints = [find("upper_chest")?, find("neck")?, find("head")?];
        let look = LookAt::new(&joints, Vec3::Z, Vec3::Y)?;
        Ok(Self { arm, look, gaze: LookAtState::new() })
    }

    /// One frame: the clip, then the look, which turns the chest, then the arm, which hangs on it.
    fn frame(&mut self, actor: &mut Actor, ball: Vec3) -> Outcome {
        let mut outcome = Outcome::Unchanged;
        actor.advance_with(TICK, |pose, skeleton| {
            self.look.apply(pose, skeleton, Some(ball), &mut self.gaze, TICK);
            outcome = self.arm.apply(pose, skeleton, ball);
        });
        outcome
    }
}

fn place(actor: &Actor, name: &str) -> Vec3 {
    let joint = actor.scene().skeleton().find(name).map_or(0, |joint| joint.index());
    actor.pose().model_from_joint()[joint].translation.into()
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut actor = Actor::new(sinew::ossi());
    actor.play("idle")?;
    let mut reacher = Reacher::new(&actor)?;

    // The ball goes up, to the side, and out of reach.
    for ball in [[0.30, 1.10, 0.30], [0.45, 1.55, 0.20], [0.2, 1.3, 0.40], [0.6, 1.3, 1.6]] {
        let ball = Vec3::from(ball);
        let mut outcome = Outcome::Unchanged;
        for _ in 0..60 {
            outcome = reacher.frame(&mut actor, ball);
        }
        let hand = place(&actor, "hand.L");
        println!(
            "ball {ball:.2}  hand {hand:.2}  off by {:.3} m  {outcome:?}",
            hand.distance(ball)
        );
        let in_reach = ball.distance(place(&actor, "upper_arm.L")) < 0.5;
        assert!(!in_reach || hand.distance(ball) < 1e-4, "the hand is at {hand}");
        assert_eq!(outcome.reached(), in_reach, "{ball} {outcome:?}");
    }

    #[cfg(feature = "render")]
    if let Some(path) = std::env::args().nth(1) {
        use sinew::glam::Affine3A;
        let mut studio =
            studio::Studio::new(&actor, Vec3::new(1.3, 1.7, 3.9), Vec3::new(0.1, 0.95, 0.0))?;
        for (aside, ball) in
            [(-1.1, [0.35, 0.95, 0.25]), (0.0, [0.45, 1.6, 0.15]), (1.1, [-0.1, 1.3, 0.38])]
        {
            let (aside, ball) = (Affine3A::from_translation(Vec3::X * aside), Vec3::from(ball));
            for _ in 0..60 {
                reacher.frame(&mut actor, ball);
            }
            actor.place(aside);
            studio.add(&actor);
            studio.ball(aside.transform_point3(ball), 0.05, studio::RED);
            let eyes = aside.transform_point3(place(&actor, "head") + Vec3::new(0.0, 0.1, 0.1));
            studio.line(eyes, aside.transform_point3(ball), studio::BLUE);
        }
        studio.save(&path)?;
    }
    Ok(())
}
