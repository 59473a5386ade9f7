//! A packed clip decoded in double precision by `docs/pack.md` alone: no line is shared with the packer.

/// A rotation, a translation and a scale.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Local {
    pub(crate) rotation: [f64; 4],
    pub(crate) translation: [f64; 3],
    pub(crate) scale: [f64; 3],
}

/// A track with its numbers at every frame.
struct Track {
    kind: usize,
    index: usize,
    left: [f64; 4],
    right: [f64; 4],
    frames: Vec<[f64; 4]>,
}

/// All of a file.
pub(crate) struct Decoded {
    pub(crate) duration: f64,
    pub(crate) bound: f64,
    pub(crate) error: f64,
    pub(crate) loss: f64,
    /// How many samples the error is stated of; 0 where it is the clip's curves.
    pub(crate) samples: usize,
    /// Seconds from the start.
    pub(crate) times: Vec<f64>,
    tracks: Vec<Track>,
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        let found = self.bytes[self.at..self.at + N].try_into().expect("as many bytes");
        self.at += N;
        found
    }
    fn byte(&mut self) -> u8 {
        self.take::<1>()[0]
    }
    fn short(&mut self) -> usize {
        usize::from(u16::from_le_bytes(self.take()))
    }
    fn long(&mut self) -> usize {
        u32::from_le_bytes(self.take()) as usize
    }
    fn single(&mut self) -> f64 {
        f64::from(f32::from_le_bytes(self.take()))
    }
    fn double(&mut self) -> f64 {
        f64::from_le_bytes(self.take())
    }
}

/// Numbers of a frame, by kind.
const NUMBERS: [usize; 8] = [3, 3, 3, 1, 1, 0, 0, 0];

impl Decoded {
    pub(crate) fn read(bytes: &[u8]) -> Self {
        let mut file = Reader { bytes, at: 0 };
        assert_eq!(&file.take::<6>(), b"sinewc");
        assert_eq!(file.short(), 3, "the version that the document is about");
        assert_eq!(file.long(), bytes.len());
        file.at = 32;
        let rate = file.double();
        let [duration, bound, error, loss] = [(); 4].map(|()| file.single());
        let (frames, samples) = (file.long(), file.long());
        file.at = 74;
        let (segment, name) = (file.short(), file.short());
        let counts = [(); 8].map(|()| file.short());
        file.at += name;
        let time = |frame: usize| if rate == 0.0 { file.single() } else { frame as f64 / rate };
        let times = (0..frames).map(time).collect();
        let (tracks, steps) = read_tracks(&mut file, counts);
        let mut decoded = Self { duration, bound, error, loss, samples, times, tracks };
        let starts: Vec<usize> = (0..frames.div_ceil(segment)).map(|_| file.long()).collect();
        for (at, start) in starts.into_iter().enumerate() {
            let own = at * segment..frames.min((at + 1) * segment);
            read_segment(&mut Reader { bytes, at: start }, &mut decoded.tracks, &steps, own.len());
        }
        decoded
    }

    /// Writes over what the clip drives at a time.
    pub(crate) fn sample(&self, time: f64, locals: &mut [Local]) {
        let time = time.clamp(0.0, self.duration);
        let frame = self.times.partition_point(|&known| known <= time).saturating_sub(1);
        let next = (frame + 1).min(self.times.len() - 1);
        let gap = self.times[next] - self.times[frame];
        let share = if gap > 0.0 { (time - self.times[frame]) / gap } else { 0.0 };
        for track in self.tracks.iter().filter(|track| !(3..5).contains(&track.kind)) {
            let [from, to] = [track.frames[frame], track.frames[next]];
            let value = match track.kind {
                0 => {
                    let mixed = mix(whole(from), whole(to), share);
                    unit(product(product(track.left, mixed), track.right))
                }
                5 => whole(from),
                _ => [0, 1, 2, 3].map(|axis| from[axis] + (to[axis] - from[axis]) * share),
            };
            put(&mut locals[track.index], track.kind % 5, value);
        }
    }
}

fn put(local: &mut Local, part: usize, value: [f64; 4]) {
    let [x, y, z, _] = value;
    match part {
        0 => local.rotation = value,
        1 => local.translation = [x, y, z],
        _ => local.scale = [x, y, z],
    }
}

/// A track's step, the unit of its bases, and its origin.
type Step = (f64, f64, [f64; 4]);

fn read_tracks(file: &mut Reader<'_>, counts: [usize; 8]) -> (Vec<Track>, Vec<Step>) {
    let (mut tracks, mut steps) = (Vec::new(), Vec::new());
    for (kind, all) in counts.into_iter().enumerate() {
        for first in (0..all).step_by(8) {
            let count = (all - first).min(8);
            let indices: Vec<usize> = (0..count).map(|_| file.short()).collect();
            let step = |file: &mut Reader<'_>| {
                f64::from(f32::from_bits((792 + u32::from(file.byte())) << 20))
            };
            let (mut own, mut units) = (vec![0.0; count], vec![0.0; count]);
            if NUMBERS[kind] > 0 {
                own = (0..count).map(|_| step(file)).collect();
                let unit = |step: &f64| step * 2.0_f64.powi(i32::from(file.byte()));
                units = own.iter().map(unit).collect();
            }
            let mut sides = vec![[[0.0; 4]; 2]; count];
            let mut origins = vec![[0.0; 4]; count];
            match kind {
                0 => {
                    for side in 0..2 {
                        for axis in 0..4 {
                            for sides in &mut sides {
                                sides[side][axis] = f64::from(file.byte() as i8);
                            }
                        }
                    }
                }
                _ => {
                    for axis in 0..if matches!(kind, 3 | 4) { 1 } else { 3 } {
                        for origin in &mut origins {
                            origin[axis] = file.single();
                        }
                    }
                }
            }
            for (at, index) in indices.into_iter().enumerate() {
                let [left, right] = sides[at];
                tracks.push(Track { kind, index, left, right, frames: Vec::new() });
                steps.push((own[at], units[at], origins[at]));
            }
        }
    }
    (tracks, steps)
}

/// Where a field goes: a track's number, its width and its base.
struct Field {
    track: usize,
    axis: usize,
    width: usize,
    base: f64,
}

fn read_segment(file: &mut Reader<'_>, tracks: &mut [Track], steps: &[Step], frames: usize) {
    let stride = file.short();
    let mut fields = Vec::new();
    let mut first = 0;
    while first < tracks.len() {
        let kind = tracks[first].kind;
        let same = tracks[first..].iter().take_while(|track| track.kind == kind).count();
        let count = same.min(8);
        for axis in 0..NUMBERS[kind] {
            let widths: Vec<u8> = (0..count).map(|_| file.byte()).collect();
            for (at, width) in widths.into_iter().enumerate() {
                let base = f64::from(file.byte() as i8);
                fields.push(Field { track: first + at, axis, width: usize::from(width), base });
            }
        }
        first += count;
    }
    for frame in 0..frames {
        let mut bit = 8 * (file.at + frame * stride);
        for (track, (.., origin)) in tracks.iter_mut().zip(steps) {
            track.frames.push(*origin);
        }
        for Field { track, axis, width, base } in &fields {
            let mut number = 0_u64;
            for place in 0..*width {
                number |= u64::from(file.bytes[bit / 8] >> (bit % 8) & 1) << place;
                bit += 1;
            }
            let (step, unit, _) = steps[*track];
            let frame = tracks[*track].frames.last_mut().expect("just pushed");
            frame[*axis] += number as f64 * step + base * unit;
        }
    }
}

fn whole([x, y, z, _]: [f64; 4]) -> [f64; 4] {
    unit([x, y, z, 1.0 - (x * x + y * y + z * z) / 4.0])
}

pub(crate) fn dot(a: [f64; 4], b: [f64; 4]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

pub(crate) fn unit(rotation: [f64; 4]) -> [f64; 4] {
    let length = dot(rotation, rotation).sqrt();
    if length > 1e-6 { rotation.map(|number| number / length) } else { [0.0, 0.0, 0.0, 1.0] }
}

pub(crate) fn mix(from: [f64; 4], to: [f64; 4], s: f64) -> [f64; 4] {
    let near = dot(from, to);
    let u = (1.0 - near.abs()).max(0.0);
    let h = s - 0.5;
    let bent = u * (0.667_874 + u * (0.107_297 + 0.697_431 * h * h + 0.093_328 * u));
    let share = s + s * h * (s - 1.0) * bent;
    let sign = if near < 0.0 { -1.0 } else { 1.0 };
    [0, 1, 2, 3].map(|axis| from[axis] * (1.0 - share) + sign * to[axis] * share)
}

/// `b` first, then `a`.
fn product(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
    [
        a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
        a[3] * b[1] + a[1] * b[3] + a[2] * b[0] - a[0] * b[2],
        a[3] * b[2] + a[2] * b[3] + a[0] * b[1] - a[1] * b[0],
        a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
    ]
}
