//! A table as Parquet: for pandas, polars, DuckDB and Spark.
//!
//! In:  columns of texts, whole numbers, numbers that may be missing, and lists of texts.
//! Out: one file with one group of rows; plain values, not compressed.
//!
//! After the format's description (apache/parquet-format): `PAR1`, a page for each column, the footer, its length, `PAR1`.

use super::thrift::{Struct, varint};

/// Numbers of the format.
const INT64: i32 = 2;
const DOUBLE: i32 = 5;
const BYTE_ARRAY: i32 = 6;
const REQUIRED: i32 = 0;
const OPTIONAL: i32 = 1;
const REPEATED: i32 = 2;
const UTF8: i32 = 0;
const LIST: i32 = 3;
const PLAIN: i32 = 0;
const RLE: i32 = 3;
const MAGIC: &[u8; 4] = b"PAR1";

/// The values of one column, one for each row.
#[derive(Clone, Debug)]
pub(super) enum Column<'a> {
    Texts(Vec<&'a str>),
    Wholes(Vec<i64>),
    Numbers(Vec<Option<f64>>),
    Lists(Vec<&'a [String]>),
}

/// The file of a table; all columns have as many rows.
pub(super) fn parquet(rows: usize, columns: &[(&str, Column<'_>)]) -> Vec<u8> {
    let mut file = MAGIC.to_vec();
    let mut chunks = Vec::new();
    let mut size = 0;
    for (name, column) in columns {
        let offset = file.len() as i64;
        let page = column.page();
        let header = Struct::default().i32(1, 0).i32(2, page.len() as i32);
        let header = header.i32(3, page.len() as i32).child(5, column.page_header());
        file.extend(header.end());
        file.extend(page);
        let length = file.len() as i64 - offset;
        size += length;
        chunks.push(column.chunk(name, offset, length));
    }
    let mut schema = vec![Struct::default().text(4, "report").i32(5, columns.len() as i32)];
    columns.iter().for_each(|(name, column)| schema.extend(column.schema(name)));
    let group = Struct::default().children(1, chunks).i64(2, size).i64(3, rows as i64);
    let footer = Struct::default().i32(1, 1).children(2, schema).i64(3, rows as i64);
    let footer = footer.children(4, [group]).text(6, "sinew").end();
    file.extend(&footer);
    file.extend((footer.len() as u32).to_le_bytes());
    file.extend(MAGIC);
    file
}

impl Column<'_> {
    fn kind(&self) -> i32 {
        match self {
            Self::Texts(_) | Self::Lists(_) => BYTE_ARRAY,
            Self::Wholes(_) => INT64,
            Self::Numbers(_) => DOUBLE,
        }
    }

    /// What the footer says of its form.
    fn schema(&self, name: &str) -> Vec<Struct> {
        let leaf = |repetition: i32, name: &str| {
            Struct::default().i32(1, self.kind()).i32(3, repetition).text(4, name)
        };
        match self {
            Self::Texts(_) => vec![leaf(REQUIRED, name).i32(6, UTF8)],
            Self::Wholes(_) => vec![leaf(REQUIRED, name)],
            Self::Numbers(_) => vec![leaf(OPTIONAL, name)],
            Self::Lists(_) => vec![
                Struct::default().i32(3, REQUIRED).text(4, name).i32(5, 1).i32(6, LIST),
                Struct::default().i32(3, REPEATED).text(4, "list").i32(5, 1),
                leaf(REQUIRED, "element").i32(6, UTF8),
            ],
        }
    }

    /// What the footer says of where it is.
    fn chunk(&self, name: &str, offset: i64, length: i64) -> Struct {
        let path = match self {
            Self::Lists(_) => vec![name, "list", "element"],
            _ => vec![name],
        };
        let known = Struct::default().i32(1, self.kind()).i32s(2, &[PLAIN, RLE]).texts(3, &path);
        let known = known.i32(4, 0).i64(5, self.len() as i64).i64(6, length).i64(7, length);
        Struct::default().i64(2, offset).child(3, known.i64(9, offset))
    }

    fn page_header(&self) -> Struct {
        Struct::default().i32(1, self.len() as i32).i32(2, PLAIN).i32(3, RLE).i32(4, RLE)
    }

    /// How many values there are; an empty list counts as one that is missing.
    fn len(&self) -> usize {
        match self {
            Self::Texts(texts) => texts.len(),
            Self::Wholes(wholes) => wholes.len(),
            Self::Numbers(numbers) => numbers.len(),
            Self::Lists(lists) => lists.iter().map(|list| list.len().max(1)).sum(),
        }
    }

    /// Levels and values.
    fn page(&self) -> Vec<u8> {
        match self {
            Self::Texts(texts) => texts.iter().flat_map(|text| bytes_of(text)).collect(),
            Self::Wholes(wholes) => wholes.iter().flat_map(|whole| whole.to_le_bytes()).collect(),
            Self::Numbers(numbers) => {
                let mut page = levels(numbers.iter().map(|number| u8::from(number.is_some())));
                page.extend(numbers.iter().flatten().flat_map(|number| number.to_le_bytes()));
                page
            }
            Self::Lists(lists) => {
                let begins = |list: &&[String]| {
                    std::iter::once(0).chain(vec![1; list.len().saturating_sub(1)])
                };
                let is_there =
                    |list: &&[String]| vec![u8::from(!list.is_empty()); list.len().max(1)];
                let mut page = levels(lists.iter().flat_map(begins));
                page.extend(levels(lists.iter().flat_map(is_there)));
                page.extend(
                    lists.iter().flat_map(|list| list.iter()).flat_map(|text| bytes_of(text)),
                );
                page
            }
        }
    }
}

fn bytes_of(text: &str) -> Vec<u8> {
    [&(text.len() as u32).to_le_bytes()[..], text.as_bytes()].concat()
}

/// Levels of one bit as runs, after their length in bytes.
fn levels(all: impl Iterator<Item = u8>) -> Vec<u8> {
    let all: Vec<u8> = all.collect();
    let mut runs = Vec::new();
    for run in all.chunk_by(|a, b| a == b) {
        runs.extend(varint((run.len() as u64) << 1));
        runs.push(run[0]);
    }
    [(runs.len() as u32).to_le_bytes().to_vec(), runs].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_has_levels_for_its_beginning_and_for_what_is_missing() {
        let lists = [vec!["a".to_owned(), "bc".to_owned()], vec![]];
        let column = Column::Lists(lists.iter().map(Vec::as_slice).collect());
        assert_eq!(column.len(), 3);
        // 0 1 0 begin a list or go on with it; 1 1 0 are there or not; then both texts.
        let repetition = [6, 0, 0, 0, 2, 0, 2, 1, 2, 0];
        let definition = [4, 0, 0, 0, 4, 1, 2, 0];
        let texts = [1, 0, 0, 0, b'a', 2, 0, 0, 0, b'b', b'c'];
        assert_eq!(column.page(), [&repetition[..], &definition, &texts].concat());
    }

    #[test]
    fn a_file_begins_and_ends_with_its_mark_and_says_how_long_its_footer_is() {
        let file = parquet(2, &[("file", Column::Texts(vec!["a.fbx", "b.bvh"]))]);
        assert!(file.starts_with(MAGIC) && file.ends_with(MAGIC));
        let at = file.len() - 8;
        let length = u32::from_le_bytes([file[at], file[at + 1], file[at + 2], file[at + 3]]);
        assert_eq!(file[at - length as usize..][..2], [0x15, 2]);
    }
}
