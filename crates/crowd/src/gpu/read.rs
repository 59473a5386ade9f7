//! Palettes back in memory: for tests, and for who needs a hand's place on the processor after all.

use sinew_scene::glam::{Affine3A, Mat4};

use super::{Crowd, CrowdError};

impl Crowd {
    /// All matrices of the last run, character after character; waits for them.
    ///
    /// # Errors
    /// When the device is lost.
    pub fn read(&self) -> Result<Vec<Affine3A>, CrowdError> {
        let mut all = Vec::with_capacity(self.len() * self.matrices());
        for (palettes, count) in self.palettes().buffers {
            let size = u64::from(count).next_multiple_of(8) * self.widths.palette;
            let buffer = self.gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("read back"),
                size,
                usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
                mapped_at_creation: false,
            });
            let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
            encoder.copy_buffer_to_buffer(&palettes, 0, &buffer, 0, size);
            self.gpu.queue.submit([encoder.finish()]);
            let bytes = self.gpu.read_buffer(&buffer)?;
            // Of eight characters all first rows, all second, all third.
            let rows: Vec<[[[f32; 4]; 8]; 3]> = bytemuck::pod_collect_to_vec(&bytes);
            for character in 0..count as usize {
                let eight = &rows[character / 8 * self.matrices()..][..self.matrices()];
                all.extend(eight.iter().map(|rows| matrix(&rows.map(|row| row[character % 8]))));
            }
        }
        Ok(all)
    }
}

fn matrix([x, y, z]: &[[f32; 4]; 3]) -> Affine3A {
    let rows = Mat4::from_cols_array_2d(&[*x, *y, *z, [0.0, 0.0, 0.0, 1.0]]);
    Affine3A::from_mat4(rows.transpose())
}
