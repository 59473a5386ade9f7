//! What a rule is: a stable code, how bad, why, how to mend, and what the glTF Validator calls it.
//!
//! The table itself is in `table.rs`; the longer explanations are files in `explain`.

use crate::Severity;
use crate::table::RULES;

/// Whether a fault can be mended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mend {
    /// Without being asked: there is one right answer.
    Automatic,
    /// When asked for by the rule's code: it changes what somebody may have meant.
    OnRequest,
    /// Not by a program.
    Never,
}

impl Mend {
    /// In one word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Automatic => "automatic",
            Self::OnRequest => "on request",
            Self::Never => "by hand",
        }
    }
}

/// A kind of fault.
#[derive(Debug, PartialEq)]
#[non_exhaustive]
pub struct Rule {
    /// Stable; what `--only`, `--skip`, `--explain` and baselines name.
    pub code: &'static str,
    /// Other names that mean the same.
    pub aliases: &'static [&'static str],
    /// How bad it usually is.
    pub severity: Severity,
    /// One line: what it is.
    pub title: &'static str,
    /// One line: what one sees, and where.
    pub why: &'static str,
    /// One line: what to do.
    pub how: &'static str,
    /// Whether `--mend` does it.
    pub mend: Mend,
    /// What the glTF Validator calls it; empty where it says nothing.
    pub validator: &'static [&'static str],
    /// Half a page.
    pub explanation: &'static str,
}

impl Rule {
    /// All of them, in the order of the guide.
    #[must_use]
    pub fn all() -> &'static [Self] {
        RULES
    }

    /// The rule of this code or alias, or of this code of the glTF Validator.
    ///
    /// ```
    /// use sinew_check::Rule;
    /// let rule = Rule::named("weight-sum").unwrap();
    /// assert_eq!(Rule::named("ACCESSOR_WEIGHTS_NON_NORMALIZED"), Some(rule));
    /// assert_eq!(Rule::named("turn-180").unwrap().code, "rotation-180");
    /// ```
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        let named = |rule: &&Self| {
            let other = rule.aliases.iter().chain(rule.validator);
            std::iter::once(&rule.code).chain(other).any(|known| known.eq_ignore_ascii_case(name))
        };
        RULES.iter().find(named)
    }

    /// Codes that look like a name nobody has, nearest first: for "did you mean".
    #[must_use]
    pub fn like(name: &str) -> Vec<&'static str> {
        let mut near: Vec<(usize, &str)> =
            RULES.iter().map(|rule| (distance(rule.code, name), rule.code)).collect();
        near.sort_unstable();
        near.into_iter().filter(|(far, _)| *far <= 3).take(3).map(|(_, code)| code).collect()
    }
}

/// How many letters are to be changed, added or left out.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.to_lowercase().chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (at, letter) in one.chars().enumerate() {
        let mut corner = at;
        row[0] = at + 1;
        for (column, &wanted) in other.iter().enumerate() {
            let change = corner + usize::from(letter != wanted);
            corner = row[column + 1];
            row[column + 1] = change.min(corner + 1).min(row[column] + 1);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_rules_share_a_name() {
        let mut names: Vec<&str> = RULES
            .iter()
            .flat_map(|rule| {
                [rule.code]
                    .into_iter()
                    .chain(rule.aliases.iter().copied())
                    .chain(rule.validator.iter().copied())
            })
            .collect();
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all);
    }

    #[test]
    fn every_rule_is_explained_at_some_length() {
        for rule in RULES {
            assert!(rule.explanation.len() > 400, "{}: {}", rule.code, rule.explanation.len());
            assert!(
                !rule.why.is_empty() && !rule.how.is_empty() && rule.title.len() < 70,
                "{}",
                rule.code
            );
            let plain =
                rule.code.chars().all(|c| c.is_ascii_lowercase() || c == '-' || c.is_ascii_digit());
            assert!(plain, "{}", rule.code);
        }
    }

    #[test]
    fn a_misspelt_code_finds_its_neighbours() {
        assert_eq!(Rule::like("wieght-sum").first(), Some(&"weight-sum"));
        assert!(Rule::like("something else entirely").is_empty());
        assert_eq!(
            (distance("loop", "loop"), distance("loop", "lop"), distance("", "ab")),
            (0, 1, 2)
        );
    }
}
