// Runs a wasm32-wasip1 program under node, for cargo: CARGO_TARGET_WASM32_WASIP1_RUNNER="node --no-warnings tools/wasi_runner.mjs".
// The program sees the directory that it was started in, and the environment; its exit code is ours.
import { readFile } from 'node:fs/promises';
import { setFlagsFromString } from 'node:v8';
import { WASI } from 'node:wasi';

// Otherwise node may crash once the program's memory has grown (nodejs/node#46777).
setFlagsFromString('--no-turbo-fast-api-calls');

const [program, ...rest] = process.argv.slice(2);
const here = process.cwd();
const wasi = new WASI({
  version: 'preview1',
  args: [program, ...rest],
  env: process.env,
  preopens: { '.': here, [here]: here },
});
const module = await WebAssembly.compile(await readFile(program));
const instance = await WebAssembly.instantiate(module, wasi.getImportObject());
process.exitCode = wasi.start(instance);
