//! A zip archive's directory, which lies at its end.
//!
//! In:  the archive. Out: its entries: names as plain paths, sizes, and where the data is.
//!
//! A name is only ever a key: nothing is written, and an entry whose name leads out of the archive
//! (`..`, a drive, a leading slash) is passed over.

use crate::{ErrorKind, ImportError, Place, text};

/// One file in the archive.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Entry {
    /// With `/` between folders; without `.` and `..`.
    pub(super) name: String,
    pub(super) method: u16,
    pub(super) encrypted: bool,
    pub(super) crc: u32,
    pub(super) packed: u64,
    pub(super) size: u64,
    /// Where its local header is.
    pub(super) header: u64,
}

const END: &[u8; 4] = b"PK\x05\x06";
const END_64: &[u8; 4] = b"PK\x06\x06";
const LOCATOR_64: &[u8; 4] = b"PK\x06\x07";
const ENTRY: &[u8; 4] = b"PK\x01\x02";
const END_LENGTH: usize = 22;
const ENTRY_LENGTH: usize = 46;
/// More files than this are not a model.
const MAX_ENTRIES: u64 = 100_000;
/// In place of a number that is in the fields of zip64.
const ELSEWHERE: u64 = 0xffff_ffff;

/// Whether the bytes begin as an archive does, perhaps an empty one.
pub(super) fn is_zip(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(END)
}

fn number<const N: usize>(bytes: &[u8], at: usize) -> Option<u64> {
    let bytes: &[u8; N] = bytes.get(at..)?.first_chunk()?;
    Some(bytes.iter().rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte)))
}

fn cut(at: usize) -> ImportError {
    ImportError::truncated(
        Place::Byte(at),
        "the archive ends too early: its directory is not whole",
    )
}

/// How many entries there are, where they begin, and how long they are together.
struct Directory {
    count: u64,
    offset: u64,
    length: u64,
    disk: u64,
}

pub(super) fn read(bytes: &[u8]) -> Result<Vec<Entry>, ImportError> {
    let end = find_end(bytes).ok_or_else(|| cut(bytes.len()))?;
    let directory = directory(bytes, end).ok_or_else(|| cut(end))?;
    if directory.disk != 0 {
        let text = "the archive is one part of several, which are not read: join them first";
        return Err(ImportError::unsupported(Place::Byte(end), text));
    }
    if directory.count > MAX_ENTRIES {
        let found = directory.count;
        let text = format!("expected at most {MAX_ENTRIES} files in the archive, found {found}");
        return Err(ImportError::new(ErrorKind::TooLarge, Place::Byte(end), text));
    }
    let from = usize::try_from(directory.offset).ok().filter(|&from| from <= end);
    let from = from.ok_or_else(|| cut(end))?;
    let length = usize::try_from(directory.length).unwrap_or(usize::MAX);
    let list = &bytes[from..from.saturating_add(length).min(end)];
    let mut entries = Vec::new();
    let mut at = 0;
    for _ in 0..directory.count {
        let (entry, next) = entry(list, at).ok_or_else(|| cut(from + at))?;
        entries.extend(entry);
        at = next;
    }
    Ok(entries)
}

/// The last end record whose comment reaches to the end of the file; else the last one.
fn find_end(bytes: &[u8]) -> Option<usize> {
    let last = bytes.len().checked_sub(END_LENGTH)?;
    let first = last.saturating_sub(usize::from(u16::MAX));
    let mut ends = (first..=last).rev().filter(|&at| bytes[at..].starts_with(END));
    let whole = |at: &usize| {
        number::<2>(bytes, at + 20)
            .is_some_and(|comment| *at as u64 + 22 + comment == bytes.len() as u64)
    };
    ends.clone().find(whole).or_else(|| ends.next())
}

fn directory(bytes: &[u8], end: usize) -> Option<Directory> {
    let plain = Directory {
        disk: number::<2>(bytes, end + 4)?,
        count: number::<2>(bytes, end + 10)?,
        length: number::<4>(bytes, end + 12)?,
        offset: number::<4>(bytes, end + 16)?,
    };
    let locator = end.checked_sub(20).filter(|&at| bytes[at..].starts_with(LOCATOR_64));
    let Some(locator) = locator else { return Some(plain) };
    let at = usize::try_from(number::<8>(bytes, locator + 8)?).ok()?;
    if !bytes.get(at..)?.starts_with(END_64) {
        return Some(plain);
    }
    Some(Directory {
        disk: number::<4>(bytes, at + 16)?,
        count: number::<8>(bytes, at + 32)?,
        length: number::<8>(bytes, at + 40)?,
        offset: number::<8>(bytes, at + 48)?,
    })
}

/// The entry at `at`, if it is a file that can be named, and where the next begins.
fn entry(list: &[u8], at: usize) -> Option<(Option<Entry>, usize)> {
    let record = list.get(at..).filter(|record| record.starts_with(ENTRY))?;
    let length =
        |at: usize| number::<2>(record, at).and_then(|length| usize::try_from(length).ok());
    let (name, extra, comment) = (length(28)?, length(30)?, length(32)?);
    let next = at + ENTRY_LENGTH + name + extra + comment;
    let extra = record.get(ENTRY_LENGTH + name..ENTRY_LENGTH + name + extra)?;
    let name = record.get(ENTRY_LENGTH..ENTRY_LENGTH + name)?;
    let mut wide = [number::<4>(record, 24)?, number::<4>(record, 20)?, number::<4>(record, 42)?];
    widen(&mut wide, extra)?;
    let [size, packed, header] = wide;
    let made = plain_path(&decode(name)).map(|name| Entry {
        name,
        method: number::<2>(record, 10).unwrap_or(0) as u16,
        encrypted: number::<2>(record, 8).unwrap_or(0) & 1 != 0,
        crc: number::<4>(record, 16).unwrap_or(0) as u32,
        packed,
        size,
        header,
    });
    Some((made, next))
}

/// Takes numbers that do not fit from the field of zip64, where they are one after the other.
fn widen(numbers: &mut [u64; 3], extra: &[u8]) -> Option<()> {
    if !numbers.contains(&ELSEWHERE) {
        return Some(());
    }
    let mut at = 0;
    while let (Some(kind), Some(length)) = (number::<2>(extra, at), number::<2>(extra, at + 2)) {
        if kind == 1 {
            let mut from = at + 4;
            for number_of in numbers.iter_mut().filter(|number| **number == ELSEWHERE) {
                *number_of = number::<8>(extra, from)?;
                from += 8;
            }
            return Some(());
        }
        at += 4 + usize::try_from(length).ok()?;
    }
    Some(())
}

/// A name as text: UTF-8 where it is, else the letters of the first PCs.
fn decode(name: &[u8]) -> String {
    const HIGH: &str = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}";
    if std::str::from_utf8(name).is_ok() {
        return text::name(name);
    }
    let high: Vec<char> = HIGH.chars().collect();
    let letter = |&byte: &u8| match byte.checked_sub(128) {
        Some(at) => high.get(usize::from(at)).copied().unwrap_or('\u{fffd}'),
        None => char::from(byte),
    };
    name.iter().map(letter).collect()
}

/// The name as a path inside the archive; `None` for a folder and for what leads out.
fn plain_path(name: &str) -> Option<String> {
    let name = name.replace('\\', "/");
    let drive = name.split('/').next().is_some_and(|first| first.contains(':'));
    if name.ends_with('/') || name.starts_with('/') || name.contains('\0') || drive {
        return None;
    }
    let steps: Vec<&str> = name.split('/').filter(|step| !matches!(*step, "" | ".")).collect();
    (!steps.is_empty() && !steps.contains(&"..")).then(|| steps.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_plain_paths_and_those_that_lead_out_are_passed_over() {
        assert_eq!(plain_path("a\\./b//c.bin").as_deref(), Some("a/b/c.bin"));
        for name in ["../x", "a/../../x", "/etc/passwd", "C:/x", "folder/", "", ".", "a\0b"] {
            assert_eq!(plain_path(name), None, "{name}");
        }
    }

    #[test]
    fn names_of_old_programs_are_in_the_letters_of_the_first_computers() {
        assert_eq!(decode("骨.obj".as_bytes()), "骨.obj");
        assert_eq!(decode(b"Br\x81cke.obj"), "Brücke.obj");
        assert_eq!(decode(&[0x80, 0xff]), "Ç\u{a0}");
    }
}
