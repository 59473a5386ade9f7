// Keeps the page's own files, so that it works without a network after the first visit. Newer files are taken when there is one.

const NAME = 'sinew-viewer-page';
const FILES = ['./', 'index.html', 'page.css', 'page.js', 'program.js', 'program_bg.wasm'];

addEventListener('install', (event) => {
  event.waitUntil(caches.open(NAME).then((cache) => cache.addAll(FILES)).then(() => skipWaiting()));
});
addEventListener('activate', (event) => event.waitUntil(clients.claim()));
addEventListener('fetch', (event) => {
  const { request } = event;
  const own = request.method === 'GET' && request.url.startsWith(registration.scope);
  if (own) event.respondWith(fresh(request));
});

async function fresh(request) {
  const cache = await caches.open(NAME);
  try {
    const answer = await fetch(request);
    if (answer.ok) await cache.put(request, answer.clone());
    return answer;
  } catch (error) {
    const kept = await cache.match(request, { ignoreSearch: true });
    if (kept) return kept;
    throw error;
  }
}
