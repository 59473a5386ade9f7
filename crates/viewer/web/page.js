// The viewer's page: starts the program on the canvas, hands it what a person drops, chooses or links to, and saves what it makes.

import init, { followLink, openFiles, putFile, start } from './program.js';

const words = document.querySelector('#words');
const spoken = document.querySelector('#spoken');
const canvas = document.querySelector('#canvas');
const chooser = document.querySelector('#files');
const MODELS = /\.(glb|gltf|vrm|fbx|dae|zae|obj|md5mesh|md5anim|skeleton_anim|bvh|zip|gz|sinewclip|toml|json|ron|hdr|exr)$/i;

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
async function take(files, { chosen = false } = {}) {
  const paths = [];
  for (const [path, file] of files) {
    putFile(path, new Uint8Array(await file.arrayBuffer()));
    if (MODELS.test(path)) paths.push(path);
  }
  // A glTF's buffers and a folder's images come along; with several models the first is opened.
  const found = paths.length ? paths.sort((a, b) => a.split('/').length - b.split('/').length) : files.map(([path]) => path);
  openFiles(found, chosen);
}

/** The same with files of this machine. */
function takeOwn(files, options) {
  opened = null;
  link('[]');
  return take(files, options);
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
    await takeOwn(files);
  });
  document.querySelector('#open').addEventListener('click', () => chooser.click());
  chooser.addEventListener('change', () => {
    const files = [...chooser.files].map((file) => [file.webkitRelativePath || file.name, file]);
    // The same file may be chosen again.
    chooser.value = '';
    takeOwn(files, { chosen: true });
  });
  // The program saves a GIF with it; the browser would look for text.
  addEventListener('keydown', (event) => (event.ctrlKey || event.metaKey) && event.key === 'g' && event.preventDefault());
}

/** Names that the page itself answers: which files are open. */
const FILES = ['src', 'animations', 'graph', 'environment-image'];
/** The addresses of what is open; `null` where a person has opened files of their own, which no address leads to. */
let opened = {};
/** The address is being followed, and stays as it is. */
let following = false;

/** `#src=hero.glb&animations=walk.bvh&time=0.5`: what the address asks for, from this server or one that allows it. */
async function openAddress() {
  const wanted = new URLSearchParams(location.hash.slice(1));
  const asked = Object.fromEntries(FILES.filter((name) => wanted.get(name)).map((name) => [name, wanted.get(name)]));
  if (JSON.stringify(asked) !== JSON.stringify(opened ?? {})) {
    opened = asked;
    following = true;
    await openAll(Object.values(asked).flatMap((names) => names.split(/\s+/)).filter(Boolean));
    following = false;
  }
  const view = [...wanted].filter(([name]) => !FILES.includes(name));
  if (view.length) followLink(JSON.stringify(view));
}

async function openAll(names) {
  const files = [];
  for (const name of names) {
    const answer = await fetch(new URL(name, location.href)).catch(() => null);
    if (answer?.ok) files.push([name.split('/').pop(), await answer.blob()]);
    else words.textContent = `${name} cannot be fetched.`;
  }
  if (files.length) await take(files);
}

/** The address of the page leads to what is seen, unless that is in files of this machine. */
function link(text) {
  if (following) return;
  const view = opened ? new URLSearchParams([...Object.entries(opened), ...JSON.parse(text)]).toString() : '';
  history.replaceState(null, '', view ? `#${view}` : location.pathname + location.search);
}

/** A file of the program, as a download. */
function save(name, bytes) {
  const link = document.createElement('a');
  link.download = name;
  link.href = URL.createObjectURL(new Blob([bytes]));
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

/** Says why this browser cannot, before anything is tried on the page's own canvas; nothing when it can. */
async function missing() {
  if (typeof WebAssembly !== 'object') return 'this browser does not run WebAssembly';
  if (await navigator.gpu?.requestAdapter().catch(() => null)) return null;
  if (document.createElement('canvas').getContext('webgl2')) return null;
  return 'this browser offers neither WebGPU nor WebGL2. A newer browser, or one with graphics acceleration switched on, can show it';
}

async function begin() {
  const why = await missing();
  if (why) throw new Error(why);
  await init();
  await start(canvas, save, (text) => (spoken.textContent = text), () => chooser.click(), link);
  words.textContent = '';
  listen();
  await openAddress();
  addEventListener('hashchange', openAddress);
}

begin().catch((error) => {
  document.body.classList.add('failed');
  words.textContent = `The viewer cannot run here: ${error.message ?? error}.`;
});
// Where the browser keeps nothing, the page works with a network only.
if ('serviceWorker' in navigator) navigator.serviceWorker.register('offline.js').catch(() => {});
