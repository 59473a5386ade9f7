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

/** Modules by name, once they run. */
const modules = new Map();
/** Modules that the page compiles while its worker starts: promises by name. */
const compiled = new Map();

/** Says that the page compiles a module; later that it has, or cannot. */
export function takeCompiled(name, module, error) {
  if (!compiled.has(name)) {
    const coming = {};
    coming.promise = new Promise((resolve, reject) => Object.assign(coming, { resolve, reject }));
    compiled.set(name, coming);
  }
  if (module) compiled.get(name).resolve(module);
  if (error) compiled.get(name).reject(error);
}

function load(build) {
  const name = `${build} ${generation}`;
  if (!modules.has(name)) {
    const loading = start(build);
    modules.set(name, loading);
    loading.catch(() => modules.delete(name));
  }
  return modules.get(name);
}

async function start(build) {
  const again = generation ? `?${generation}` : '';
  const address = (name) => new URL(`./wasm/${name}`, import.meta.url);
  // Both at once; the bytes are compiled while they come.
  const own = () => fetch(address(`${build}_bg.wasm`));
  const bytes = compiled.get(build)?.promise.catch(own) ?? own();
  bytes.catch(() => {});
  const module = await import(address(`${build}.js${again}`).href);
  await module.default({ module_or_path: bytes });
  return module;
}

/** Opens WebGL2, where that is wanted, while modules are still coming: a browser takes some time for it. */
export function contextAhead(backend) {
  if (backend !== 'webgl' || spare) return;
  const canvas = new OffscreenCanvas(1, 1);
  // As the module asks for it: a canvas gives the same context again.
  if (canvas.getContext('webgl2', { antialias: false, depth: false })) spare = canvas;
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
