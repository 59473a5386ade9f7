//! Which parts of a body a word may mean, and how surely.
//!
//! A word may mean two parts (`LeftShoulder` is a collar bone to one program and an upper arm to
//! another): then the order along the limb decides, in `find::names`.

use crate::slot::Part;
use crate::words::Reading;

/// Words with a side.
const SIDED: &[(&str, &[(Part, f32)])] = &[
    ("clavicle", &[(Part::Clavicle, 1.0)]),
    ("clav", &[(Part::Clavicle, 1.0)]),
    ("collar", &[(Part::Clavicle, 1.0)]),
    ("collarbone", &[(Part::Clavicle, 1.0)]),
    ("scapula", &[(Part::Clavicle, 0.7)]),
    ("shoulder", &[(Part::Clavicle, 0.8), (Part::UpperArm, 0.7)]),
    ("shldr", &[(Part::Clavicle, 0.6), (Part::UpperArm, 0.9)]),
    ("shldrbend", &[(Part::UpperArm, 1.0)]),
    ("upperarm", &[(Part::UpperArm, 1.0)]),
    ("uparm", &[(Part::UpperArm, 1.0)]),
    ("armupper", &[(Part::UpperArm, 1.0)]),
    ("humerus", &[(Part::UpperArm, 1.0)]),
    ("arm", &[(Part::UpperArm, 0.8)]),
    ("bicep", &[(Part::UpperArm, 0.4)]),
    ("forearm", &[(Part::Forearm, 1.0)]),
    ("forearmbend", &[(Part::Forearm, 1.0)]),
    ("lowerarm", &[(Part::Forearm, 1.0)]),
    ("armlower", &[(Part::Forearm, 1.0)]),
    ("loarm", &[(Part::Forearm, 1.0)]),
    ("lowarm", &[(Part::Forearm, 1.0)]),
    ("elbow", &[(Part::Forearm, 1.1)]),
    ("radius", &[(Part::Forearm, 1.0)]),
    ("hand", &[(Part::Hand, 1.0)]),
    ("wrist", &[(Part::Hand, 0.95)]),
    ("palm", &[(Part::Hand, 0.6)]),
    ("thigh", &[(Part::Thigh, 1.0)]),
    ("thighbend", &[(Part::Thigh, 1.0)]),
    ("upleg", &[(Part::Thigh, 1.0)]),
    ("upperleg", &[(Part::Thigh, 1.0)]),
    ("legupper", &[(Part::Thigh, 1.0)]),
    ("femur", &[(Part::Thigh, 1.0)]),
    ("hip", &[(Part::Thigh, 0.8)]),
    ("leg", &[(Part::Thigh, 0.5), (Part::Shin, 0.8)]),
    ("shin", &[(Part::Shin, 1.0)]),
    ("calf", &[(Part::Shin, 1.0)]),
    ("knee", &[(Part::Shin, 1.0)]),
    ("lowerleg", &[(Part::Shin, 1.0)]),
    ("leglower", &[(Part::Shin, 1.0)]),
    ("loleg", &[(Part::Shin, 1.0)]),
    ("lowleg", &[(Part::Shin, 1.0)]),
    ("tibia", &[(Part::Shin, 1.0)]),
    ("foot", &[(Part::Foot, 1.0)]),
    ("ankle", &[(Part::Foot, 1.0)]),
    ("toe", &[(Part::Toes, 1.0)]),
    ("toes", &[(Part::Toes, 1.0)]),
    ("toebase", &[(Part::Toes, 1.0)]),
    ("toeball", &[(Part::Toes, 1.0)]),
    ("ball", &[(Part::Toes, 1.0)]),
    ("footthumb", &[(Part::Toes, 0.9)]),
];

/// Words in the middle of the body.
const MIDDLE: &[(&str, &[(Part, f32)])] = &[
    ("hips", &[(Part::Hips, 1.0)]),
    ("hip", &[(Part::Hips, 1.0)]),
    ("pelvis", &[(Part::Hips, 0.95)]),
    ("pubis", &[(Part::Hips, 0.8)]),
    ("head", &[(Part::Head, 1.0)]),
    ("neck", &[(Part::Neck, 1.0)]),
    ("lowerneck", &[(Part::Neck, 1.0)]),
    ("upperneck", &[(Part::Neck, 1.0)]),
    ("loneck", &[(Part::Neck, 1.0)]),
    ("upneck", &[(Part::Neck, 1.0)]),
    ("necklower", &[(Part::Neck, 1.0)]),
    ("neckupper", &[(Part::Neck, 1.0)]),
    ("root", &[(Part::Root, 1.0)]),
    ("reference", &[(Part::Root, 0.9)]),
    ("origin", &[(Part::Root, 0.8)]),
];

const FINGERS: &[(&str, Part)] = &[
    ("thumb", Part::Thumb),
    ("thm", Part::Thumb),
    ("index", Part::Index),
    ("pointer", Part::Index),
    ("middle", Part::Middle),
    ("mid", Part::Middle),
    ("ring", Part::Ring),
    ("pinky", Part::Little),
    ("pinkie", Part::Little),
    ("little", Part::Little),
];

/// Whether any part is meant by a word.
pub(crate) fn knows(word: &str) -> bool {
    SIDED.iter().chain(MIDDLE).any(|(known, _)| *known == word)
        || FINGERS.iter().any(|(known, _)| *known == word)
        || matches!(word, "finger" | "fingers")
}

/// How surely a joint with this name is that part, from 0 to about 1.
pub(crate) fn score(reading: &Reading, part: Part) -> f32 {
    if reading.helper || finger(reading).is_some() && part != Part::Toes {
        return 0.0;
    }
    let table = if part.has_sides() { SIDED } else { MIDDLE };
    if reading.side.is_some() != part.has_sides() {
        return 0.0;
    }
    let key = reading.key();
    let meanings = table.iter().find(|(word, _)| *word == key).map_or(&[][..], |entry| entry.1);
    let score = meanings.iter().find(|(known, _)| *known == part).map_or(0.0, |known| known.1);
    // `DEF-thigh.L.001` is the second half of `DEF-thigh.L`.
    let later = 0.04 * reading.number().min(5) as f32;
    (score - later).max(0.0)
}

/// The finger that a name means. Biped counts them: `Finger0` is the thumb, `Finger01` its second joint.
pub(crate) fn finger(reading: &Reading) -> Option<Part> {
    let has = |wanted: &str| reading.words.iter().any(|word| word == wanted);
    // Bones within the palm; but a thumb begins with one.
    if has("foot") || has("toe") || has("palm") || (has("metacarpal") && !has("thumb")) {
        return None;
    }
    let meant = |word: &String| {
        let plain = word.strip_prefix('f').filter(|rest| FINGERS.iter().any(|(f, _)| f == rest));
        let word = plain.unwrap_or(word);
        FINGERS.iter().find(|(known, _)| *known == word).map(|entry| entry.1)
    };
    if let Some(part) = reading.words.iter().rev().find_map(meant) {
        return Some(part);
    }
    let counted = reading.words.last().is_some_and(|word| word == "finger");
    let first = reading.digits.chars().next().and_then(|digit| digit.to_digit(10));
    counted.then_some(first?).and_then(|at| Part::FINGERS.get(at as usize).copied())
}
