//! Moving images as H.264 in MP4.

use openh264::OpenH264API;
use openh264::encoder::{
    BitRate, Encoder, EncoderConfig, FrameRate, IntraFramePeriod, RateControlMode, VuiConfig,
};
use openh264::formats::YUVSlices;
use sinew_render::Image;

use super::mp4_boxes::{Sample, Track, file};
use super::{Encode, FilmError, FilmSettings, cannot};

pub(super) struct Mp4 {
    encoder: Encoder,
    track: Track,
    planes: Planes,
}

/// Kinds of NAL units (H.264, table 7-1).
const WHOLE_IMAGE: u8 = 5;
const SEQUENCE: u8 = 7;
const IMAGE: u8 = 8;

impl Mp4 {
    pub(super) fn new(settings: FilmSettings) -> Result<Self, FilmError> {
        // About a tenth of a bit a pixel looks clean for drawn images.
        let pixels = f64::from(settings.width) * f64::from(settings.height);
        let bits = (pixels * settings.fps * 0.12).clamp(400_000.0, 60_000_000.0) as u32;
        let config = EncoderConfig::new()
            .bitrate(BitRate::from_bps(bits))
            .max_frame_rate(FrameRate::from_hz(settings.fps as f32))
            .rate_control_mode(RateControlMode::Quality)
            .intra_frame_period(IntraFramePeriod::from_num_frames(
                (settings.fps * 4.0).ceil() as u32
            ))
            .skip_frames(false)
            .debug(false)
            .vui(VuiConfig::bt709());
        let encoder =
            Encoder::with_api_config(OpenH264API::from_source(), config).map_err(cannot)?;
        let track = Track {
            width: settings.width,
            height: settings.height,
            fps: settings.fps,
            sequence: Vec::new(),
            image: Vec::new(),
            samples: Vec::new(),
            data: Vec::new(),
        };
        Ok(Self { encoder, track, planes: Planes::default() })
    }
}

impl Encode for Mp4 {
    fn add(&mut self, image: &Image) -> Result<(), FilmError> {
        self.planes.fill(image);
        let (width, height) = (image.width as usize, image.height as usize);
        let slices = (&self.planes.y[..], &self.planes.u[..], &self.planes.v[..]);
        let source = YUVSlices::new(slices, (width, height), (width, width / 2, width / 2));
        let stream = self.encoder.encode(&source).map_err(cannot)?;
        let start = self.track.data.len();
        let mut whole = false;
        for layer in (0..stream.num_layers()).filter_map(|index| stream.layer(index)) {
            for unit in (0..layer.nal_count()).filter_map(|index| layer.nal_unit(index)) {
                let unit = without_start(unit);
                match unit.first().map(|head| head & 31) {
                    Some(SEQUENCE) => self.track.sequence = unit.to_vec(),
                    Some(IMAGE) => self.track.image = unit.to_vec(),
                    Some(kind) => {
                        whole |= kind == WHOLE_IMAGE;
                        self.track.data.extend_from_slice(&(unit.len() as u32).to_be_bytes());
                        self.track.data.extend_from_slice(unit);
                    }
                    None => {}
                }
            }
        }
        let size = (self.track.data.len() - start) as u32;
        self.track.samples.push(Sample { size, whole });
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<Vec<u8>, FilmError> {
        file(&self.track).ok_or_else(|| cannot("the film is too large for an MP4 file"))
    }
}

/// A unit without the bytes that marker its start: 00 00 01, with zeros before.
fn without_start(unit: &[u8]) -> &[u8] {
    let zeros = unit.iter().take_while(|byte| **byte == 0).count();
    if zeros >= 2 && unit.get(zeros) == Some(&1) { &unit[zeros + 1..] } else { unit }
}

/// Brightness for every pixel, colour for every four.
#[derive(Default)]
struct Planes {
    y: Vec<u8>,
    u: Vec<u8>,
    v: Vec<u8>,
}

impl Planes {
    /// From an opaque image with even sides, by BT.709 in its limited range.
    fn fill(&mut self, image: &Image) {
        let wide = image.width as usize * 4;
        self.y.clear();
        self.u.clear();
        self.v.clear();
        for pixel in image.rgba.chunks_exact(4) {
            let [r, g, b] = [0, 1, 2].map(|channel| f32::from(pixel[channel]));
            self.y.push((16.5 + 0.182_586 * r + 0.614_231 * g + 0.062_007 * b) as u8);
        }
        for rows in image.rgba.chunks_exact(wide * 2) {
            let (above, below) = rows.split_at(wide);
            for (two, under) in above.chunks_exact(8).zip(below.chunks_exact(8)) {
                let [r, g, b] = [0, 1, 2].map(|channel| {
                    let sum = u16::from(two[channel]) + u16::from(two[channel + 4]);
                    f32::from(sum + u16::from(under[channel]) + u16::from(under[channel + 4])) / 4.0
                });
                self.u.push((128.5 - 0.100_644 * r - 0.338_572 * g + 0.439_216 * b) as u8);
                self.v.push((128.5 + 0.439_216 * r - 0.398_942 * g - 0.040_274 * b) as u8);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_black_and_red_are_what_bt_709_says() {
        let pixels = |r, g, b| [r, g, b, 255].repeat(4);
        for (rgba, expected) in [
            (pixels(255, 255, 255), [235, 128, 128]),
            (pixels(0, 0, 0), [16, 128, 128]),
            (pixels(255, 0, 0), [63, 102, 240]),
        ] {
            let mut planes = Planes::default();
            planes.fill(&Image { width: 2, height: 2, rgba });
            assert_eq!([planes.y[3], planes.u[0], planes.v[0]], expected);
        }
    }

    #[test]
    fn the_mark_at_a_units_start_is_taken_off() {
        assert_eq!(without_start(&[0, 0, 0, 1, 0x67, 1]), [0x67, 1]);
        assert_eq!(without_start(&[0, 0, 1, 0x68]), [0x68]);
        assert_eq!(without_start(&[0x65, 2]), [0x65, 2]);
    }
}
