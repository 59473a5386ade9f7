//! The triangle codec, version 1: most triangles share an edge with one that came shortly before.
//!
//! In:  the corners of triangles. Out: a header byte, a byte for each triangle, numbers that were spelt out, a table of 16.
//!
//! Writer and reader remember the same 16 newest edges and vertices, and the lowest index that was not used so far.

const HEADER: u8 = 0xe1;
/// Where a corner's code means neither a remembered vertex nor the next new one.
const SPELT_OUT: u8 = 15;
/// Third corners next to the last that was spelt out: the one before it, and the one after.
const ONE_BEFORE: u8 = 13;
const ONE_AFTER: u8 = 14;
/// Entries of the table that a triangle's code can name.
const NAMED: usize = 14;

/// Packs triangles; the number of corners is a multiple of three.
pub(super) fn encode(corners: &[u32]) -> Vec<u8> {
    let table = table(corners);
    let mut stream = Stream { table, ..Stream::default() };
    for triangle in corners.as_chunks().0 {
        stream.push(*triangle);
    }
    let Stream { codes, data, .. } = stream;
    [vec![HEADER], codes, data, table.to_vec()].concat()
}

/// The pairs of second and third corner that are most frequent where no edge is shared. None of both comes first: by itself that would tell a
/// reader to begin anew.
fn table(corners: &[u32]) -> [u8; 16] {
    let mut stream = Stream::default();
    for triangle in corners.as_chunks().0 {
        stream.push(*triangle);
    }
    let mut pairs: Vec<u8> = (1..=u8::MAX)
        .filter(|&pair| pair >> 4 != SPELT_OUT && pair & 15 != SPELT_OUT)
        .filter(|&pair| stream.pairs[usize::from(pair)] > 0)
        .collect();
    pairs.sort_by_key(|&pair| std::cmp::Reverse(stream.pairs[usize::from(pair)]));
    let mut table = [0; 16];
    for (to, pair) in table[1..NAMED].iter_mut().zip(pairs) {
        *to = pair;
    }
    table
}

/// The 16 newest of a kind.
#[derive(Clone, Copy, Debug)]
struct Recent<T> {
    entries: [Option<T>; 16],
    pushed: usize,
}

impl<T: Copy + PartialEq> Recent<T> {
    fn push(&mut self, entry: T) {
        self.entries[self.pushed % 16] = Some(entry);
        self.pushed += 1;
    }

    /// How far back an entry is; 0 is the newest.
    fn find(&self, entry: T) -> Option<u8> {
        (0..self.pushed.min(16))
            .find(|back| self.entries[(self.pushed - 1 - back) % 16] == Some(entry))
            .map(|back| back as u8)
    }
}

impl<T> Default for Recent<T> {
    fn default() -> Self {
        Self { entries: [const { None }; 16], pushed: 0 }
    }
}

#[derive(Debug)]
struct Stream {
    codes: Vec<u8>,
    data: Vec<u8>,
    table: [u8; 16],
    edges: Recent<[u32; 2]>,
    vertices: Recent<u32>,
    /// The lowest index that was not used so far.
    next: u32,
    /// The last index that was spelt out.
    last: u32,
    /// How often each pair of second and third corner came where no edge is shared.
    pairs: [u32; 256],
}

impl Default for Stream {
    fn default() -> Self {
        Self {
            codes: Vec::new(),
            data: Vec::new(),
            table: [0; 16],
            edges: Recent::default(),
            vertices: Recent::default(),
            next: 0,
            last: 0,
            pairs: [0; 256],
        }
    }
}

impl Stream {
    fn push(&mut self, triangle: [u32; 3]) {
        let [a, b, c] = triangle;
        let turned = [[a, b, c], [b, c, a], [c, a, b]];
        let known = turned.map(|[a, b, _]| self.edges.find([a, b]).filter(|&back| back < 15));
        let nearest = (0..3).filter(|&turn| known[turn].is_some()).min_by_key(|&turn| known[turn]);
        match nearest {
            Some(turn) => self.across_an_edge(known[turn].unwrap_or_default(), turned[turn]),
            None => {
                let turn = (0..3).find(|&turn| turned[turn][0] == self.next).unwrap_or(0);
                self.apart(turned[turn]);
            }
        }
    }

    /// A triangle whose first two corners are a remembered edge.
    fn across_an_edge(&mut self, edge: u8, [a, b, c]: [u32; 3]) {
        let known = self.vertices.find(c).filter(|back| (1..ONE_BEFORE).contains(back));
        let third = if c == self.next {
            self.next = self.next.wrapping_add(1);
            0
        } else if let Some(back) = known {
            back
        } else if c == self.last.wrapping_sub(1) {
            self.last = c;
            ONE_BEFORE
        } else if c == self.last.wrapping_add(1) {
            self.last = c;
            ONE_AFTER
        } else {
            SPELT_OUT
        };
        self.codes.push(edge << 4 | third);
        if third == SPELT_OUT {
            self.spell_out(c);
        }
        if third == 0 || third >= ONE_BEFORE {
            self.vertices.push(c);
        }
        self.edges.push([c, b]);
        self.edges.push([a, c]);
    }

    /// A triangle that shares no remembered edge.
    fn apart(&mut self, [a, b, c]: [u32; 3]) {
        let is_new = a == self.next;
        if is_new {
            self.next = self.next.wrapping_add(1);
        }
        let (second, third) = (self.corner(b), self.corner(c));
        let pair = second << 4 | third;
        self.pairs[usize::from(pair)] += u32::from(is_new);
        match self.table[..NAMED].iter().position(|&entry| entry == pair) {
            Some(named) if is_new => self.codes.push(0xf0 | named as u8),
            _ => {
                self.codes.push(if is_new { 0xfe } else { 0xff });
                self.data.push(pair);
            }
        }
        if !is_new {
            self.spell_out(a);
        }
        self.vertices.push(a);
        for (corner, code) in [(b, second), (c, third)] {
            if code == SPELT_OUT {
                self.spell_out(corner);
            }
            if code == SPELT_OUT || code == 0 {
                self.vertices.push(corner);
            }
        }
        self.edges.push([b, a]);
        self.edges.push([c, b]);
        self.edges.push([a, c]);
    }

    fn corner(&mut self, index: u32) -> u8 {
        match self.vertices.find(index).filter(|&back| back + 1 < SPELT_OUT) {
            Some(back) => back + 1,
            None if index == self.next => {
                self.next = self.next.wrapping_add(1);
                0
            }
            None => SPELT_OUT,
        }
    }

    /// As the difference from the last that was spelt out, seven bits to a byte.
    fn spell_out(&mut self, index: u32) {
        let difference = index.wrapping_sub(self.last).cast_signed();
        self.last = index;
        let mut rest = ((difference << 1) ^ (difference >> 31)).cast_unsigned();
        while rest > 0x7f {
            self.data.push(rest as u8 | 0x80);
            rest >>= 7;
        }
        self.data.push(rest as u8);
    }
}
