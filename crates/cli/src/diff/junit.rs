//! What comparisons found, as a JUnit report: a suite for each pair of files, a case for each clip.

use std::fmt::Write;

use sinew::compare::Comparison;

use super::text::{error, millimetres};
use super::verdict::Over;

/// A report that is filled pair by pair.
#[derive(Debug, Default)]
pub(crate) struct Report {
    suites: String,
    tests: usize,
    failures: usize,
    errors: usize,
}

impl Report {
    /// Two files that were compared.
    pub(crate) fn add(&mut self, name: &str, found: &Comparison, over: &[Over]) {
        let failures_of = |clip: Option<&str>| -> Vec<&str> {
            let own = over.iter().filter(|over| over.clip.as_deref() == clip);
            own.map(|over| &over.text[..]).collect()
        };
        let mut cases = String::new();
        let mut failed = 0;
        let mut case = |title: &str, said: &str, wrong: &[&str]| {
            failed += usize::from(!wrong.is_empty());
            let _ = write!(
                cases,
                "    <testcase classname=\"{}\" name=\"{}\">",
                escaped(name),
                escaped(title)
            );
            if !wrong.is_empty() {
                let wrong = escaped(&wrong.join("; "));
                let _ = write!(cases, "<failure message=\"{wrong}\">{wrong}</failure>");
            }
            let _ = writeln!(cases, "<system-out>{}</system-out></testcase>", escaped(said));
        };
        let off = |metres: f64| format!("worst {} mm", millimetres(metres));
        case("structure and rest pose", &off(error(&found.rest)), &failures_of(None));
        for clip in &found.clips {
            case(&clip.a, &off(error(&clip.measure)), &failures_of(Some(&clip.a)));
        }
        let tests = 1 + found.clips.len();
        self.suite(name, [tests, failed, 0], &cases);
    }

    /// Two files that could not be compared.
    pub(crate) fn add_error(&mut self, name: &str, error: &str) {
        let case = format!(
            "    <testcase classname=\"{0}\" name=\"readable\"><error message=\"{1}\">{1}</error></testcase>\n",
            escaped(name),
            escaped(error)
        );
        self.suite(name, [1, 0, 1], &case);
    }

    fn suite(&mut self, name: &str, [tests, failures, errors]: [usize; 3], cases: &str) {
        self.tests += tests;
        self.failures += failures;
        self.errors += errors;
        let _ = write!(
            self.suites,
            "  <testsuite name=\"{}\" tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\">\n{cases}  </testsuite>\n",
            escaped(name)
        );
    }

    /// The whole file.
    pub(crate) fn finish(&self) -> String {
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"sinew diff\" tests=\"{}\" failures=\"{}\" errors=\"{}\">\n{}</testsuites>\n",
            self.tests, self.failures, self.errors, self.suites
        )
    }
}

/// A text as it may stand in XML; control characters may not.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            letter if letter.is_control() || matches!(letter, '\u{fffe}' | '\u{ffff}') => {
                out.push('\u{fffd}');
            }
            letter => out.push(letter),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_from_files_do_not_break_the_report() {
        let mut report = Report::default();
        report.add_error("a<b>&\"c\"\u{1b}", "no\nsuch");
        let text = report.finish();
        assert!(text.contains("name=\"a&lt;b&gt;&amp;&quot;c&quot;\u{fffd}\""), "{text}");
        assert!(text.contains("tests=\"1\" failures=\"0\" errors=\"1\""), "{text}");
    }
}
