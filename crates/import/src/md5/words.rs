//! The words of an MD5 file: braces, quoted names, numbers; comments are passed over.

use glam::{DQuat, DVec3};

use crate::files::shorten;
use crate::note::counted;
use crate::open::Context;
use crate::text::{Text, name};
use crate::{ImportError, Place};

/// A place among the words of a file, moving forward.
pub(super) struct Words<'a> {
    text: Text<'a>,
    unusable: usize,
}

impl<'a> Words<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { text: Text::new(bytes), unusable: 0 }
    }

    pub(super) fn place(&self) -> Place {
        self.text.place()
    }

    /// Bytes that are left.
    pub(super) fn left(&self) -> usize {
        self.text.rest().len()
    }

    /// Reports numbers that had to be taken as zero.
    pub(super) fn report(&self, context: &mut Context<'_>) {
        if self.unusable > 0 {
            let numbers = counted(self.unusable, "number is", "numbers are");
            context
                .notes
                .add(Place::Whole, format!("{numbers} not finite or far too large: taken as zero"));
        }
    }

    /// Reports that the file goes on behind all that it announced; nothing of that is read.
    pub(super) fn leave_tail(&self, last: &str, word: &[u8], context: &mut Context<'_>) {
        let found = shorten(&name(word));
        let note = format!("the file goes on after {last}, with \"{found}\": that is left out");
        context.notes.add(self.place(), note);
    }

    fn skip_comments(&mut self) {
        loop {
            self.text.skip_space();
            let rest = self.text.rest();
            if rest.starts_with(b"//") {
                self.text.line();
            } else if rest.starts_with(b"/*") {
                let end = rest.windows(2).skip(2).position(|pair| pair == b"*/");
                self.text.skip(end.map_or(rest.len(), |end| end + 4));
            } else {
                return;
            }
        }
    }

    /// The next word, without the quotes it may be in; `None` at the end of the file.
    pub(super) fn next(&mut self) -> Option<&'a [u8]> {
        self.skip_comments();
        match self.text.peek()? {
            b'"' => {
                self.text.skip(1);
                let inside = self.text.take_while(|b| !matches!(b, b'"' | b'\n' | b'\r'));
                if self.text.peek() == Some(b'"') {
                    self.text.skip(1);
                }
                Some(inside.unwrap_or_default())
            }
            b'(' | b')' | b'{' | b'}' => {
                let mark = &self.text.rest()[..1];
                self.text.skip(1);
                Some(mark)
            }
            _ => self.text.take_while(|b| b > b' ' && !matches!(b, b'(' | b')' | b'{' | b'}')),
        }
    }

    /// Whether the next word is this mark; if so, it is passed.
    pub(super) fn passes(&mut self, mark: u8) -> bool {
        self.skip_comments();
        let found = self.text.peek() == Some(mark);
        if found {
            self.text.skip(1);
        }
        found
    }

    /// Whether the next word begins so; it is not passed.
    pub(super) fn begins(&mut self, word: &[u8]) -> bool {
        self.skip_comments();
        let head = self.text.rest().get(..word.len());
        head.is_some_and(|head| head.eq_ignore_ascii_case(word))
    }

    /// The rest of the line is of no use.
    pub(super) fn skip_line(&mut self) {
        self.text.line();
    }

    /// Passes everything in braces that are not opened yet.
    pub(super) fn skip_block(&mut self) -> Result<(), ImportError> {
        self.expect(b"{")?;
        let mut open = 1;
        while open > 0 {
            match self.next() {
                Some(b"{") => open += 1,
                Some(b"}") => open -= 1,
                Some(_) => {}
                None => return Err(self.unexpected("}", None)),
            }
        }
        Ok(())
    }

    pub(super) fn expect(&mut self, word: &[u8]) -> Result<(), ImportError> {
        match self.next() {
            Some(found) if found.eq_ignore_ascii_case(word) => Ok(()),
            found => Err(self.unexpected(&name(word), found)),
        }
    }

    pub(super) fn name(&mut self, what: &str) -> Result<String, ImportError> {
        match self.next() {
            Some(found) => Ok(name(found)),
            None => Err(self.unexpected(what, None)),
        }
    }

    pub(super) fn integer(&mut self, what: &str) -> Result<i64, ImportError> {
        self.skip_comments();
        match self.text.integer() {
            Some(value) => Ok(value),
            None => {
                let found = self.next();
                Err(self.unexpected(what, found))
            }
        }
    }

    /// A count or an index.
    pub(super) fn count(&mut self, what: &str) -> Result<usize, ImportError> {
        let found = self.integer(what)?;
        usize::try_from(found).map_err(|_| {
            let text = format!("expected {what} from zero up, found {found}");
            ImportError::out_of_range(self.place(), text)
        })
    }

    /// An index below `count`.
    pub(super) fn index(&mut self, what: &str, count: usize) -> Result<usize, ImportError> {
        let found = self.integer(what)?;
        match usize::try_from(found) {
            Ok(index) if index < count => Ok(index),
            _ => {
                let text = format!("expected {what} below {count}, found {found}");
                Err(ImportError::out_of_range(self.place(), text))
            }
        }
    }

    /// How many entries follow; each takes at least four bytes of the file.
    pub(super) fn entries(&mut self, what: &str) -> Result<usize, ImportError> {
        let count = self.count(what)?;
        if count > self.left() / 4 {
            let text = format!("expected {count} entries, found too little left of the file");
            return Err(ImportError::truncated(self.place(), text));
        }
        Ok(count)
    }

    pub(super) fn number(&mut self) -> Result<f64, ImportError> {
        self.number_up_to(f64::MAX)
    }

    /// A number of at most this size; one beyond is taken as zero, as are those not finite.
    pub(super) fn number_up_to(&mut self, largest: f64) -> Result<f64, ImportError> {
        self.skip_comments();
        match self.text.double() {
            Some(value) if value.abs() <= largest => Ok(value),
            Some(_) => {
                self.unusable += 1;
                Ok(0.0)
            }
            None => {
                let found = self.next();
                Err(self.unexpected("a number", found))
            }
        }
    }

    /// Numbers in round brackets.
    pub(super) fn numbers<const N: usize>(&mut self) -> Result<[f64; N], ImportError> {
        self.expect(b"(")?;
        let mut numbers = [0.0; N];
        for number in &mut numbers {
            *number = self.number()?;
        }
        self.expect(b")")?;
        Ok(numbers)
    }

    pub(super) fn vector(&mut self) -> Result<DVec3, ImportError> {
        Ok(DVec3::from_array(self.numbers()?))
    }

    pub(super) fn rotation(&mut self) -> Result<DQuat, ImportError> {
        Ok(with_real_part(self.vector()?))
    }

    pub(super) fn unexpected(&self, expected: &str, found: Option<&[u8]>) -> ImportError {
        let Some(found) = found else {
            let text = format!("expected {expected}, found the end of the file");
            return ImportError::truncated(self.place(), text);
        };
        let found = shorten(&name(found));
        ImportError::malformed(self.place(), format!("expected {expected}, found \"{found}\""))
    }
}

/// A word in small letters, to compare with the format's own; one that is longer than any is empty.
pub(super) fn keyword(word: &[u8]) -> Keyword {
    let mut letters = [0; LONGEST_KEYWORD];
    let Some(room) = letters.get_mut(..word.len()) else { return Keyword { letters, length: 0 } };
    room.copy_from_slice(word);
    room.make_ascii_lowercase();
    Keyword { letters, length: word.len() }
}

/// As long as `numAnimatedComponents`.
const LONGEST_KEYWORD: usize = 21;

/// See [`keyword`].
pub(super) struct Keyword {
    letters: [u8; LONGEST_KEYWORD],
    length: usize,
}

impl Keyword {
    pub(super) fn as_slice(&self) -> &[u8] {
        &self.letters[..self.length]
    }
}

/// The rotation whose imaginary parts these are; its real part is never positive.
pub(super) fn with_real_part(xyz: DVec3) -> DQuat {
    let real = -(1.0 - xyz.length_squared()).max(0.0).sqrt();
    let rotation = DQuat::from_xyzw(xyz.x, xyz.y, xyz.z, real);
    let length = rotation.length();
    if length.is_finite() { rotation / length } else { DQuat::IDENTITY }
}
