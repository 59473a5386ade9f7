// The viewer page as a person uses it: keys, downloads, no network, a newer version, browsers that cannot.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const require = createRequire(`${process.env.NODE_PATH}/`);
const { PNG } = require('pngjs');

const noWebGpu = () => Object.defineProperty(Navigator.prototype, 'gpu', { get: () => undefined });
const noWebGl = () => {
  const original = HTMLCanvasElement.prototype.getContext;
  HTMLCanvasElement.prototype.getContext = function (kind, ...more) {
    return kind.startsWith('webgl') ? null : original.call(this, kind, ...more);
  };
};

async function open(page, address) {
  await page.goto(`${address}/viewer/index.html`);
  await page.waitForFunction(() => document.querySelector('#words').textContent === '', null, { timeout: 120000 });
  await page.waitForFunction(() => document.title.includes('–'));
  // Keys go to the program.
  await page.locator('#canvas').click({ position: { x: 450, y: 300 } });
}

/** Drops a file of the test's folder on the page. */
async function drop(page, name) {
  await page.evaluate(async (file) => {
    const data = new DataTransfer();
    data.items.add(new File([await (await fetch(`/files/${file}`)).arrayBuffer()], file));
    dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
  }, name);
  await page.waitForFunction((file) => document.title.startsWith(file), name);
}

async function download(page, keys) {
  const coming = page.waitForEvent('download', { timeout: 90000 });
  for (const key of keys) {
    await page.keyboard.press(key);
    await page.waitForTimeout(300);
  }
  const file = await coming;
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
}

/** How many colours an image has, at most a hundred. */
function colors({ data }) {
  const found = new Set();
  for (let at = 0; at < data.length && found.size < 100; at += 4) found.add(data.readUInt32LE(at));
  return found.size;
}

const tests = {
  'the viewer saves an image as a download': async ({ page, address }) => {
    await open(page, address);
    const { name, bytes } = await download(page, ['Control+s']);
    const image = PNG.sync.read(bytes);
    if (!name.endsWith('.png') || image.width < 100 || colors(image) < 100) throw new Error(`${name}: ${image.width} × ${image.height}, ${colors(image)} colours`);
    await page.waitForFunction((saved) => document.querySelector('#spoken').textContent.includes(`saved ${saved}`), name);
    return `${name}, ${image.width} × ${image.height}`;
  },

  'the viewer saves a GIF as a download': async ({ page, address }) => {
    await open(page, address);
    // Half a second: a software GPU is slow.
    await drop(page, 'markers.glb');
    const { name, bytes } = await download(page, ['Control+g', 'Enter']);
    const frames = bytes.toString('latin1').split('\x21\xf9\x04').length - 1;
    if (!name.endsWith('.gif') || bytes.subarray(0, 6).toString() !== 'GIF89a' || frames < 10) throw new Error(`${name}: ${frames} frames`);
    return `${name}, ${frames} frames`;
  },

  'the viewer lists what is wrong with a model': async ({ page, address }) => {
    await open(page, address);
    await page.keyboard.press('c');
    await page.waitForFunction(() => /finding|Nothing was found/.test(document.querySelector('#spoken').textContent));
    return (await page.textContent('#spoken')).split('\n')[0];
  },

  'the viewer lets a person choose files': async ({ page, address, folder }) => {
    await open(page, address);
    const chooser = page.waitForEvent('filechooser');
    await page.keyboard.press('Control+o');
    await (await chooser).setFiles(join(folder, 'files', 'walk.bvh'));
    await page.waitForFunction(() => document.querySelector('#spoken').textContent !== '' || document.title.includes('walk'));
    return page.title();
  },

  'the viewer draws on WebGL2 where there is no WebGPU': async ({ page, address }) => {
    await page.addInitScript(noWebGpu);
    await open(page, address);
    await page.waitForTimeout(500);
    const image = PNG.sync.read(await page.screenshot());
    if (colors(image) < 100) throw new Error(`${colors(image)} colours`);
    const { name, bytes } = await download(page, ['Control+s']);
    if (colors(PNG.sync.read(bytes)) < 100) throw new Error(`${name} is empty`);
  },

  'the address of the viewer leads to the same view': async ({ page, address }) => {
    await page.goto(`${address}/viewer/index.html#src=../files/ossi.glb&animation=run&time=0.25&paused=&camera-orbit=90deg+80deg+5m&show=bones`);
    await page.waitForFunction(() => document.title.startsWith('ossi.glb'));
    const values = () => page.evaluate(() => Object.fromEntries(new URLSearchParams(location.hash.slice(1))));
    // The program writes what it shows into the address, in words of its own.
    await page.waitForFunction(() => location.hash.includes('field-of-view'));
    const first = await values();
    for (const [name, value] of Object.entries({ src: '../files/ossi.glb', animation: 'run', time: '0.25', paused: '', 'camera-orbit': '90deg 80deg 5m', show: 'bones' })) {
      if (first[name] !== value) throw new Error(`${name} is ${first[name]}`);
    }
    const picture = () => page.locator('#canvas').screenshot();
    await page.waitForTimeout(1000);
    const before = await picture();
    await page.reload();
    await page.waitForFunction(() => document.title.startsWith('ossi.glb') && location.hash.includes('field-of-view'));
    await page.waitForTimeout(1000);
    if (JSON.stringify(await values()) !== JSON.stringify(first)) throw new Error(`another view: ${JSON.stringify(await values())}`);
    const [a, b] = [before, await picture()].map((bytes) => PNG.sync.read(bytes).data);
    let other = 0;
    for (let at = 0; at < a.length; at += 4) other += Math.abs(a[at] - b[at]) > 8;
    if (other > a.length / 4 / 100) throw new Error(`${other} pixels differ`);
    // What a person drops has no address.
    await drop(page, 'markers.glb');
    await page.waitForFunction(() => location.hash === '');
  },

  'a browser without WebGPU and WebGL2 is told so in a plain sentence': async ({ page, address }) => {
    await page.addInitScript(noWebGpu);
    await page.addInitScript(noWebGl);
    await page.goto(`${address}/viewer/index.html`);
    await page.waitForFunction(() => document.querySelector('#words').textContent.includes('neither WebGPU nor WebGL2'));
    return page.textContent('#words');
  },

  'the viewer works without a network after the first visit': async ({ page, address }) => {
    await open(page, address);
    await page.waitForFunction(() => navigator.serviceWorker.controller);
    await page.context().setOffline(true);
    if (await page.evaluate(() => fetch('/files/ossi.glb').then(() => true, () => false))) throw new Error('there is a network');
    await page.reload();
    await open(page, address);
    await page.waitForTimeout(500);
    if (colors(PNG.sync.read(await page.screenshot())) < 100) throw new Error('nothing is drawn');
  },

  'a newer version takes the place of what the browser has kept': async ({ page, address, built, pages }) => {
    const script = '/viewer/offline.js';
    const kept = () => page.evaluate(async () => (await caches.keys()).join());
    await open(page, address);
    await page.waitForFunction(() => navigator.serviceWorker.controller);
    const before = await kept();
    if (!/^sinew-viewer-page [0-9a-f]{16}$/.test(before)) throw new Error(before);
    try {
      pages[script] = readFileSync(join(built, script), 'utf8').replace(before.slice(-16), 'newer');
      await page.evaluate(async () => (await navigator.serviceWorker.getRegistration()).update());
      await page.waitForFunction(async () => (await caches.keys()).join() === 'sinew-viewer-page newer', null, { timeout: 60000 });
    } finally {
      delete pages[script];
    }
  },
};

/** Runs them, each in a browser profile of its own; gives how many fail. */
export async function viewerTests({ browser, address, built, folder, pages, only }) {
  let failed = 0;
  for (const [name, test] of Object.entries(tests)) {
    if (only && !only.split(',').some((part) => name.includes(part))) continue;
    const context = await browser.newContext({ viewport: { width: 1100, height: 750 }, acceptDownloads: true });
    const page = await context.newPage();
    page.setDefaultTimeout(60000);
    const complaints = [];
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(String(error)));
    const start = Date.now();
    let said;
    try {
      const result = await test({ page, address, built, folder, pages });
      const left = complaints.filter((text) => !/net::ERR/.test(text));
      if (left.length) throw new Error(`in the console: ${left.join(' | ')}`);
      said = `ok    ${name} (${((Date.now() - start) / 1000).toFixed(1)} s)${result ? `: ${result}` : ''}`;
    } catch (error) {
      failed += 1;
      said = `FAIL  ${name}: ${error.message.split('\n').slice(0, 3).join(' ')}${complaints.length ? ` [console: ${complaints.join(' | ')}]` : ''}`;
    }
    await page.screenshot({ path: join(folder, `${name.replace(/\W+/g, '-')}.png`) }).catch(() => {});
    await context.close();
    console.log(said);
  }
  return failed;
}
