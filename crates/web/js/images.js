// Image files to pixels, by the browser.
//
// In:  the bytes of a file. Out: RGBA, rows from the top, alpha not premultiplied.

/** Whether a file is an image of light, which no browser decodes: Radiance or OpenEXR. */
export const isHdr = ([a, b, c, d]) => (a === 0x23 && b === 0x3f) || (a === 0x76 && b === 0x2f && c === 0x31 && d === 0x01);

/** Decodes an image; throws when the browser cannot. */
export async function decode(bytes, type) {
  const blob = new Blob([bytes], { type });
  const bitmap = await createImageBitmap(blob, { premultiplyAlpha: 'none', colorSpaceConversion: 'none' });
  const { width, height } = bitmap;
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d', { willReadFrequently: true });
  context.drawImage(bitmap, 0, 0);
  bitmap.close();
  const { data } = context.getImageData(0, 0, width, height);
  const rgba = new Uint8Array(data.buffer);
  // A 2D canvas premultiplies; where that loses anything, a decoder that does not is asked.
  const exact = translucent(rgba) ? await decodeExactly(bytes, type, width, height) : null;
  return { width, height, rgba: exact ?? rgba };
}

function translucent(rgba) {
  for (let at = 3; at < rgba.length; at += 4) if (rgba[at] !== 255) return true;
  return false;
}

async function decodeExactly(bytes, type, width, height) {
  if (typeof ImageDecoder === 'undefined' || !(await ImageDecoder.isTypeSupported(type))) return null;
  const decoder = new ImageDecoder({ data: bytes, type, colorSpaceConversion: 'none' });
  try {
    const { image } = await decoder.decode();
    const rgba = new Uint8Array(width * height * 4);
    await image.copyTo(rgba, { format: 'RGBA' });
    image.close();
    return rgba;
  } catch {
    return null;
  } finally {
    decoder.close();
  }
}
