// Attributes as people write them: angles, lengths, lists.
//
// In:  text. Out: numbers in radians and metres; NaN for `auto` and for what cannot be read.

const ANGLES = { deg: Math.PI / 180, rad: 1, turn: 2 * Math.PI };
const LENGTHS = { m: 1, cm: 0.01, mm: 0.001 };

/** Splits a value at spaces. */
export const words = (text) => (text ?? '').trim().split(/\s+/).filter(Boolean);

function measured(text, units) {
  const found = /^(-?[\d.]+(?:e-?\d+)?)([a-z]*)$/i.exec(text ?? '');
  if (!found) return NaN;
  const unit = found[2].toLowerCase();
  const scale = unit === '' ? 1 : units[unit];
  return scale === undefined ? NaN : Number(found[1]) * scale;
}

/** An angle in radians. */
export const angle = (text) => measured(text, ANGLES);

/** A length in metres. */
export const length = (text) => measured(text, LENGTHS);

/** `theta phi radius`, as model-viewer writes it; `share` when the radius is in percent. */
export function orbit(text) {
  const [theta, phi, radius] = words(text);
  const share = (radius ?? '').endsWith('%');
  const distance = share ? Number(radius.slice(0, -1)) / 100 : length(radius);
  return { theta: angle(theta), phi: angle(phi), radius: distance, share };
}

/** Three lengths. */
export function place(text) {
  const [x, y, z] = words(text).map(length);
  return [x ?? NaN, y ?? NaN, z ?? NaN];
}

/** `speed=1.2 grounded=true`, or a JSON object, as pairs of name and number. */
export function parameters(text) {
  const value = (it) => (it === true || it === 'true' ? 1 : it === false || it === 'false' ? 0 : Number(it));
  const trimmed = (text ?? '').trim();
  if (trimmed.startsWith('{')) {
    return Object.entries(JSON.parse(trimmed)).map(([name, it]) => [name, value(it)]);
  }
  return words(trimmed).map((pair) => {
    const at = pair.indexOf('=');
    return at < 0 ? [pair, 1] : [pair.slice(0, at), value(pair.slice(at + 1))];
  });
}

/** A colour of CSS as `0xrrggbb`; `undefined` for a transparent one, `null` for what is none. */
export function color(text) {
  if (!CSS.supports('color', text)) return null;
  const context = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  context.fillStyle = text;
  context.fillRect(0, 0, 1, 1);
  const [red, green, blue, alpha] = context.getImageData(0, 0, 1, 1).data;
  return alpha ? (red << 16) | (green << 8) | blue : undefined;
}

/** Radians as degrees with at most three decimals. */
export const degrees = (radians) => `${Number(((radians * 180) / Math.PI).toFixed(3))}deg`;
/** Metres with at most four decimals. */
export const metres = (length) => `${Number(length.toFixed(4))}m`;
