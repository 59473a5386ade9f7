//! A contact sheet: images of one size in columns and rows.

use sinew::render::Image;

use super::args::Size;

/// A sheet that is filled cell by cell, row by row from the top left.
#[derive(Debug)]
pub(crate) struct Sheet {
    whole: Image,
    cell: Size,
    columns: u32,
    filled: u32,
}

impl Sheet {
    pub(crate) fn new(grid: Size, cell: Size) -> Self {
        let (width, height) = (grid.width * cell.width, grid.height * cell.height);
        let rgba = vec![0; width as usize * height as usize * 4];
        Self { whole: Image { width, height, rgba }, cell, columns: grid.width, filled: 0 }
    }

    /// Puts an image into the next cell.
    pub(crate) fn add(&mut self, image: &Image) {
        let (column, row) = (self.filled % self.columns, self.filled / self.columns);
        let wide = self.cell.width as usize * 4;
        let left = column as usize * wide;
        let top = row as usize * self.cell.height as usize;
        for (line, pixels) in image.rgba.chunks_exact(wide).enumerate() {
            let start = (top + line) * self.whole.width as usize * 4 + left;
            self.whole.rgba[start..start + wide].copy_from_slice(pixels);
        }
        self.filled += 1;
    }

    /// The sheet; cells that stayed empty have the background of the first.
    pub(crate) fn finish(mut self) -> Image {
        let corner = self.whole.pixel(0, 0);
        let cells = self.whole.height / self.cell.height * self.columns;
        for _ in self.filled..cells {
            let pixels = self.cell.width as usize * self.cell.height as usize;
            let Size { width, height } = self.cell;
            self.add(&Image { width, height, rgba: corner.repeat(pixels) });
        }
        self.whole
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_that_stay_empty_have_the_background_of_the_first() {
        let mut sheet = Sheet::new(Size { width: 2, height: 1 }, Size { width: 1, height: 1 });
        sheet.add(&Image { width: 1, height: 1, rgba: vec![7, 8, 9, 255] });
        assert_eq!(sheet.finish().pixel(1, 0), [7, 8, 9, 255]);
    }

    #[test]
    fn cells_are_filled_from_the_top_left_row_by_row() {
        let mut sheet = Sheet::new(Size { width: 2, height: 2 }, Size { width: 2, height: 1 });
        for value in 1..=4 {
            sheet.add(&Image { width: 2, height: 1, rgba: vec![value; 8] });
        }
        let whole = sheet.finish();
        let seen: Vec<u8> = (0..2)
            .flat_map(|y| (0..4).map(move |x| (x, y)))
            .map(|(x, y)| whole.pixel(x, y)[0])
            .collect();
        assert_eq!(seen, [1, 1, 2, 2, 3, 3, 4, 4]);
    }
}
