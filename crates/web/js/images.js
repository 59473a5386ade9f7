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
  const exact = !isOpaque(bytes) && translucent(rgba) ? await decodeExactly(bytes, type, width, height) : null;
  return { width, height, rgba: exact ?? rgba };
}

/** Begins to decode the images inside of a GLB: by their numbers `{ length, image }`, bytes and a promise. What is wrong with it, others say. */
export function decodeEarly(glb) {
  try {
    const view = new DataView(glb.buffer, glb.byteOffset, glb.length);
    const end = 20 + view.getUint32(12, true);
    const { images = [], bufferViews } = JSON.parse(new TextDecoder().decode(glb.subarray(20, end)));
    return images.map(({ bufferView, mimeType }) => {
      const { byteOffset = 0, byteLength: length = 0 } = bufferViews[bufferView] ?? {};
      const start = end + 8 + byteOffset;
      const image = length ? decode(glb.subarray(start, start + length), mimeType) : Promise.reject();
      image.catch(() => {});
      return { length, image };
    });
  } catch {
    return [];
  }
}

/** A JPEG: nothing can be seen through it. */
const isOpaque = ([a, b, c]) => a === 0xff && b === 0xd8 && c === 0xff;

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
