// A server for what tools/web has built, and a Chromium without a screen that draws in software.

import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { extname, join, normalize } from 'node:path';

const require = createRequire(`${process.env.NODE_PATH}/`);
const { chromium } = require('playwright-core');

const TYPES = {
  '.html': 'text/html', '.css': 'text/css', '.js': 'text/javascript', '.wasm': 'application/wasm', '.png': 'image/png', '.json': 'application/json',
  '.toml': 'text/plain', '.glb': 'model/gltf-binary',
};
// Strict: nothing inline, nothing from elsewhere; WebAssembly, and images that the tag has made itself.
export const POLICY = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' blob: data:";
const FLAGS = [
  '--no-sandbox', '--disable-gpu-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist',
  '--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader', '--use-vulkan=swiftshader', '--enable-features=Vulkan',
  '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run',
];

/** Serves folders by the first part of an address, under a policy; `pages` are made by code. Gives the address. */
export async function serve(folders, pages, allowed = POLICY) {
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, 'http://x').pathname));
    // The guide's page has its script inside.
    const policy = path === '/guide.html' ? {} : { 'content-security-policy': allowed };
    const headers = { ...policy, 'cache-control': 'no-store' };
    if (pages[path]) return response.writeHead(200, { ...headers, 'content-type': TYPES[extname(path)] }).end(pages[path]);
    for (const [prefix, folder] of folders) {
      const file = path.startsWith(prefix) ? join(folder, path.slice(prefix.length)) : null;
      if (!file || !existsSync(file) || !statSync(file).isFile()) continue;
      const type = TYPES[extname(file)] ?? 'application/octet-stream';
      response.writeHead(200, { ...headers, 'content-type': type, 'content-length': statSync(file).size });
      return createReadStream(file).pipe(response);
    }
    response.writeHead(404).end();
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, address: `http://127.0.0.1:${server.address().port}` };
}

/** Debian's Chromium, with a software GPU. */
export function launch() {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: FLAGS });
}
