// One tag's model, where it is drawn: in the page's worker, or in the page where there is none.
//
// In:  calls of the tag. Out: facts, frames as bitmaps, and events, in the order in which they happened.

import { Dropped, Folder, buildFor, fetchBytes, nameOf } from './files.js';
import { Engines, contextAhead, wholeModule } from './engines.js';
import { decode, decodeEarly, isHdr } from './images.js';
import { BEST, MOVING, Pace } from './pace.js';

const engines = new Engines();
/** Readings of a file with ever more companions, at most. */
const MAX_READINGS = 8;

/** Reads a file with all companions that can be had. */
async function read(module, name, bytes, source) {
  const loader = new module.Loader(name, bytes);
  try {
    if (loader.isPacked()) return loader;
    for (let reading = 0; reading < MAX_READINGS; reading += 1) {
      const wanted = loader.read();
      if (!wanted.length) return loader;
      const found = await Promise.all(wanted.map((companion) => source.companion(companion)));
      wanted.forEach((companion, at) => (found[at] ? loader.add(companion, found[at]) : loader.absent(companion)));
    }
    throw new Error(`${name}: names ever more companions`);
  } catch (error) {
    loader.free();
    throw error;
  }
}

export class Session {
  #opened = null;
  #viewer = null;
  #loading = null;
  /** What the device has time for with this model. */
  #pace = new Pace();
  /** A frame is on its way whose time is taken: the next would hold it up. */
  #timing = null;
  /** The model's way to the GPU, and what could not be shown as filed. */
  #uploading = null;
  #notes = [];
  #tell;

  /** `tell` hears of events while a call is under way. */
  constructor(tell) {
    this.#tell = tell;
  }

  /** Opens a model, given by `src` or by dropped `files`, with clips of other files; gives its facts. */
  async load({ src, files, builtIn, animations = [], whole, skinning = '', backend = 'auto' }) {
    this.#loading?.abort();
    const loading = new AbortController();
    this.#loading = loading;
    const { signal } = loading;
    const plain = !whole && !builtIn && !animations.length;
    let known = false;
    const progress = (share, bytes) => {
      this.#tell('progress', share);
      // The device is opened while the rest of the model comes.
      const build = known || !bytes ? null : plain ? buildFor(bytes, false) : 'full';
      if (!build) return;
      known = true;
      if (build === 'full') this.#tell('whole');
      engines.get(build, backend).catch(() => {});
    };
    const coming = builtIn ? null : this.#fetch(src, files, signal, progress);
    contextAhead(backend);
    const main = await coming;
    const others = await Promise.all(animations.map((url) => this.#fetch(url, null, signal).catch((error) => error)));
    signal.throwIfAborted();
    // Retargeting is in the whole build.
    const small = plain && buildFor(main.bytes) === 'core';
    // Images are decoded while the device is opened and the rest is read.
    const early = small ? decodeEarly(main.bytes) : [];
    let opened = await engines.get(small ? 'core' : 'full', backend);
    signal.throwIfAborted();
    let viewer = await this.#make(opened, main, builtIn, skinning);
    if (small && viewer.bare) {
      // A skeleton alone gets a body, which only the whole build has.
      viewer.free();
      opened = await engines.get('full', backend);
      signal.throwIfAborted();
      viewer = await this.#make(opened, main, builtIn, skinning);
    }
    try {
      const notes = [];
      for (const [at, other] of others.entries()) {
        await this.#addClips(opened, viewer, other, animations[at], notes);
      }
      signal.throwIfAborted();
      this.#drop();
      this.#opened = opened;
      this.#viewer = viewer;
      this.#pace = new Pace();
      // The page says what is to be seen while images are decoded; the first frame waits for them.
      this.#uploading = this.#upload(opened, viewer, early);
      this.#uploading.catch(() => {});
      const facts = viewer.facts();
      return { ...facts, notes: [...facts.notes, ...notes], backend: opened.backend, build: opened.build };
    } catch (error) {
      viewer.free();
      throw error;
    }
  }

  async #fetch(src, files, signal, progress) {
    if (files) {
      const main = files[0];
      return { name: main.name.split('/').pop(), bytes: main.bytes, source: new Dropped(files) };
    }
    const bytes = await fetchBytes(src, progress, signal);
    return { name: nameOf(src), bytes, source: new Folder(src, signal) };
  }

  async #make({ module }, main, builtIn, skinning) {
    if (builtIn) return module.Viewer.builtIn(builtIn, skinning);
    const loader = await read(module, main.name, main.bytes, main.source);
    try {
      return new module.Viewer(loader, skinning);
    } finally {
      loader.free();
    }
  }

  async #addClips({ module }, viewer, file, url, notes) {
    try {
      if (file instanceof Error) throw file;
      const loader = await read(module, file.name, file.bytes, file.source);
      try {
        viewer.addClips(loader);
      } finally {
        loader.free();
      }
    } catch (error) {
      notes.push(`${url}: ${error.message}`);
    }
  }

  async #upload(opened, viewer, early = []) {
    const images = viewer.images();
    const decoding = images.map(({ index, type, bytes }) => early[index]?.length === bytes.length ? early[index].image : decode(bytes, type));
    // The driver translates shaders while the browser decodes.
    opened.engine.prepare(viewer);
    opened.flush();
    const decoded = await Promise.allSettled(decoding);
    // Another model may have taken its place meanwhile.
    if (this.#viewer !== viewer) return;
    this.#notes = [];
    images.forEach(({ index }, at) => {
      const { value } = decoded[at];
      if (value) viewer.setImage(index, value.width, value.height, value.rgba);
      else this.#notes.push(`image ${index} is drawn as a checker: the browser cannot decode it`);
    });
    this.#notes.push(...opened.engine.upload(viewer));
  }

  /** Settles when the model is on the GPU, or the device was lost: whoever draws then opens another. */
  async #uploaded() {
    try {
      await this.#uploading;
    } catch (error) {
      if (!this.#opened.isLost) throw error;
    }
  }

  /** Adds the clips of one more file; gives the new facts. */
  async addClips(url, files) {
    const file = await this.#fetch(url, files);
    const loader = await read(this.#opened.module, file.name, file.bytes, file.source);
    try {
      this.#viewer.addClips(loader);
    } finally {
      loader.free();
    }
    return this.#viewer.facts();
  }

  /** Calls a method of the viewer. */
  call(method, ...args) {
    this.#pace.stir();
    return this.#viewer?.[method](...args);
  }

  /** Calls several, in order; one that fails is a note, and the others are done. */
  calls(list) {
    return list.map(([method, ...args]) => {
      try {
        return this.call(method, ...args);
      } catch (error) {
        if (error instanceof WebAssembly.RuntimeError) throw error;
        return this.#tell('note', error.message);
      }
    });
  }

  /** Reads a graph's file and plays it. */
  async playGraph(url, fade) {
    const bytes = await fetchBytes(url);
    this.#viewer.playGraph(nameOf(url), new TextDecoder().decode(bytes), fade);
    return this.#viewer.parameters();
  }

  /** An image all around, by address; none goes back to the default sky. */
  async environment(url) {
    if (!url) return this.call('setDefaultEnvironment');
    const bytes = await fetchBytes(url);
    if (isHdr(bytes)) {
      const { width, height, rgb } = (await wholeModule()).decodeHdr(bytes);
      return this.call('setLinearEnvironment', width, height, rgb);
    }
    const { width, height, rgba } = await decode(bytes, '');
    return this.call('setEnvironment', width, height, rgba);
  }

  /** Lets seconds pass and draws. */
  async frame({ seconds, turn = 0, width, height, joints = [] }) {
    await this.#timing;
    await this.#uploaded();
    const viewer = this.#viewer;
    if (!viewer) return null;
    const events = viewer.advance(seconds);
    if (turn) viewer.turnBy(turn);
    const moved = viewer.advanceCamera(seconds);
    const pace = this.#pace;
    const { care, timed, again } = pace.next(seconds, viewer.playing || moved || turn !== 0);
    const start = performance.now();
    const bitmap = await this.#draw(width, height, care);
    if (!bitmap) return null;
    const done = () => pace.took(care, (performance.now() - start) / 1000);
    this.#timing = timed ? this.#opened.finished().then(done, () => {}) : null;
    return {
      bitmap,
      events,
      notes: this.#notes.splice(0),
      moved,
      again,
      time: viewer.time,
      duration: viewer.duration,
      playing: viewer.playing,
      camera: viewer.cameraNow(),
      hotspots: viewer.hotspotsNow(width / height),
      joints: joints.map((joint) => viewer.jointMatrix(joint)),
      morphs: viewer.morphWeights(),
    };
  }

  async #draw(width, height, care) {
    const viewer = this.#viewer;
    for (let attempt = 0; ; attempt += 1) {
      const opened = this.#opened;
      try {
        if (opened.isLost) throw new Error('the device was lost');
        opened.engine.draw(viewer, width, height, care);
        return opened.canvas.transferToImageBitmap();
      } catch (error) {
        if (error instanceof WebAssembly.RuntimeError) {
          engines.forget(opened, true);
          throw error;
        }
        if (attempt > 1) throw error;
        await this.#reopen(opened);
        if (this.#viewer !== viewer) return null;
      }
    }
  }

  /** Another device in the place of one that was lost; the model goes there. */
  async #reopen(opened) {
    if (!opened.reopened) {
      opened.reopened = (async () => {
        const canvas = new OffscreenCanvas(1, 1);
        const engine = await opened.module.Engine.open(canvas, opened.backend);
        opened.engine.free();
        Object.assign(opened, { engine, canvas, lost: false, version: (opened.version ?? 0) + 1 });
        canvas.addEventListener('webglcontextlost', () => (opened.lost = true));
        opened.reopened = null;
        this.#tell('restored', opened.backend);
      })();
    }
    await opened.reopened;
    this.#uploading = this.#upload(opened, this.#viewer);
    await this.#uploading;
  }

  /** A file of the image as it is now. */
  async image({ width, height, type, quality }) {
    await this.#uploaded();
    const bitmap = await this.#draw(width, height, BEST);
    const canvas = new OffscreenCanvas(width, height);
    canvas.getContext('bitmaprenderer').transferFromImageBitmap(bitmap);
    return canvas.convertToBlob({ type, quality });
  }

  /** A GIF of the clip that plays. */
  async gif({ width, height, fps, seconds }) {
    const module = await wholeModule();
    await this.#uploaded();
    const film = new module.GifFilm(width, height, fps);
    const viewer = this.#viewer;
    const before = viewer.time;
    const length = seconds ?? viewer.duration;
    const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
    try {
      for (let at = 0; at < Math.max(1, Math.round(length * fps)); at += 1) {
        viewer.seek(at / fps);
        const bitmap = await this.#draw(width, height, MOVING);
        context.clearRect(0, 0, width, height);
        context.drawImage(bitmap, 0, 0);
        bitmap.close();
        film.add(new Uint8Array(context.getImageData(0, 0, width, height).data.buffer));
        this.#tell('progress', (at + 1) / (length * fps));
      }
      return new Blob([film.finish()], { type: 'image/gif' });
    } finally {
      film.free();
      viewer.seek(before);
    }
  }

  /** Bytes of WebAssembly's memory: for tests. */
  memory() {
    return this.#opened?.module.memoryBytes?.() ?? 0;
  }

  /** Ends the device as if it were lost: for tests. */
  lose() {
    this.#opened?.lose();
  }

  #drop() {
    this.#viewer?.free();
    this.#viewer = null;
  }

  /** Gives all memory back. */
  close() {
    this.#loading?.abort();
    this.#drop();
  }
}
