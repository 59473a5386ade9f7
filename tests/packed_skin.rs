//! Packed clips at the skin: no vertex of a real character is off by more than was asked.

use std::sync::Arc;

use sinew::off_at_skin;
use sinew::pack::{Options, pack};

#[test]
fn no_vertex_of_the_built_in_character_is_off_by_more_than_the_bound() {
    let scene = Arc::new(sinew::ossi());
    for clip in &scene.clips {
        for error in [0.000_1, 0.001] {
            let options = Options { error, ..Options::default() };
            let (packed, report) = pack(&scene, clip, &options, &|_| {}).expect("it packs");
            let skin = off_at_skin(&scene, clip, &packed, 61).expect("it has vertices");
            assert!(skin <= report.loss, "{}: {skin} m, {} m stated", clip.name, report.loss);
            // The bound is of some use: what is measured is not far below it.
            assert!(skin > 0.05 * error, "{}: {skin} m of {error} m", clip.name);
        }
    }
}

#[test]
fn a_clip_of_another_character_has_no_skin_to_be_off() {
    let (scene, other) = (Arc::new(sinew::demo()), Arc::new(sinew::ossi()));
    let (packed, _) =
        pack(&scene, &scene.clips[0], &Options::default(), &|_| {}).expect("it packs");
    assert_eq!(off_at_skin(&other, &other.clips[0], &packed, 5), None);
}
