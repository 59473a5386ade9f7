//! What `build.rs` makes of the shaders for WebGL2: the same files, used here.

#[path = "../../build/parts.rs"]
mod parts;
#[allow(dead_code)]
#[path = "../../build/glsl.rs"]
mod translated;

use parts::{Parts, flags};
use translated::translate;

use crate::shaders::Shader;

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')
}

#[test]
fn what_is_chosen_later_becomes_a_variable() {
    let (text, found) = flags(
        "override DUAL:bool=false;fn a(){}const HAS_COAT = true;const B=1;override DIM:f32=1.0;",
    );
    assert_eq!(
        text,
        "var<private> DUAL: bool = false;fn a(){}var<private> HAS_COAT: bool =  true;const B=1;var<private> DIM: f32 = 1.0;"
    );
    let found: Vec<_> = found.iter().map(|(name, kind)| (name.as_str(), *kind)).collect();
    assert_eq!(found, [("DIM", "float"), ("DUAL", "bool"), ("HAS_COAT", "bool")]);
}

#[test]
fn every_stage_is_whole_and_leaves_the_choices_open() {
    let mut parts = Parts::default();
    for shader in Shader::ALL {
        for (entry, reads, numbers) in translate(shader, &mut parts) {
            let text: String =
                numbers.iter().map(|number| parts.texts[usize::from(*number)].as_str()).collect();
            assert_eq!(text.matches("void main()").count(), 1, "{shader:?} {entry}");
            assert!(!text.contains("_group_"), "{shader:?} {entry}: a place without its name");
            // A condition of the preprocessor reads them as they are.
            let code: String = text.lines().filter(|line| !line.starts_with('#')).collect();
            assert!(
                !words(&code).any(
                    |word| word.starts_with("HAS_") && !text.contains(&format!("bool({word})"))
                )
            );
            // Every texture that is read is declared, and told to who binds it.
            let told: Vec<String> = reads
                .split(' ')
                .filter(|word| word.starts_with('t'))
                .map(|word| word[1..].split('.').take(2).collect::<Vec<_>>().join("_"))
                .collect();
            for place in words(&text)
                .filter_map(|word| word.strip_prefix('T'))
                .filter(|rest| rest.contains('_'))
            {
                let is_place = place.chars().all(|letter| letter.is_ascii_digit() || letter == '_');
                assert!(
                    !is_place || told.iter().any(|one| one == place),
                    "{shader:?} {entry}: T{place}"
                );
            }
        }
    }
    // What several shaders have is kept once, however naga numbers what is in it.
    for head in ["float pixel_noise(", "Rows dual_blend(", "Sides sides_of("] {
        assert_eq!(parts.texts.iter().filter(|text| text.starts_with(head)).count(), 1, "{head}");
    }
}

#[test]
fn tangents_are_handed_over_where_bumps_are_read() {
    let mut parts = Parts::default();
    translate(Shader::Plain, &mut parts);
    let of = |place: &str| {
        let declares = |text: &&String| text.contains(&format!(" {place};"));
        let found = parts.texts.iter().filter(declares).filter(|text| text.contains("smooth"));
        found.map(|text| text.lines().next().unwrap_or_default()).collect::<Vec<_>>()
    };
    assert_eq!(of("_vs2fs_location14"), ["#if HAS_NORMAL_MAP + HAS_ANISOTROPY"; 2]);
    assert_eq!(of("_vs2fs_location15"), ["#if HEAT"; 2]);
    assert!(of("_vs2fs_location0").iter().all(|line| line.starts_with("smooth")));
}

#[test]
fn an_image_that_no_material_has_costs_nothing() {
    let mut parts = Parts::default();
    translate(Shader::Mesh, &mut parts);
    let guarded = parts.texts.iter().filter(|text| text.starts_with("#ifdef MAP18\n")).count();
    assert_eq!(guarded, 2, "the image, and the function that reads it");
    for text in parts.texts.iter().filter(|text| text.contains("T3_37")) {
        assert!(text.starts_with("#ifdef MAP18"), "{text}");
    }
}
