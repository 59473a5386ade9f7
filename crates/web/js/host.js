// Where models live: a worker of the page, or the page itself where it may not have one.
//
// In:  calls by name. Out: promises of their values, and events of a tag.

let worker;
let next = 0;
const waiting = new Map();
const listeners = new Map();

function start() {
  try {
    worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module', name: 'sinew-viewer' });
  } catch {
    worker = null;
    return;
  }
  worker.addEventListener('message', ({ data }) => {
    if (data.event) return listeners.get(data.id)?.(data.event, data.detail);
    const promise = waiting.get(data.call);
    waiting.delete(data.call);
    if (data.error) promise?.reject(Object.assign(new Error(data.error.message), { name: data.error.name }));
    else promise?.resolve(data.value);
  });
  // A worker that a page's policy or an old browser refuses says so here, before it has answered anything.
  worker.addEventListener('error', (event) => {
    event.preventDefault();
    for (const { reject } of waiting.values()) reject(new Error(event.message || 'the worker has failed'));
    waiting.clear();
  });
}

const compiled = new Map();

/** Compiles the smallest module while the worker starts: it is likely needed for a file with this address. */
export function compileAhead(src, backend) {
  const name = navigator.gpu && backend !== 'webgl' ? 'core' : 'webgl';
  if (!worker || compiled.has(name) || !/\.gl(b|tf)$/i.test(new URL(src).pathname)) return;
  const stop = new AbortController();
  compiled.set(name, stop);
  worker.postMessage({ compiled: name });
  WebAssembly.compileStreaming(fetch(new URL(`./wasm/${name}_bg.wasm`, import.meta.url), { signal: stop.signal })).then(
    (module) => worker.postMessage({ compiled: name, module }),
    (error) => worker.postMessage({ compiled: name, error: String(error) }),
  );
}

/** Another module is needed: those that are still coming are not loaded to their end. */
export function stopCompiling() {
  compiled.forEach((stop) => stop.abort());
}

/** One tag's model, wherever it lives. */
export class Remote {
  #id = (next += 1);
  #local = null;

  constructor(tell) {
    if (worker === undefined) start();
    listeners.set(this.#id, tell);
    if (worker === null) {
      this.#local = import('./session.js').then(({ Session }) => new Session(tell));
    }
  }

  /** Calls a method of the session. */
  async call(method, ...args) {
    if (this.#local) return (await this.#local)[method](...args);
    return new Promise((resolve, reject) => {
      const call = (next += 1);
      waiting.set(call, { resolve, reject });
      worker.postMessage({ id: this.#id, call, method, args });
    });
  }

  /** Gives all memory back. */
  close() {
    listeners.delete(this.#id);
    return this.call('close').catch(() => {});
  }
}
