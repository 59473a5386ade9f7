//! Which parts of a body a word may mean, and how surely.
//!
//! A word may mean two parts (`LeftShoulder` is a collar bone to one program and an upper arm to
//! another): then the order along the limb decides, in `find::names`.

use crate::slot::BodyPart;
use crate::words::Reading;

/// Words with a side.
const SIDED: &[(&str, &[(BodyPart, f32)])] = &[
    ("clavicle", &[(BodyPart::Clavicle, 1.0)]),
    ("clav", &[(BodyPart::Clavicle, 1.0)]),
    ("collar", &[(BodyPart::Clavicle, 1.0)]),
    ("collarbone", &[(BodyPart::Clavicle, 1.0)]),
    ("scapula", &[(BodyPart::Clavicle, 0.7)]),
    ("shoulder", &[(BodyPart::Clavicle, 0.8), (BodyPart::UpperArm, 0.7)]),
    ("shldr", &[(BodyPart::Clavicle, 0.6), (BodyPart::UpperArm, 0.9)]),
    ("shldrbend", &[(BodyPart::UpperArm, 1.0)]),
    ("upperarm", &[(BodyPart::UpperArm, 1.0)]),
    ("uparm", &[(BodyPart::UpperArm, 1.0)]),
    ("armupper", &[(BodyPart::UpperArm, 1.0)]),
    ("humerus", &[(BodyPart::UpperArm, 1.0)]),
    ("arm", &[(BodyPart::UpperArm, 0.8)]),
    ("bicep", &[(BodyPart::UpperArm, 0.4)]),
    ("forearm", &[(BodyPart::Forearm, 1.0)]),
    ("forearmbend", &[(BodyPart::Forearm, 1.0)]),
    ("lowerarm", &[(BodyPart::Forearm, 1.0)]),
    ("armlower", &[(BodyPart::Forearm, 1.0)]),
    ("loarm", &[(BodyPart::Forearm, 1.0)]),
    ("lowarm", &[(BodyPart::Forearm, 1.0)]),
    ("elbow", &[(BodyPart::Forearm, 1.1)]),
    ("radius", &[(BodyPart::Forearm, 1.0)]),
    ("hand", &[(BodyPart::Hand, 1.0)]),
    ("wrist", &[(BodyPart::Hand, 0.95)]),
    ("palm", &[(BodyPart::Hand, 0.6)]),
    ("thigh", &[(BodyPart::Thigh, 1.0)]),
    ("thighbend", &[(BodyPart::Thigh, 1.0)]),
    ("upleg", &[(BodyPart::Thigh, 1.0)]),
    ("upperleg", &[(BodyPart::Thigh, 1.0)]),
    ("legupper", &[(BodyPart::Thigh, 1.0)]),
    ("femur", &[(BodyPart::Thigh, 1.0)]),
    ("hip", &[(BodyPart::Thigh, 0.8)]),
    ("leg", &[(BodyPart::Thigh, 0.5), (BodyPart::Shin, 0.8)]),
    ("shin", &[(BodyPart::Shin, 1.0)]),
    ("calf", &[(BodyPart::Shin, 1.0)]),
    ("knee", &[(BodyPart::Shin, 1.0)]),
    ("lowerleg", &[(BodyPart::Shin, 1.0)]),
    ("leglower", &[(BodyPart::Shin, 1.0)]),
    ("loleg", &[(BodyPart::Shin, 1.0)]),
    ("lowleg", &[(BodyPart::Shin, 1.0)]),
    ("tibia", &[(BodyPart::Shin, 1.0)]),
    ("foot", &[(BodyPart::Foot, 1.0)]),
    ("ankle", &[(BodyPart::Foot, 1.0)]),
    ("toe", &[(BodyPart::Toes, 1.0)]),
    ("toes", &[(BodyPart::Toes, 1.0)]),
    ("toebase", &[(BodyPart::Toes, 1.0)]),
    ("toeball", &[(BodyPart::Toes, 1.0)]),
    ("ball", &[(BodyPart::Toes, 1.0)]),
    ("footthumb", &[(BodyPart::Toes, 0.9)]),
];

/// Words in the middle of the body.
const MIDDLE: &[(&str, &[(BodyPart, f32)])] = &[
    ("hips", &[(BodyPart::Hips, 1.0)]),
    ("hip", &[(BodyPart::Hips, 1.0)]),
    ("pelvis", &[(BodyPart::Hips, 0.95)]),
    ("pubis", &[(BodyPart::Hips, 0.8)]),
    ("head", &[(BodyPart::Head, 1.0)]),
    ("neck", &[(BodyPart::Neck, 1.0)]),
    ("lowerneck", &[(BodyPart::Neck, 1.0)]),
    ("upperneck", &[(BodyPart::Neck, 1.0)]),
    ("loneck", &[(BodyPart::Neck, 1.0)]),
    ("upneck", &[(BodyPart::Neck, 1.0)]),
    ("necklower", &[(BodyPart::Neck, 1.0)]),
    ("neckupper", &[(BodyPart::Neck, 1.0)]),
    ("root", &[(BodyPart::Root, 1.0)]),
    ("reference", &[(BodyPart::Root, 0.9)]),
    ("origin", &[(BodyPart::Root, 0.8)]),
];

const FINGERS: &[(&str, BodyPart)] = &[
    ("thumb", BodyPart::Thumb),
    ("thm", BodyPart::Thumb),
    ("index", BodyPart::Index),
    ("pointer", BodyPart::Index),
    ("middle", BodyPart::Middle),
    ("mid", BodyPart::Middle),
    ("ring", BodyPart::Ring),
    ("pinky", BodyPart::Little),
    ("pinkie", BodyPart::Little),
    ("little", BodyPart::Little),
];

/// Whether any part is meant by a word.
pub(crate) fn knows(word: &str) -> bool {
    SIDED.iter().chain(MIDDLE).any(|(known, _)| *known == word)
        || FINGERS.iter().any(|(known, _)| *known == word)
        || matches!(word, "finger" | "fingers")
}

/// How surely a joint with this name is that part, from 0 to about 1.
pub(crate) fn score(reading: &Reading, part: BodyPart) -> f32 {
    if reading.helper || finger(reading).is_some() && part != BodyPart::Toes {
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
pub(crate) fn finger(reading: &Reading) -> Option<BodyPart> {
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
    counted.then_some(first?).and_then(|at| BodyPart::FINGERS.get(at as usize).copied())
}
