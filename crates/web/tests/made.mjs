// Small files made by code, for the tests that need one: each has what its test looks for, and no more.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const floats = (...numbers) => Buffer.from(new Float32Array(numbers.flat()).buffer);
const longs = (...numbers) => Buffer.from(new Uint32Array(numbers).buffer);
const shorts = (...numbers) => Buffer.from(new Uint16Array(numbers).buffer);

/** A GLB of JSON and the buffer views that it names by number. */
function glb(json, views) {
  let at = 0;
  const bufferViews = views.map((bytes) => {
    const view = { buffer: 0, byteOffset: at, byteLength: bytes.length };
    at += Math.ceil(bytes.length / 4) * 4;
    return view;
  });
  const padded = (bytes, fill) => Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4, fill)]);
  const binary = Buffer.concat(views.map((bytes) => padded(bytes, 0)));
  const all = { asset: { version: '2.0' }, buffers: [{ byteLength: binary.length }], bufferViews, ...json };
  const text = padded(Buffer.from(JSON.stringify(all)), 0x20);
  const chunk = (type, bytes) => Buffer.concat([longs(bytes.length), Buffer.from(type, 'latin1'), bytes]);
  const body = Buffer.concat([chunk('JSON', text), chunk('BIN\0', binary)]);
  return Buffer.concat([Buffer.from('glTF'), longs(2, 12 + body.length), body]);
}

/** A square of two metres that faces the camera, with one primitive; the rest is added to the file. */
function square({ primitive = {}, mesh = {}, views = [], accessors = [], ...more }) {
  const corners = [[-1, 0, 0], [1, 0, 0], [1, 2, 0], [-1, 2, 0]];
  return glb({
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0, NORMAL: 1, TEXCOORD_0: 2 }, indices: 3, ...primitive }], ...mesh }],
    accessors: [
      { bufferView: 0, componentType: 5126, count: 4, type: 'VEC3', min: [-1, 0, 0], max: [1, 2, 0] },
      { bufferView: 1, componentType: 5126, count: 4, type: 'VEC3' },
      { bufferView: 2, componentType: 5126, count: 4, type: 'VEC2' },
      { bufferView: 3, componentType: 5123, count: 6, type: 'SCALAR' },
      ...accessors,
    ],
    ...more,
  }, [floats(corners.flat()), floats([0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1]), floats([0, 1, 1, 1, 1, 0, 0, 0]), shorts(0, 1, 2, 0, 2, 3), ...views]);
}

const paint = (r, g, b) => ({ pbrMetallicRoughness: { baseColorFactor: [r, g, b, 1], metallicFactor: 0, roughnessFactor: 1 } });

/** Red, or by its variants green and blue. */
const variants = () => square({
  extensionsUsed: ['KHR_materials_variants'],
  extensions: { KHR_materials_variants: { variants: [{ name: 'meadow' }, { name: 'sea' }] } },
  materials: [paint(1, 0, 0), paint(0, 1, 0), paint(0, 0, 1)],
  primitive: {
    material: 0,
    extensions: { KHR_materials_variants: { mappings: [{ material: 1, variants: [0] }, { material: 2, variants: [1] }] } },
  },
});

/** A face with a target that makes it three times as wide, and one that makes it taller. */
const morphs = () => square({
  primitive: { targets: [{ POSITION: 4 }, { POSITION: 5 }] },
  accessors: [4, 5].map((bufferView) => ({ bufferView, componentType: 5126, count: 4, type: 'VEC3', min: [-2, 0, 0], max: [2, 2, 0] })),
  views: [floats([-2, 0, 0, 2, 0, 0, 2, 0, 0, -2, 0, 0]), floats([0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 2, 0])],
  mesh: { extras: { targetNames: ['wide', 'tall'] } },
});

/** A clip of half a second with markers at its start, in the middle and at its very end. */
const markers = () => square({
  accessors: [
    { bufferView: 4, componentType: 5126, count: 2, type: 'SCALAR', min: [0], max: [0.5] },
    { bufferView: 5, componentType: 5126, count: 2, type: 'VEC3' },
  ],
  views: [floats(0, 0.5), floats(0, 0, 0, 0.2, 0, 0)],
  animations: [{
    name: 'step',
    samplers: [{ input: 4, output: 5 }],
    channels: [{ sampler: 0, target: { node: 0, path: 'translation' } }],
    extras: { markers: [{ name: 'begin', time: 0 }, { name: 'middle', time: 0.25 }, { name: 'end', time: 0.5 }] },
  }],
});

/** A square that goes from red to green within a second, three times beside each other. */
const rare = () => square({
  extensionsUsed: ['KHR_animation_pointer', 'EXT_mesh_gpu_instancing', 'KHR_materials_unlit'],
  nodes: [{ mesh: 0, extensions: { EXT_mesh_gpu_instancing: { attributes: { TRANSLATION: 6 } } } }],
  materials: [{ ...paint(1, 0, 0), extensions: { KHR_materials_unlit: {} } }],
  primitive: { material: 0 },
  accessors: [
    { bufferView: 4, componentType: 5126, count: 2, type: 'SCALAR', min: [0], max: [1] },
    { bufferView: 5, componentType: 5126, count: 2, type: 'VEC4' },
    { bufferView: 6, componentType: 5126, count: 3, type: 'VEC3' },
  ],
  views: [floats(0, 1), floats(1, 0, 0, 1, 0, 1, 0, 1), floats(-2, 0, 0, 0, 0, 0, 2, 0, 0)],
  animations: [{
    name: 'ripen',
    samplers: [{ input: 4, output: 5 }],
    channels: [{
      sampler: 0,
      target: { path: 'pointer', extensions: { KHR_animation_pointer: { pointer: '/materials/0/pbrMetallicRoughness/baseColorFactor' } } },
    }],
  }],
});

/** A KTX2 file of one UASTC block: 4 × 4 texels of one colour. */
function ktx2([red, green, blue]) {
  const word = 0x17n | (BigInt(red | (green << 8) | (blue << 16)) | (255n << 24n)) << 5n;
  const block = Buffer.alloc(16);
  block.writeBigUInt64LE(word & 0xffffffffffffffffn, 0);
  const descriptor = longs(44, 0, 2 | (40 << 16), 166 | (1 << 8) | (2 << 16), 3 | (3 << 8), 16, 0, (3 << 24) | (127 << 16), 0, 0, 0xffffffff);
  const head = Buffer.concat([Buffer.from('\xabKTX 20\xbb\r\n\x1a\n', 'latin1'), longs(0, 1, 4, 4, 0, 0, 1, 1, 0, 104, 44, 0, 0), Buffer.alloc(16)]);
  return Buffer.concat([head, longs(148, 0, 16, 0, 16, 0), descriptor, block]);
}

/** A square that is painted by a Basis Universal texture. */
const basis = () => square({
  extensionsUsed: ['KHR_texture_basisu', 'KHR_materials_unlit'],
  extensionsRequired: ['KHR_texture_basisu'],
  images: [{ bufferView: 4, mimeType: 'image/ktx2' }],
  textures: [{ extensions: { KHR_texture_basisu: { source: 0 } } }],
  materials: [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 } }, extensions: { KHR_materials_unlit: {} } }],
  primitive: { material: 0 },
  views: [ktx2([20, 180, 60])],
});

/** Light from all around in one colour, as Radiance writes it: mantissas and an exponent. */
function radiance(width, height, rgb) {
  const pixel = Buffer.from([...rgb.map((value) => Math.round(value * 128)), 129]);
  const head = `#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y ${height} +X ${width}\n`;
  return Buffer.concat([Buffer.from(head), ...Array(width * height).fill(pixel)]);
}

/** The same as OpenEXR: floats without compression, a line a block. */
function exr(width, height, [red, green, blue]) {
  const text = (words) => Buffer.from(`${words}\0`);
  const attribute = (name, type, bytes) => Buffer.concat([text(name), text(type), longs(bytes.length), bytes]);
  const channel = (name) => Buffer.concat([text(name), longs(2, 0, 1, 1)]);
  const box = longs(0, 0, width - 1, height - 1);
  const head = Buffer.concat([
    longs(20000630, 2),
    attribute('channels', 'chlist', Buffer.concat([channel('B'), channel('G'), channel('R'), Buffer.from([0])])),
    attribute('compression', 'compression', Buffer.from([0])),
    attribute('dataWindow', 'box2i', box),
    attribute('displayWindow', 'box2i', box),
    attribute('lineOrder', 'lineOrder', Buffer.from([0])),
    attribute('pixelAspectRatio', 'float', floats(1)),
    attribute('screenWindowCenter', 'v2f', floats(0, 0)),
    attribute('screenWindowWidth', 'float', floats(1)),
    Buffer.from([0]),
  ]);
  const line = Buffer.concat([blue, green, red].map((value) => floats(Array(width).fill(value))));
  const lines = Array.from({ length: height }, (_, y) => Buffer.concat([longs(y, line.length), line]));
  const start = head.length + height * 8;
  const table = lines.map((bytes, y) => longs(start + y * bytes.length, 0));
  return Buffer.concat([head, ...table, ...lines]);
}

/** Two bones, each a metre long; in the second of two frames the first is rotated by a quarter turn. */
function skeletonAnim() {
  const name = (text) => Buffer.concat([shorts(text.length), Buffer.from(text)]);
  const still = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
  const up = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1, 0, 1];
  const rotated = [0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
  return Buffer.concat([
    Buffer.from('skeleton_anim'), shorts(2), name('hip'), name('knee'), shorts(1), shorts(1), shorts(0), floats(still, up), shorts(2),
    floats(still, still), floats(rotated, still),
  ]);
}

/** Writes all of them into a folder. */
export function makeFiles(folder) {
  const files = {
    'variants.glb': variants(), 'morphs.glb': morphs(), 'markers.glb': markers(), 'rare.glb': rare(), 'basis.glb': basis(),
    'red.hdr': radiance(16, 8, [1.5, 0.05, 0.05]), 'blue.exr': exr(16, 8, [0.05, 0.05, 3]), 'bones.skeleton_anim': skeletonAnim(),
  };
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, name), bytes);
}
