// Keeps the page's own files, so that it works without a network after the first visit.
//
// The build puts a hash of all files in the place of VERSION: what is kept is always one whole version, and any change
// makes this file another one, which the browser fetches, and which takes the place of the old one.

const PREFIX = 'sinew-viewer-page ';
const NAME = `${PREFIX}VERSION`;
const FILES = ['index.html', 'page.css', 'page.js', 'program.js', 'program_bg.wasm'];
const kept = FILES.map((name) => new URL(name, registration.scope).href);

addEventListener('install', (event) => {
  const requests = kept.map((url) => new Request(url, { cache: 'reload' }));
  event.waitUntil(caches.open(NAME).then((cache) => cache.addAll(requests)).then(() => skipWaiting()));
});

addEventListener('activate', (event) => {
  event.waitUntil(removeOthers().then(() => clients.claim()));
});

async function removeOthers() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(PREFIX) && name !== NAME).map((name) => caches.delete(name)));
}

addEventListener('fetch', (event) => {
  const { request } = event;
  const address = request.url.replace(/[?#].*$/, '');
  const url = address === registration.scope ? kept[0] : address;
  if (request.method === 'GET' && kept.includes(url)) event.respondWith(answer(url, request));
});

async function answer(url, request) {
  const cache = await caches.open(NAME);
  return (await cache.match(url)) ?? fetch(request);
}
