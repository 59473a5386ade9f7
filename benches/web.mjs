// Measures <sinew-viewer> and three.js on the same machine, models, size and back end: node web.mjs MODULES [FOLDER]
//
// Every number is from a Chromium started for it, with an empty cache: nothing is warm. The first picture is when a script
// of the page sees pixels of the model on its canvas, from the start of the navigation. Processor time is that of the page's
// process with its workers, while the clip plays; what the software GPU takes is in another process, and not counted.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { POLICY, launch, serve } from '../crates/web/tests/browser.mjs';

const [, , modules, folder] = process.argv;
const here = new URL('.', import.meta.url).pathname;
const built = process.env.BUILT ?? join(here, '../target/web');
const out = join(here, '../target/web-bench');
const rounds = Number(process.env.ROUNDS ?? 3);
const seconds = 4;
/** Both are lit by an environment and a sun; LIGHT=lamps leaves three's environment out, which is less work. */
const lamps = process.env.LIGHT === 'lamps';

/** A tube of 256,000 vertices on eight joints that swings: some 20 MB. */
function largeModel() {
  const rings = 1000;
  const around = 256;
  const joints = 8;
  const count = rings * around;
  const position = new Float32Array(count * 3);
  const normal = new Float32Array(count * 3);
  const uv = new Float32Array(count * 2);
  const joint = new Uint8Array(count * 4);
  const weight = new Float32Array(count * 4);
  for (let ring = 0; ring < rings; ring += 1) {
    const along = (ring / (rings - 1)) * (joints - 1);
    const low = Math.min(Math.floor(along), joints - 2);
    for (let step = 0; step < around; step += 1) {
      const at = ring * around + step;
      const angle = (step / around) * 2 * Math.PI;
      const radius = 0.25 + 0.02 * Math.sin(ring * 0.2);
      position.set([Math.cos(angle) * radius, along * 0.25, Math.sin(angle) * radius], at * 3);
      normal.set([Math.cos(angle), 0, Math.sin(angle)], at * 3);
      uv.set([step / around, ring / rings], at * 2);
      joint.set([low, low + 1, 0, 0], at * 4);
      weight.set([1 - (along - low), along - low, 0, 0], at * 4);
    }
  }
  const index = new Uint32Array((rings - 1) * around * 6);
  let next = 0;
  for (let ring = 0; ring + 1 < rings; ring += 1) {
    for (let step = 0; step < around; step += 1) {
      const a = ring * around + step;
      const b = ring * around + ((step + 1) % around);
      index.set([a, a + around, b, b, a + around, b + around], next);
      next += 6;
    }
  }
  const inverse = new Float32Array(joints * 16);
  for (let at = 0; at < joints; at += 1) inverse.set([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -at * 0.25, 0, 1], at * 16);
  const times = new Float32Array([0, 0.5, 1, 1.5, 2]);
  const turns = new Float32Array([0, 0.1, 0, -0.1, 0].flatMap((angle) => [0, 0, Math.sin(angle), Math.cos(angle)]));
  const views = [position, normal, uv, joint, weight, index, inverse, times, turns];
  let byteOffset = 0;
  const bufferViews = views.map(({ byteLength }) => {
    const view = { buffer: 0, byteOffset, byteLength };
    byteOffset += byteLength;
    return view;
  });
  const accessor = (bufferView, componentType, number, type, more = {}) => ({ bufferView, componentType, count: number, type, ...more });
  const json = {
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: [0, 1] }],
    nodes: [{ mesh: 0, skin: 0 }, ...Array.from({ length: joints }, (_, at) => ({
      name: `joint ${at}`, translation: [0, at ? 0.25 : 0, 0], ...(at + 1 < joints ? { children: [at + 2] } : {}),
    }))],
    skins: [{ joints: Array.from({ length: joints }, (_, at) => at + 1), inverseBindMatrices: 6 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0, NORMAL: 1, TEXCOORD_0: 2, JOINTS_0: 3, WEIGHTS_0: 4 }, indices: 5, material: 0 }] }],
    materials: [{ pbrMetallicRoughness: { baseColorFactor: [0.8, 0.4, 0.2, 1], metallicFactor: 0, roughnessFactor: 0.6 } }],
    accessors: [
      accessor(0, 5126, count, 'VEC3', { min: [-0.27, 0, -0.27], max: [0.27, 1.75, 0.27] }), accessor(1, 5126, count, 'VEC3'),
      accessor(2, 5126, count, 'VEC2'), accessor(3, 5121, count, 'VEC4'), accessor(4, 5126, count, 'VEC4'), accessor(5, 5125, index.length, 'SCALAR'),
      accessor(6, 5126, joints, 'MAT4'), accessor(7, 5126, 5, 'SCALAR', { min: [0], max: [2] }), accessor(8, 5126, 5, 'VEC4'),
    ],
    animations: [{
      name: 'swing',
      samplers: [{ input: 7, output: 8 }],
      channels: Array.from({ length: joints }, (_, at) => ({ sampler: 0, target: { node: at + 1, path: 'rotation' } })),
    }],
    buffers: [{ byteLength: byteOffset }],
    bufferViews,
  };
  const text = Buffer.from(JSON.stringify(json).padEnd(Math.ceil(JSON.stringify(json).length / 4) * 4));
  const head = Buffer.alloc(20);
  head.write('glTF');
  [2, 28 + text.length + byteOffset, text.length, 0x4e4f534a].forEach((number, at) => head.writeUInt32LE(number, 4 + at * 4));
  const chunk = Buffer.alloc(8);
  [byteOffset, 0x004e4942].forEach((number, at) => chunk.writeUInt32LE(number, at * 4));
  return Buffer.concat([head, text, chunk, ...views.map(({ buffer }) => Buffer.from(buffer))]);
}

/** Both pages call `shown(canvas)` after each frame; `frames` counts them. */
const WATCH = `
globalThis.frames = 0;
globalThis.first = null;
globalThis.longest = 0;
const small = new OffscreenCanvas(64, 48).getContext('2d', { willReadFrequently: true });
globalThis.shown = (canvas) => {
  frames += 1;
  if (first !== null) return;
  small.clearRect(0, 0, 64, 48);
  small.drawImage(canvas, 0, 0, 64, 48);
  const { data } = small.getImageData(0, 0, 64, 48);
  let count = 0;
  for (let at = 3; at < data.length; at += 4) count += data[at] > 32 ? 1 : 0;
  if (count < 30) return;
  globalThis.first = performance.now();
  performance.mark('first picture');
};
new PerformanceObserver((list) => {
  for (const { startTime, duration } of list.getEntries()) {
    if (first !== null && startTime > first) globalThis.longest = Math.max(longest, duration);
  }
}).observe({ type: 'longtask', buffered: true });
`;

const THREE = (backend) => `
import * as THREE from '${backend === 'webgpu' ? 'three/webgpu' : 'three'}';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { RoomEnvironment } from 'three/addons/environments/RoomEnvironment.js';
const renderer = new THREE.${backend === 'webgpu' ? 'WebGPURenderer' : 'WebGLRenderer'}({ antialias: true, alpha: true });
renderer.setSize(640, 480);
renderer.setClearColor(0, 0);
document.body.append(renderer.domElement);
const scene = new THREE.Scene();
scene.add(new THREE.DirectionalLight(0xffffff, 2));
if (${lamps}) scene.add(new THREE.HemisphereLight(0xffffff, 0x888888, 2));
const camera = new THREE.PerspectiveCamera(30, 640 / 480, 0.01, 1000);
const ready = renderer.init ? renderer.init() : null;
const gltf = await new GLTFLoader().loadAsync(new URLSearchParams(location.search).get('model'));
await ready;
if (!${lamps}) scene.environment = new THREE.PMREMGenerator(renderer).fromScene(new RoomEnvironment(), 0.04).texture;
scene.add(gltf.scene);
const box = new THREE.Box3().setFromObject(gltf.scene);
const size = box.getSize(new THREE.Vector3()).length();
box.getCenter(camera.position);
camera.lookAt(camera.position.clone().add(new THREE.Vector3(0, 0, -1)));
camera.position.z += size * 1.9;
const mixer = new THREE.AnimationMixer(gltf.scene);
if (gltf.animations.length) mixer.clipAction(gltf.animations[0]).play();
let last = performance.now();
renderer.setAnimationLoop(() => {
  const now = performance.now();
  mixer.update((now - last) / 1000);
  last = now;
  renderer.render(scene, camera);
  shown(renderer.domElement);
});
`;

const OURS = `
const element = document.createElement('sinew-viewer');
const wanted = new URLSearchParams(location.search);
for (const [name, value] of [['src', wanted.get('model')], ['backend', wanted.get('backend')], ['autoplay', ''], ['loading', 'eager']]) element.setAttribute(name, value);
element.style.cssText = 'display: block; width: 640px; height: 480px';
document.body.append(element);
const look = () => shown(element.shadowRoot.querySelector('canvas'));
// The first picture, then all that follow: the clip plays.
for (const event of ['poster-dismissed', 'timeupdate']) element.addEventListener(event, look);
`;

const html = (script, more = '') => `<!doctype html><meta charset="utf-8"><title>bench</title><link rel="icon" href="data:,">${more}<script src="/watch.js"></script><body></body><script type="module" src="${script}"></script>`;

function bundle(backend) {
  const source = join(out, `three-${backend}-source.js`);
  const file = join(out, `three-${backend}.js`);
  writeFileSync(source, THREE(backend));
  execFileSync(join(modules, 'node_modules/.bin/esbuild'), [source, '--bundle', '--minify', '--format=esm', `--outfile=${file}`, '--log-level=error'], {
    env: { ...process.env, NODE_PATH: join(modules, 'node_modules') },
  });
  return readFileSync(file);
}

async function measure(address, program, backend, model) {
  const browser = await launch();
  try {
    const page = await (await browser.newContext({ viewport: { width: 700, height: 520 } })).newPage();
    // A browser that has just started is busy with itself.
    await page.waitForTimeout(1500);
    const failures = [];
    page.on('pageerror', (error) => failures.push(String(error)));
    page.on('console', (message) => message.type() === 'error' && failures.push(message.text()));
    const path = program === 'three' ? `three-${backend}` : 'ours';
    const stop = process.env.TRACE ? await trace(browser, join(out, `${program}-${backend}-${model.split('/').pop()}.trace.json`)) : null;
    await page.goto(`${address}/${path}.html?model=${encodeURIComponent(model)}&backend=${backend}`);
    await page.waitForFunction(() => first !== null, null, { timeout: 120000 }).catch((error) => {
      throw new Error(`${program} on ${backend} shows nothing: ${failures.join(' | ') || error.message}`);
    });
    if (stop) await stop();
    const cdp = await browser.newBrowserCDPSession();
    const busy = async () => (await cdp.send('SystemInfo.getProcessInfo')).processInfo.filter(({ type }) => type === 'renderer').reduce((sum, { cpuTime }) => sum + cpuTime, 0);
    // What is translated and prepared once is not counted; a browser goes on with that for a while where frames are few.
    await page.waitForTimeout(8000);
    const before = [await busy(), await page.evaluate(() => frames)];
    await page.waitForTimeout(seconds * 1000);
    const after = [await busy(), await page.evaluate(() => frames)];
    const found = await page.evaluate(() => ({ first, longest }));
    // Who draws less than there is would be quicker.
    if (failures.length) throw new Error(`${program} on ${backend}: ${failures.join(' | ')}`);
    // To be looked at; a software GPU may have more to do than it waits for.
    await page.screenshot({ path: join(out, `${program}-${backend}-${model.split('/').pop()}.png`) }).catch(() => {});
    return { ...found, frame: (1000 * (after[0] - before[0])) / Math.max(1, after[1] - before[1]), rate: (after[1] - before[1]) / seconds };
  } finally {
    await browser.close();
  }
}

/** Records what all processes of a browser do, until the function that it gives is called: a file for chrome://tracing. */
async function trace(browser, file) {
  const cdp = await browser.newBrowserCDPSession();
  const events = [];
  cdp.on('Tracing.dataCollected', ({ value }) => events.push(...value));
  const includedCategories = ['gpu', 'viz', 'cc', 'v8', 'v8.wasm', 'toplevel', 'loading', 'blink.user_timing', 'devtools.timeline', 'gpu.angle', 'disabled-by-default-gpu.dawn', 'disabled-by-default-gpu.service'];
  await cdp.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig: { includedCategories, recordMode: 'recordUntilFull' } });
  return async () => {
    const complete = new Promise((resolve) => cdp.once('Tracing.tracingComplete', resolve));
    await cdp.send('Tracing.end');
    await complete;
    writeFileSync(file, JSON.stringify({ traceEvents: events }));
  };
}

const best = (runs, key) => Math.min(...runs.map((run) => run[key]));

rmSync(out, { recursive: true, force: true });
mkdirSync(join(out, 'models'), { recursive: true });
writeFileSync(join(out, 'models/tube-20-MB.glb'), largeModel());
const real = folder ? ['CesiumMan.glb', 'Soldier.glb'].filter((name) => existsSync(join(folder, name))) : [];
const models = [...real.map((name) => `/real/${name}`), '/models/tube-20-MB.glb'];
const pages = {
  '/watch.js': WATCH, '/ours.js': OURS, '/ours.html': html('/ours.js', '<script type="module" src="/sinew-viewer.js"></script>'),
  ...Object.fromEntries(['webgpu', 'webgl'].flatMap((backend) => [[`/three-${backend}.html`, html(`/three-${backend}.js`)], [`/three-${backend}.js`, bundle(backend)]])),
};
const folders = [['/models/', join(out, 'models')], ...(folder ? [['/real/', folder]] : []), ['/', built]];
// three fetches the images inside of a model by addresses of its own making: without that it would draw none.
const { server, address } = await serve(folders, pages, `${POLICY}; connect-src 'self' blob:`);
console.log(`${cpus()[0].model}, ${cpus().length} cores, software GPU; the best of ${rounds}; milliseconds\n`);
console.log('| model | back end | program | first picture | longest task after it | processor time a frame | frames a second |');
console.log('|---|---|---|---|---|---|---|');
for (const model of models) {
  for (const backend of ['webgpu', 'webgl']) {
    const runs = { three: [], sinew: [] };
    // Turn by turn: whoever else uses the machine is in the way of both.
    for (let round = 0; round < rounds; round += 1) {
      for (const program of Object.keys(runs)) {
        if (process.env.ONLY && !`${program} ${backend} ${model}`.includes(process.env.ONLY)) continue;
        runs[program].push(await measure(address, program, backend, model));
      }
    }
    for (const [program, list] of Object.entries(runs)) {
      if (!list.length) continue;
      const longest = best(list, 'longest');
      const words = [best(list, 'first').toFixed(0), longest ? longest.toFixed(0) : 'under 50', best(list, 'frame').toFixed(1), Math.max(...list.map(({ rate }) => rate)).toFixed(0)];
      console.log(`| ${model.split('/').pop()} | ${backend === 'webgpu' ? 'WebGPU' : 'WebGL2'} | ${program} | ${words.join(' | ')} |`);
    }
  }
}
server.close();
