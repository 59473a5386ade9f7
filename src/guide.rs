//! The code of README.md and docs/guide, compiled and run by `cargo test --doc`.
//!
//! Nothing of it is in the library: each page is here for its code alone.

macro_rules! pages {
    ($($(#[$when:meta])* $name:ident = $path:literal;)*) => {
        $($(#[$when])* #[doc = include_str!($path)] struct $name;)*
    };
}

pages! {
    Readme = "../README.md";
    Play = "../docs/guide/play.md";
    #[cfg(feature = "toml")]
    Blend = "../docs/guide/blend.md";
    #[cfg(feature = "toml")]
    States = "../docs/guide/states.md";
    FeetAndLook = "../docs/guide/feet_and_look.md";
    OtherRigs = "../docs/guide/other_rigs.md";
    #[cfg(feature = "film")]
    Image = "../docs/guide/image.md";
    #[cfg(feature = "film")]
    Light = "../docs/guide/light.md";
    Crowd = "../docs/guide/crowd.md";
    RootMotion = "../docs/guide/root_motion.md";
    Ik = "../docs/guide/ik.md";
    Retargeting = "../docs/guide/retargeting.md";
    Packing = "../docs/guide/packing.md";
    Check = "../docs/guide/check.md";
    Compare = "../docs/guide/compare.md";
    Convert = "../docs/guide/convert.md";
    Export = "../docs/guide/export.md";
    #[cfg(feature = "film")]
    Scenes = "../docs/guide/scenes.md";
    #[cfg(feature = "render")]
    Scripts = "../docs/guide/scripts.md";
    EcsAndBevy = "../docs/guide/ecs_and_bevy.md";
}
