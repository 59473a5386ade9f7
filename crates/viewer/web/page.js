// The viewer's page: starts the program on the canvas, and hands it what a person drops, chooses or links to.

import init, { openFiles, putFile, start } from './program.js';

const words = document.querySelector('#words');
const canvas = document.querySelector('#canvas');
const chooser = document.querySelector('#files');
const MODELS = /\.(glb|gltf|fbx|dae|zae|obj|md5mesh|md5anim|skeleton_anim|bvh|zip|sinewclip|toml|json|ron)$/i;

/** All files below an entry that was dropped, with their paths. */
async function below(entry, path = '') {
  if (entry.isFile) {
    const file = await new Promise((resolve, reject) => entry.file(resolve, reject));
    return [[path + file.name, file]];
  }
  const reader = entry.createReader();
  const found = [];
  for (;;) {
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (!some.length) return found;
    for (const child of some) found.push(...(await below(child, `${path}${entry.name}/`)));
  }
}

/** Hands files over, and opens those that are models, clips, scenes or graphs. */
async function take(files) {
  const paths = [];
  for (const [path, file] of files) {
    putFile(path, new Uint8Array(await file.arrayBuffer()));
    if (MODELS.test(path)) paths.push(path);
  }
  // A glTF's buffers and a folder's images come along; with several models the first is opened.
  openFiles(paths.length ? paths.sort((a, b) => a.split('/').length - b.split('/').length) : files.map(([path]) => path));
}

function listen() {
  addEventListener('dragover', (event) => {
    event.preventDefault();
    document.body.classList.add('dragging');
  });
  addEventListener('dragleave', (event) => event.relatedTarget === null && document.body.classList.remove('dragging'));
  addEventListener('drop', async (event) => {
    event.preventDefault();
    document.body.classList.remove('dragging');
    const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
    const files = entries.length
      ? (await Promise.all(entries.map((entry) => below(entry)))).flat()
      : [...event.dataTransfer.files].map((file) => [file.name, file]);
    await take(files);
  });
  document.querySelector('#open').addEventListener('click', () => chooser.click());
  chooser.addEventListener('change', () => take([...chooser.files].map((file) => [file.webkitRelativePath || file.name, file])));
}

/** `#src=hero.glb&animations=walk.bvh`: what the address asks for, from this server or one that allows it. */
async function openAddress() {
  const wanted = new URLSearchParams(location.hash.slice(1));
  const names = [wanted.get('src'), ...(wanted.get('animations') ?? '').split(/\s+/)].filter(Boolean);
  const files = [];
  for (const name of names) {
    const answer = await fetch(new URL(name, location.href)).catch(() => null);
    if (answer?.ok) files.push([name.split('/').pop(), await answer.blob()]);
    else words.textContent = `${name} cannot be fetched.`;
  }
  if (files.length) await take(files);
}

async function begin() {
  if (typeof WebAssembly !== 'object') throw new Error('This browser runs no WebAssembly.');
  await init();
  await start(canvas);
  words.textContent = '';
  listen();
  await openAddress();
  addEventListener('hashchange', openAddress);
}

begin().catch((error) => {
  console.warn(error);
  words.textContent = `The viewer cannot run in this browser: it needs WebGPU or WebGL2. (${error.message ?? error})`;
});
if ('serviceWorker' in navigator) navigator.serviceWorker.register('offline.js').catch(() => {});
