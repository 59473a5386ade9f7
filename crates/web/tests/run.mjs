// Runs the tests of <sinew-viewer> in Chromium: node run.mjs short|all SINEW FOLDER
//
// Each test is a function that runs in a page of its own under a strict Content-Security-Policy; an error in the console fails it.

import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { launch, serve } from './browser.mjs';
import { makeFiles } from './made.mjs';
import { pictures } from './pictures.mjs';
import { long, short } from './tests.mjs';
import { viewerTests } from './viewer.mjs';

const [, , length = 'short', sinew, folder] = process.argv;
const only = process.env.ONLY;
const here = new URL('.', import.meta.url).pathname;
const built = join(here, '../../../target/web');
const blank = '<!doctype html><meta charset="utf-8"><title>test</title><link rel="icon" href="data:,"><script type="module" src="/sinew-viewer.js"></script><script src="/page.js"></script><body></body>';
// As model-viewer's own examples write it, with the tag's name changed.
const strangers = readFileSync(join(here, 'strangers.html'), 'utf8');
// The page of the guide, as it is.
const guide = readFileSync(join(here, '../../../docs/guide/web.md'), 'utf8').match(/```html\n([^]*?)```/)[1];
const pages = {
  '/guide.html': guide.replace('<meta', '<link rel="icon" href="data:,"><script src="/page.js"></script><meta'),
  '/test.html': blank,
  // A browser, or a policy, that allows no worker.
  '/alone.html': blank.replace('<script', '<script src="/alone.js"></script><script'),
  '/alone.js': 'delete globalThis.Worker;',
  '/strangers.html': strangers,
  '/strangers.js': readFileSync(join(here, 'strangers.js'), 'utf8'),
  '/gallery.html': readFileSync(join(here, 'gallery.html'), 'utf8'),
  '/gallery.js': readFileSync(join(here, 'gallery.js'), 'utf8'),
  '/page.js': readFileSync(join(here, 'page.js'), 'utf8'),
};

/** What a test that asks for a missing file makes Chromium write. */
const expected = /Failed to load resource|net::ERR|has been blocked by CORS policy/;

async function run(browser, address, name, { page: path = '/test.html', errors = false, body, args = {} }) {
  const page = await browser.newPage({ viewport: { width: 900, height: 700 } });
  const complaints = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  const start = Date.now();
  try {
    await page.goto(address + path);
    if (!path.startsWith('/viewer')) await page.waitForFunction(() => customElements.get('sinew-viewer'));
    const result = await page.evaluate(body, { address, ...args });
    await page.screenshot({ path: join(folder, `${name.replace(/\W+/g, '-')}.png`) });
    const left = complaints.filter((text) => !(errors && expected.test(text)));
    if (left.length) throw new Error(`in the console: ${left.join(' | ')}`);
    console.log(`ok    ${name} (${((Date.now() - start) / 1000).toFixed(1)} s)${result ? `: ${result}` : ''}`);
    return true;
  } catch (error) {
    await page.screenshot({ path: join(folder, `${name.replace(/\W+/g, '-')}.png`) }).catch(() => {});
    console.log(`FAIL  ${name}: ${error.message.split('\n').slice(0, 3).join(' ')}${complaints.length ? ` [console: ${complaints.join(' | ')}]` : ''}`);
    return false;
  } finally {
    await page.close();
  }
}

mkdirSync(join(folder, 'files'), { recursive: true });
makeFiles(join(folder, 'files'));
// Real models, where they are at hand.
const corpus = join(here, '../../../../shared/corpus/files');
const { server, address } = await serve([['/files/', join(folder, 'files')], ['/corpus/', corpus], ['/', built]], pages);
// Another origin, which allows nobody.
const other = await serve([['/files/', join(folder, 'files')]], {});
const browser = await launch();
let failed = 0;
const tests = { ...short, ...(length === 'all' ? long : {}) };
// Whether it draws at all, on both back ends.
const first = length === 'first';
for (const [name, test] of Object.entries(tests)) {
  if (only && !only.split(",").some((part) => name.includes(part))) continue;
  if (first && !name.endsWith('draws a model')) continue;
  if (!(await run(browser, address, name, { ...test, args: { other: other.address, ...test.args } }))) failed += 1;
}
if (length === 'all') failed += await viewerTests({ browser, address, built, folder, pages, only });
if (!first && (!only || 'pictures'.includes(only))) failed += await pictures(browser, address, sinew, folder, corpus);
await browser.close();
server.close();
other.server.close();
if (failed) {
  console.log(`${failed} failed`);
  process.exit(1);
}
