// Devices, one for each build that is in use: opened once, shared by all tags, opened again when lost.
//
// In:  what a model needs, and which back end is wanted. Out: a module of WebAssembly with a device on a canvas.

/** The file names of builds that can draw with a back end. */
const BUILDS = {
  core: { webgpu: 'core', webgl: 'webgl' },
  full: { webgpu: 'full', webgl: 'full' },
};

let generation = 0;
/** Asked for at once: it is known before the first model has come. */
const webGpu = Promise.resolve(globalThis.navigator?.gpu?.requestAdapter()).catch(() => null);

/** Modules by name, begun or running: `{ running, stop, isNeeded }`. */
const modules = new Map();

/** A module by name. One that is loaded `early` is not needed yet: it may turn out that another one is. */
function load(build, early = false) {
  const name = `${build} ${generation}`;
  let known = modules.get(name);
  if (!known) {
    const stop = new AbortController();
    known = { running: start(build, stop.signal), stop, isNeeded: false };
    modules.set(name, known);
    known.running.catch(() => modules.get(name) === known && modules.delete(name));
  }
  known.isNeeded ||= !early;
  return known.running;
}

/** Modules that the page compiles while its worker starts: by name, as promises. */
const compiled = new Map();

/** A module comes from the page; or is there, or cannot be had. */
export function takeCompiled(name, module, error) {
  if (!compiled.has(name)) {
    const coming = {};
    coming.promise = new Promise((resolve, reject) => Object.assign(coming, { resolve, reject }));
    coming.promise.catch(() => compiled.delete(name));
    compiled.set(name, coming);
  }
  if (module) compiled.get(name).resolve(module);
  if (error) compiled.get(name).reject(new Error(error));
}

async function start(build, signal) {
  const again = generation ? `?${generation}` : '';
  const address = (name) => new URL(`./wasm/${name}`, import.meta.url);
  // Both at once; the bytes are compiled while they come.
  const given = compiled.get(build)?.promise;
  const bytes = given ?? fetch(address(`${build}_bg.wasm`), { signal });
  bytes.catch(() => {});
  const module = await import(address(`${build}.js${again}`).href);
  await module.default({ module_or_path: bytes });
  return module;
}

/** Loads the smallest module for a back end, and opens WebGL2 meanwhile, before the model says whether that module reads it. */
export async function ahead(wanted) {
  const backend = wanted !== 'webgl' && (await webGpu) ? 'webgpu' : 'webgl';
  load(BUILDS.core[backend], true).catch(() => {});
  if (backend === 'webgl' && !spare) {
    const canvas = new OffscreenCanvas(1, 1);
    // As the module asks for it: a canvas gives the same context again.
    if (canvas.getContext('webgl2', { antialias: false, depth: false })) spare = canvas;
  }
}

/** The model is for the whole build: smaller modules that are still on their way are not loaded to their end. */
export function notNeeded() {
  for (const [name, { stop, isNeeded }] of modules) {
    if (isNeeded) continue;
    modules.delete(name);
    stop.abort();
  }
}

/** A canvas that has its WebGL2 already. */
let spare = null;

function takeCanvas(backend) {
  const canvas = (backend === 'webgl' && spare) || new OffscreenCanvas(1, 1);
  if (canvas === spare) spare = null;
  return canvas;
}

/** A device with its build. */
export class Opened {
  constructor(build, backend, module, engine, canvas) {
    Object.assign(this, { build, backend, module, engine, canvas });
    this.lost = false;
    for (const event of ['contextlost', 'webglcontextlost']) {
      canvas.addEventListener(event, () => (this.lost = true));
    }
  }

  get isLost() {
    return this.lost || this.engine.lost;
  }

  /** Hands over what was said so far: WebGL2 keeps it until there is more. */
  flush() {
    if (this.backend === 'webgl') this.canvas.getContext('webgl2').flush();
  }

  /** Settles when the device has drawn all that it was told to, or is gone. */
  async finished() {
    if (this.backend === 'webgpu') return this.canvas.getContext('webgpu').getConfiguration?.()?.device.queue.onSubmittedWorkDone();
    const gl = this.canvas.getContext('webgl2');
    const fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl.flush();
    while (!gl.isContextLost() && gl.getSyncParameter(fence, gl.SYNC_STATUS) !== gl.SIGNALED) await new Promise((done) => setTimeout(done, 4));
    gl.deleteSync(fence);
  }

  /** Ends the device as if it were lost: for tests. */
  lose() {
    if (this.backend === 'webgpu') this.engine.loseDevice();
    else this.canvas.getContext('webgl2').getExtension('WEBGL_lose_context').loseContext();
  }
}

async function tryOpen(build, backend) {
  if (backend === 'webgpu' && !(await webGpu)) throw new Error('this browser has no WebGPU');
  const module = await load(BUILDS[build][backend]);
  const canvas = takeCanvas(backend);
  const engine = await module.Engine.open(canvas, backend);
  return new Opened(build, backend, module, engine, canvas);
}

/** All devices of a page. */
export class Engines {
  #opened = new Map();

  /** A device for a build, by the back end wanted: `auto`, `webgpu` or `webgl`. */
  async get(build, wanted) {
    const choices = wanted === 'webgl' ? ['webgl'] : wanted === 'webgpu' ? ['webgpu'] : ['webgpu', 'webgl'];
    const reasons = [];
    for (const backend of choices) {
      try {
        return await this.#open(build, backend);
      } catch (error) {
        reasons.push(error.message);
      }
    }
    throw new Error(`This browser gives no WebGPU and no WebGL2 to draw with (${reasons.join('; ')}).`);
  }

  /** A device that is open or being opened, else a new one; one that fails is forgotten. */
  #open(build, backend) {
    // The whole build reads what the small one reads: no second device beside it.
    const known = this.#opened.get(`full ${backend}`) ?? this.#opened.get(`${build} ${backend}`);
    if (known) return known;
    const key = `${build} ${backend}`;
    const opening = tryOpen(build, backend);
    this.#opened.set(key, opening);
    opening.catch(() => this.#opened.get(key) === opening && this.#opened.delete(key));
    return opening;
  }

  /** Forgets a device that was lost, or whose program has failed. */
  forget(opened, failed) {
    if (failed) generation += 1;
    this.#opened.delete(`${opened.build} ${opened.backend}`);
  }
}

/** The module of the whole build, without a device: for GIFs. */
export const wholeModule = () => load('full');
