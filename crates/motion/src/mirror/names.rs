//! What the other side's joint would be called.
//!
//! In:  a name, such as `mixamorig:LeftArm`, `thigh.L.001`, `Bip01 R Foot` or `hand_l`.
//! Out: names to look for, likeliest first. That one of them exists is what makes it a pair.

/// A name's other-side spellings; empty when no side is marked in it.
pub(crate) fn other_side(name: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (from, to) in [("left", "right"), ("right", "left")] {
        for (from, to) in
            [(from, to), (&*capital(from), &*capital(to)), (&*upper(from), &*upper(to))]
        {
            for (at, _) in name.match_indices(from) {
                found.push(replaced(name, at, from.len(), to));
            }
        }
    }
    // Letters at the end say more than letters in front.
    let letters: Vec<(usize, char)> = name.char_indices().collect();
    for index in (0..letters.len()).rev() {
        let (at, letter) = letters[index];
        let before = index.checked_sub(1).map(|before| letters[before].1);
        let after = letters.get(index + 1).map(|after| after.1);
        let other = match letter {
            'L' => "R",
            'R' => "L",
            'l' => "r",
            'r' => "l",
            _ => continue,
        };
        if alone(before, letter, after) {
            found.push(replaced(name, at, 1, other));
        }
    }
    found
}

/// Whether a letter stands for a word: `_l`, `.L.001`, `L_Hand`, `LHand`, `lShldr`, `HandL`.
fn alone(before: Option<char>, letter: char, after: Option<char>) -> bool {
    let apart = |c: Option<char>| c.is_none_or(|c| !c.is_alphabetic());
    let starts_word = after.is_some_and(char::is_uppercase);
    let ends_word = letter.is_uppercase() && before.is_some_and(char::is_lowercase);
    (apart(before) && (apart(after) || starts_word)) || (ends_word && apart(after))
}

fn replaced(name: &str, at: usize, length: usize, with: &str) -> String {
    format!("{}{with}{}", &name[..at], &name[at + length..])
}

fn capital(word: &str) -> String {
    format!("{}{}", word[..1].to_uppercase(), &word[1..])
}

fn upper(word: &str) -> String {
    word.to_uppercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_common_spelling_leads_to_the_other_side() {
        for (left, right) in [
            ("mixamorig:LeftArm", "mixamorig:RightArm"),
            ("LeftUpLeg", "RightUpLeg"),
            ("leftHand", "rightHand"),
            ("arm_left", "arm_right"),
            ("ARM LEFT", "ARM RIGHT"),
            ("hand.L", "hand.R"),
            ("thigh.L.001", "thigh.R.001"),
            ("f_index.01.L", "f_index.01.R"),
            ("hand_l", "hand_r"),
            ("calf_twist_01_l", "calf_twist_01_r"),
            ("Bip01 L Thigh", "Bip01 R Thigh"),
            ("ValveBiped.Bip01_L_Hand", "ValveBiped.Bip01_R_Hand"),
            ("J_Bip_L_UpperArm", "J_Bip_R_UpperArm"),
            ("LThumb", "RThumb"),
            ("lShldr", "rShldr"),
            ("HandL_end", "HandR_end"),
            ("L", "R"),
        ] {
            assert!(other_side(left).contains(&right.into()), "{left}: {:?}", other_side(left));
            assert!(other_side(right).contains(&left.into()), "{right}: {:?}", other_side(right));
        }
    }

    #[test]
    fn a_name_without_a_side_leads_nowhere() {
        for name in ["", "Hips", "spine.001", "Roll", "collar", "émile", "girl"] {
            assert_eq!(other_side(name), [""; 0], "{name}");
        }
    }
}
