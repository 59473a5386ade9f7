// Files by address or from a drop, with their companions.
//
// In:  an address, or files that a person has dropped. Out: bytes by name.
// Companions come from the model's own folder and those below it: the importer refuses every other name.

/** Memory that is taken before anything has come, at most. */
const LARGEST_GUESS = 64 * 2 ** 20;

/** Bytes at an address; `progress` hears the share that has come, and is shown what there is so far. */
export async function fetchBytes(url, progress = () => {}, signal) {
  let answer;
  try {
    answer = await fetch(url, { signal });
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new Error(`${url}: cannot be fetched (not there, or its server allows no other origin)`);
  }
  if (!answer.ok) throw new Error(`${url}: the server answers ${answer.status}`);
  const total = Number(answer.headers.get('content-length'));
  if (!answer.body || !(total > 0)) return new Uint8Array(await answer.arrayBuffer());
  // Where the server compresses, more comes than it says.
  let bytes = new Uint8Array(Math.min(total, LARGEST_GUESS));
  let known = 0;
  for (const reader = answer.body.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) break;
    if (known + value.length > bytes.length) {
      const longer = new Uint8Array((known + value.length) * 2);
      longer.set(bytes.subarray(0, known));
      bytes = longer;
    }
    bytes.set(value, known);
    known += value.length;
    progress(Math.min(known / total, 1), bytes.subarray(0, known));
  }
  return bytes.subarray(0, known);
}

/** The name of the file at an address. */
export function nameOf(url) {
  const path = new URL(url).pathname;
  return decodeURIComponent(path.slice(path.lastIndexOf('/') + 1));
}

/** What the browser has dropped: a map of relative path to bytes is enough to read a model. */
export class Dropped {
  constructor(files) {
    this.files = files;
  }

  async companion(name) {
    const wanted = name.toLowerCase();
    const base = wanted.slice(wanted.lastIndexOf('/') + 1);
    const found =
      this.files.find((file) => file.name.toLowerCase() === wanted) ??
      this.files.find((file) => file.name.toLowerCase().split('/').pop() === base);
    return found ? found.bytes : null;
  }
}

/** A model's folder on a server. */
export class Folder {
  constructor(url, signal) {
    this.base = new URL('.', url);
    this.signal = signal;
  }

  async companion(name) {
    const url = new URL(name.split('/').map(encodeURIComponent).join('/'), this.base);
    if (!url.href.startsWith(this.base.href)) return null;
    return fetchBytes(url.href, undefined, this.signal).catch((error) => {
      if (error.name === 'AbortError') throw error;
      return null;
    });
  }
}

// Content that only the whole build reads: anything but glTF 2.0, and glTF with Draco or meshopt streams or Basis textures.
const WHOLE = ['KHR_draco_mesh_compression', 'KHR_texture_basisu', 'image/ktx2', 'meshopt_compression'];

/** `core` when the smallest build can read these bytes, else `full`; null while there are too few to know. */
export function buildFor(bytes, whole = true) {
  const text = (from, to) => new TextDecoder().decode(bytes.subarray(from, to));
  let json;
  if (!whole && bytes.length < 64) return null;
  if (text(0, 4) === 'glTF' && bytes.length > 20) {
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    if (view.getUint32(4, true) !== 2) return 'full';
    const end = 20 + view.getUint32(12, true);
    if (!whole && bytes.length < end) return null;
    json = text(20, end);
  } else if (/^\s*\{/.test(text(0, 64).replace(/^\uFEFF/, ''))) {
    if (!whole) return null;
    json = text(0, bytes.length);
  } else {
    return 'full';
  }
  if (!/"version"\s*:\s*"2\b/.test(json)) return 'full';
  return WHOLE.some((word) => json.includes(word)) ? 'full' : 'core';
}
