// Pictures of the tag against those of the command: the same camera, time and light. Got, expected and difference are kept.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const require = createRequire(`${process.env.NODE_PATH}/`);
const { PNG } = require('pngjs');

const SIZE = 256;
/** Within this much of 255 … */
const NEAR = 2;
/** … on this share of pixels. */
const SHARE = 0.999;

// Drivers differ in which samples of an edge they cover; where Chromium brings its own, the command draws with it too.
const own = '/usr/lib/chromium/vk_swiftshader_icd.json';
const driver = existsSync(own) ? { VK_DRIVER_FILES: own, VK_ICD_FILENAMES: own } : {};

const scenes = [
  { file: 'ossi.glb', clip: 'walk', at: 0.3, eye: [1.2, 1.4, 2.8], target: [0, 0.9, 0] },
  { file: 'ossi.fbx', clip: 'run', at: 0.2, eye: [-1.5, 1.0, 2.4], target: [0, 0.9, 0] },
];

/** Real models of every kind, where they are at hand: their first clip a quarter of a second on, from before and above. */
const REAL = [
  'gltf/CesiumMan.glb', 'gltf/Fox.glb', 'gltf/Soldier.glb', 'gltf/RobotExpressive.glb', 'gltf/KnightCharacter.gltf', 'gltf/MorphStressTest.glb',
  'gltf/RiggedFigure-Draco/RiggedFigure.gltf', 'gltf/BrainStem-MeshoptEXT/BrainStem.gltf', 'dae/stormtrooper.dae', 'fbx/Samba Dancing.fbx', 'md5/Bob.md5mesh',
];

function realScenes(sinew, corpus) {
  const found = REAL.filter((file) => existsSync(join(corpus, file)));
  return found.map((file) => {
    const facts = JSON.parse(execFileSync(sinew, ['info', join(corpus, file), '--json']));
    const { min, max } = facts.bounds;
    const target = min.map((low, axis) => (low + max[axis]) / 2);
    const size = Math.hypot(...min.map((low, axis) => max[axis] - low));
    const eye = [target[0] + size * 0.9, target[1] + size * 0.5, target[2] + size * 1.6];
    return { file, folder: corpus, src: `corpus/${file}`, clip: facts.clips[0]?.name, at: 0.25, eye, target };
  });
}

function native(sinew, { path, clip, at, eye, target }, out) {
  const motion = clip === undefined ? [] : ['--clip', clip, '--at', String(at)];
  execFileSync(sinew, [
    'render', path, ...motion, '--size', `${SIZE}x${SIZE}`,
    `--eye=${eye}`, `--look-at=${target}`, '--fov', '30', '--background', 'transparent', '-o', out,
  ], { env: { XDG_RUNTIME_DIR: '/tmp', ...process.env, ...driver } });
}

const shot = async ({ src, clip, at, eye, target, backend, size }) => {
  const playing = clip === undefined ? {} : { 'animation-name': clip };
  const element = await tag({ src, backend, 'field-of-view': '30deg', ...playing }, { size: [size, size] });
  const [x, y, z] = eye.map((number, axis) => number - target[axis]);
  const radius = Math.hypot(x, y, z);
  element.cameraTarget = target.map((number) => `${number}m`).join(' ');
  element.cameraOrbit = `${Math.atan2(x, z)}rad ${Math.acos(y / radius)}rad ${radius}m`;
  await element.jumpCameraToGoal();
  if (clip !== undefined) element.currentTime = at;
  await drawn(element, 2);
  const blob = await element.toBlob({ width: size, height: size });
  const bytes = new Uint8Array(await blob.arrayBuffer());
  return btoa(bytes.reduce((text, byte) => text + String.fromCharCode(byte), ''));
};

/** Over middle grey, as both would be seen. */
function flat({ data }) {
  const out = new Uint8Array(data.length);
  for (let at = 0; at < data.length; at += 4) {
    const alpha = data[at + 3] / 255;
    for (let channel = 0; channel < 3; channel += 1) out[at + channel] = Math.round(data[at + channel] * alpha + 128 * (1 - alpha));
    out[at + 3] = 255;
  }
  return out;
}

function compare(got, expected, out) {
  const [a, b] = [flat(got), flat(expected)];
  const diff = new PNG({ width: SIZE, height: SIZE });
  let near = 0;
  let sum = 0;
  for (let at = 0; at < a.length; at += 4) {
    const gap = Math.max(...[0, 1, 2].map((channel) => Math.abs(a[at + channel] - b[at + channel])));
    near += gap <= NEAR ? 1 : 0;
    sum += gap;
    diff.data.set([Math.min(255, gap * 16), 0, 0, 255], at);
  }
  writeFileSync(out, PNG.sync.write(diff));
  return { share: near / (a.length / 4), mean: sum / (a.length / 4) };
}

/** Compares all scenes on both back ends; gives how many differ. Real models are taken from a folder, where it is there. */
export async function pictures(browser, address, sinew, folder, corpus) {
  let failed = 0;
  const made = scenes.map((scene) => ({ ...scene, folder: join(folder, 'files'), src: `files/${scene.file}` }));
  // MODELS=Fox,Soldier: of these alone.
  const wanted = ({ file }) => !process.env.MODELS || process.env.MODELS.split(',').some((part) => file.includes(part));
  for (const scene of [...made, ...realScenes(sinew, corpus)].filter(wanted)) {
    const name = `${scene.file}-${scene.clip ?? 'rest'}`.replace(/[^\w.-]+/g, '-');
    const expected = join(folder, `${name}-expected.png`);
    native(sinew, { ...scene, path: join(scene.folder, scene.file) }, expected);
    for (const backend of ['webgpu', 'webgl']) {
      const page = await browser.newPage({ viewport: { width: 900, height: 700 } });
      try {
        await page.goto(`${address}/test.html`);
        await page.waitForFunction(() => customElements.get('sinew-viewer'));
        const got = Buffer.from(await page.evaluate(shot, { ...scene, backend, size: SIZE }), 'base64');
        writeFileSync(join(folder, `${name}-${backend}-got.png`), got);
        const found = compare(PNG.sync.read(got), PNG.sync.read(readFileSync(expected)), join(folder, `${name}-${backend}-diff.png`));
        const good = found.share >= SHARE;
        failed += good ? 0 : 1;
        console.log(`${good ? 'ok   ' : 'FAIL '} ${name} on ${backend} is as the command draws it: ${(100 * found.share).toFixed(2)} % within ${NEAR} of 255, mean ${found.mean.toFixed(3)}`);
      } catch (error) {
        failed += 1;
        console.log(`FAIL  ${name} on ${backend}: ${error.message.split('\n')[0]}`);
      } finally {
        await page.close();
      }
    }
  }
  return failed;
}
