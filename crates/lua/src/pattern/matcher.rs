//! Lua's patterns, matched with every step counted.
//!
//! In:  a text, a pattern, and where to begin.
//! Out: where the match ends, and its captures.
//!
//! Lua's own matcher goes back and forth without an end in sight on patterns such as `.-.-.-x`; here each step is paid for.
//! The language is that of the Lua 5.4 manual, section 6.4.1.

use super::class::{in_class, in_set};
use crate::limits::Meter;

/// Most captures, as in Lua.
const MAX_CAPTURES: usize = 32;
/// Most nested attempts, as in Lua.
const MAX_DEPTH: usize = 200;
/// Steps between two looks at the meter.
const BATCH: u64 = 1024;

/// A part of the text that a pattern asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Capture {
    /// Begun here and not ended.
    Open(usize),
    /// From here to there.
    Part(usize, usize),
    /// A place only: `()`.
    Place(usize),
}

/// A pattern at work on a text.
pub(super) struct Matcher<'a> {
    text: &'a [u8],
    pattern: &'a [u8],
    meter: &'a Meter,
    captures: Vec<Capture>,
    depth: usize,
    steps: u64,
}

type Found = mlua::Result<Option<usize>>;

fn wrong<T>(words: impl Into<String>) -> mlua::Result<T> {
    Err(mlua::Error::runtime(words.into()))
}

impl<'a> Matcher<'a> {
    pub(super) fn new(text: &'a [u8], pattern: &'a [u8], meter: &'a Meter) -> Self {
        Self { text, pattern, meter, captures: Vec::new(), depth: 0, steps: 0 }
    }

    /// Where a match that begins at `at` ends.
    pub(super) fn at(&mut self, at: usize) -> Found {
        self.captures.clear();
        self.depth = 0;
        self.attempt(at, 0)
    }

    /// What the last match captured.
    pub(super) fn captures(&self) -> &[Capture] {
        &self.captures
    }

    fn pay(&mut self, steps: usize) -> mlua::Result<()> {
        self.steps += steps as u64;
        if self.steps >= BATCH {
            self.meter.spend(std::mem::take(&mut self.steps))?;
        }
        Ok(())
    }

    /// Tries the rest of the pattern from `p` on at `s`, one level down.
    fn attempt(&mut self, s: usize, p: usize) -> Found {
        if self.depth >= MAX_DEPTH {
            return wrong("pattern too complex");
        }
        self.depth += 1;
        let found = self.walk(s, p);
        self.depth -= 1;
        found
    }

    fn walk(&mut self, mut s: usize, mut p: usize) -> Found {
        loop {
            self.pay(1)?;
            let Some(&sign) = self.pattern.get(p) else { return Ok(Some(s)) };
            match (sign, self.pattern.get(p + 1)) {
                (b'(', Some(b')')) => return self.open(Capture::Place(s), s, p + 2),
                (b'(', _) => return self.open(Capture::Open(s), s, p + 1),
                (b')', _) => return self.close(s, p + 1),
                (b'$', None) => return Ok((s == self.text.len()).then_some(s)),
                (b'%', Some(b'b')) => match self.balance(s, p + 2)? {
                    Some(end) => (s, p) = (end, p + 4),
                    None => return Ok(None),
                },
                (b'%', Some(b'f')) => match self.frontier(s, p + 2)? {
                    Some(next) => p = next,
                    None => return Ok(None),
                },
                (b'%', Some(digit @ b'0'..=b'9')) => match self.again(s, *digit)? {
                    Some(end) => (s, p) = (end, p + 2),
                    None => return Ok(None),
                },
                _ => {
                    let end = self.item_end(p)?;
                    match self.pattern.get(end) {
                        Some(b'?') => {
                            if self.one(s, p, end)?
                                && let Some(found) = self.attempt(s + 1, end + 1)?
                            {
                                return Ok(Some(found));
                            }
                            p = end + 1;
                        }
                        Some(b'+') if !self.one(s, p, end)? => return Ok(None),
                        Some(b'+') => return self.most(s + 1, p, end),
                        Some(b'*') => return self.most(s, p, end),
                        Some(b'-') => return self.least(s, p, end),
                        _ if !self.one(s, p, end)? => return Ok(None),
                        _ => (s, p) = (s + 1, end),
                    }
                }
            }
        }
    }

    /// As many as there are, then fewer, until the rest fits.
    fn most(&mut self, s: usize, p: usize, end: usize) -> Found {
        let mut count = 0;
        while self.one(s + count, p, end)? {
            count += 1;
        }
        loop {
            if let Some(found) = self.attempt(s + count, end + 1)? {
                return Ok(Some(found));
            }
            if count == 0 {
                return Ok(None);
            }
            count -= 1;
        }
    }

    /// None at first, then more, until the rest fits.
    fn least(&mut self, mut s: usize, p: usize, end: usize) -> Found {
        loop {
            if let Some(found) = self.attempt(s, end + 1)? {
                return Ok(Some(found));
            }
            if !self.one(s, p, end)? {
                return Ok(None);
            }
            s += 1;
        }
    }

    fn open(&mut self, capture: Capture, s: usize, p: usize) -> Found {
        if self.captures.len() >= MAX_CAPTURES {
            return wrong("too many captures");
        }
        self.captures.push(capture);
        let found = self.attempt(s, p)?;
        if found.is_none() {
            self.captures.pop();
        }
        Ok(found)
    }

    fn close(&mut self, s: usize, p: usize) -> Found {
        let open = self.captures.iter().rposition(|capture| matches!(capture, Capture::Open(_)));
        let Some((index, start)) = open.and_then(|index| match self.captures[index] {
            Capture::Open(start) => Some((index, start)),
            _ => None,
        }) else {
            return wrong("invalid pattern capture");
        };
        self.captures[index] = Capture::Part(start, s);
        let found = self.attempt(s, p)?;
        if found.is_none() {
            self.captures[index] = Capture::Open(start);
        }
        Ok(found)
    }

    /// `%b()`: up to the sign that closes the one here; `p` is at the two signs.
    fn balance(&mut self, s: usize, p: usize) -> Found {
        let (Some(&opens), Some(&closes)) = (self.pattern.get(p), self.pattern.get(p + 1)) else {
            return wrong("malformed pattern (missing arguments to '%b')");
        };
        if self.text.get(s) != Some(&opens) {
            return Ok(None);
        }
        let mut depth = 1_usize;
        for at in s + 1..self.text.len() {
            self.pay(1)?;
            if self.text[at] == closes {
                depth -= 1;
                if depth == 0 {
                    return Ok(Some(at + 1));
                }
            } else if self.text[at] == opens {
                depth += 1;
            }
        }
        Ok(None)
    }

    /// `%f[set]`: from outside of the set into it; gives where the pattern goes on.
    fn frontier(&mut self, s: usize, p: usize) -> Found {
        if self.pattern.get(p) != Some(&b'[') {
            return wrong("missing '[' after '%f' in pattern");
        }
        let end = self.item_end(p)?;
        self.pay(2 * (end - p))?;
        let before = if s == 0 { 0 } else { self.text[s - 1] };
        let here = self.text.get(s).copied().unwrap_or(0);
        let set = &self.pattern[p..end];
        Ok((!in_set(before, set) && in_set(here, set)).then_some(end))
    }

    /// `%1`: what a capture holds, once more.
    fn again(&mut self, s: usize, digit: u8) -> Found {
        let index = usize::from(digit - b'0');
        let Some(&Capture::Part(from, to)) =
            index.checked_sub(1).and_then(|i| self.captures.get(i))
        else {
            return wrong(format!("invalid capture index %{index} in pattern"));
        };
        self.pay(to - from)?;
        Ok(self.text[s..].starts_with(&self.text[from..to]).then_some(s + to - from))
    }

    /// Where a single-character item that begins at `p` ends.
    fn item_end(&mut self, p: usize) -> mlua::Result<usize> {
        match self.pattern[p] {
            b'%' if p + 1 >= self.pattern.len() => wrong("malformed pattern (ends with '%')"),
            b'%' => Ok(p + 2),
            b'[' => {
                let mut at = p + 1;
                if self.pattern.get(at) == Some(&b'^') {
                    at += 1;
                }
                // A bracket that comes first is itself.
                let first = at;
                loop {
                    match self.pattern.get(at) {
                        None => return wrong("malformed pattern (missing ']')"),
                        Some(b'%') => at += 2,
                        Some(b']') if at > first => break,
                        Some(_) => at += 1,
                    }
                }
                self.pay(at - p)?;
                Ok(at + 1)
            }
            _ => Ok(p + 1),
        }
    }

    /// Whether the item from `p` to `end` takes the byte at `s`.
    fn one(&mut self, s: usize, p: usize, end: usize) -> mlua::Result<bool> {
        self.pay(end - p)?;
        let Some(&byte) = self.text.get(s) else { return Ok(false) };
        Ok(match self.pattern[p] {
            b'.' => true,
            b'%' => in_class(byte, self.pattern[p + 1]),
            b'[' => in_set(byte, &self.pattern[p..end]),
            own => own == byte,
        })
    }
}
