//! The two index codecs: triangle lists by shared edges, and plain sequences by deltas.
//!
//! In:  a header byte, one code for each triangle (or one varint for each index), a tail.
//! Out: indices of 2 or 4 bytes; whether they are in range is for the mesh to check.
//!
//! A triangle takes at least one byte and so does an index of a sequence, which is the bound that
//! is checked before anything is allocated.

use super::{left_over, too_short};

const TRIANGLE_TAIL: usize = 16;
const SEQUENCE_TAIL: usize = 4;

/// Decodes `count` indices of a triangle list; `count` is a multiple of 3.
pub(super) fn decode_triangles(
    count: usize,
    stride: usize,
    source: &[u8],
) -> Result<Vec<u8>, String> {
    let version = version(source, 0xe0, "triangle")?;
    let triangles = count / 3;
    let least = (triangles as u64).saturating_add(1 + TRIANGLE_TAIL as u64);
    if (source.len() as u64) < least {
        return Err(too_short("triangle", source.len(), count, stride, least));
    }
    let (codes, rest) = source[1..].split_at(triangles);
    let (data, tail) =
        rest.split_last_chunk::<TRIANGLE_TAIL>().expect("the length is checked above");
    if let Some(entry) = tail.iter().find(|&&e| e >> 4 == 15 || e & 15 == 15) {
        return Err(format!(
            "triangle stream has {entry:#04x} in its table of codes, where 15 is no position"
        ));
    }

    let mut list = Triangles {
        data: Reader { data, at: 0 },
        table: *tail,
        nearest_codes: version >= 1,
        next: 0,
        last: 0,
        edges: Recent::default(),
        vertices: Recent::default(),
    };
    let mut indices = vec![0; count * stride];
    if stride == 4 {
        for (triangle, &code) in indices.as_chunks_mut::<12>().0.iter_mut().zip(codes) {
            let corners = list.decode(code)?.map(u32::to_le_bytes);
            triangle.copy_from_slice(corners.as_flattened());
        }
    } else {
        for (triangle, &code) in indices.as_chunks_mut::<6>().0.iter_mut().zip(codes) {
            let corners = list.decode(code)?.map(|index| (index as u16).to_le_bytes());
            triangle.copy_from_slice(corners.as_flattened());
        }
    }
    list.data.finish("triangle")?;
    Ok(indices)
}

/// Decodes `count` indices of any topology.
pub(super) fn decode_sequence(
    count: usize,
    stride: usize,
    source: &[u8],
) -> Result<Vec<u8>, String> {
    version(source, 0xd0, "index")?;
    let least = (count as u64).saturating_add(1 + SEQUENCE_TAIL as u64);
    if (source.len() as u64) < least {
        return Err(too_short("index", source.len(), count, stride, least));
    }
    let mut data = Reader { data: &source[1..source.len() - SEQUENCE_TAIL], at: 0 };
    let mut last = [0_u32; 2];
    let mut indices = vec![0; count * stride];
    for index in indices.chunks_exact_mut(stride) {
        let code = data.varint()?;
        let last = &mut last[(code & 1) as usize];
        *last = last.wrapping_add(unzigzag(code >> 1));
        index.copy_from_slice(&last.to_le_bytes()[..stride]);
    }
    data.finish("index")?;
    Ok(indices)
}

fn version(source: &[u8], family: u8, what: &str) -> Result<u8, String> {
    match source.first() {
        Some(&header) if header & 0xf0 == family && header & 15 <= 1 => Ok(header & 15),
        Some(header) => Err(format!(
            "{what} stream must begin with {family:#04x} or {:#04x}, found {header:#04x}",
            family + 1
        )),
        None => Err(format!("{what} stream is empty")),
    }
}

fn unzigzag(v: u32) -> u32 {
    v >> 1 ^ (v & 1).wrapping_neg()
}

struct Reader<'a> {
    data: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn byte(&mut self) -> Result<u8, String> {
        let byte = self.data.get(self.at).copied();
        self.at += 1;
        byte.ok_or_else(|| {
            format!("index data ends after {} bytes, in the middle of an index", self.data.len())
        })
    }

    fn varint(&mut self) -> Result<u32, String> {
        let begin = self.at;
        let mut value = 0;
        for shift in [0, 7, 14, 21, 28] {
            let byte = self.byte()?;
            value |= u32::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(format!("index data has a number of more than 5 bytes at byte {begin}"))
    }

    fn finish(&self, what: &str) -> Result<(), String> {
        if self.at == self.data.len() {
            Ok(())
        } else {
            Err(left_over(what, self.at, self.data.len()))
        }
    }
}

/// The 16 newest of a kind; position 0 is the newest.
#[derive(Default)]
struct Recent<T> {
    entries: [T; 16],
    pushed: usize,
}

impl<T: Copy> Recent<T> {
    fn push(&mut self, entry: T) {
        self.entries[self.pushed % 16] = entry;
        self.pushed += 1;
    }

    fn get(&self, position: u8) -> Result<T, String> {
        let back = 1 + usize::from(position);
        match self.pushed.checked_sub(back) {
            Some(at) => Ok(self.entries[at % 16]),
            None => Err(format!(
                "triangle stream looks {back} back, but only {} have come",
                self.pushed
            )),
        }
    }
}

/// What a triangle's code may refer to.
struct Triangles<'a> {
    data: Reader<'a>,
    table: [u8; TRIANGLE_TAIL],
    /// From version 1 on, third corners 13 and 14 stand next to the last explicit index.
    nearest_codes: bool,
    /// The lowest index not used so far.
    next: u32,
    /// The last index that was spelt out.
    last: u32,
    edges: Recent<(u32, u32)>,
    vertices: Recent<u32>,
}

impl Triangles<'_> {
    fn decode(&mut self, code: u8) -> Result<[u32; 3], String> {
        if code < 0xf0 {
            self.across_an_edge(code >> 4, code & 15)
        } else if code < 0xfe {
            let corners = self.table[usize::from(code & 15)];
            let a = self.fresh();
            self.apart(a, corners)
        } else {
            let corners = self.data.byte()?;
            if corners == 0 {
                self.next = 0;
            }
            let a = if code == 0xfe { self.fresh() } else { self.explicit()? };
            self.apart(a, corners)
        }
    }

    /// A triangle on a recent edge.
    fn across_an_edge(&mut self, edge: u8, third: u8) -> Result<[u32; 3], String> {
        let (a, b) = self.edges.get(edge)?;
        let (c, is_new) = match third {
            0 => (self.fresh(), true),
            13 | 14 if self.nearest_codes => {
                let step = if third == 13 { u32::MAX } else { 1 };
                self.last = self.last.wrapping_add(step);
                (self.last, true)
            }
            15 => (self.explicit()?, true),
            position => (self.vertices.get(position)?, false),
        };
        if is_new {
            self.vertices.push(c);
        }
        self.edges.push((c, b));
        self.edges.push((a, c));
        Ok([a, b, c])
    }

    /// A triangle that shares no recent edge; `corners` says where its second and third come from.
    fn apart(&mut self, a: u32, corners: u8) -> Result<[u32; 3], String> {
        let (second, third) = (corners >> 4, corners & 15);
        let b = self.corner(second)?;
        let c = self.corner(third)?;
        self.vertices.push(a);
        if matches!(second, 0 | 15) {
            self.vertices.push(b);
        }
        if matches!(third, 0 | 15) {
            self.vertices.push(c);
        }
        self.edges.push((b, a));
        self.edges.push((c, b));
        self.edges.push((a, c));
        Ok([a, b, c])
    }

    fn corner(&mut self, code: u8) -> Result<u32, String> {
        match code {
            0 => Ok(self.fresh()),
            15 => self.explicit(),
            position => self.vertices.get(position - 1),
        }
    }

    fn fresh(&mut self) -> u32 {
        let index = self.next;
        self.next = index.wrapping_add(1);
        index
    }

    fn explicit(&mut self) -> Result<u32, String> {
        let delta = unzigzag(self.data.varint()?);
        self.last = self.last.wrapping_add(delta);
        Ok(self.last)
    }
}
