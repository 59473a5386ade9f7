// Runs the glTF validator on files and prints what it finds, grouped: called by validate_gltf.
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const [validatorPath, ...rest] = process.argv.slice(2);
const strict = rest.includes('--strict');
const files = rest.filter((word) => word !== '--strict');
if (files.length === 0) {
  console.error('usage: tools/validate_gltf [--strict] FILE...');
  process.exit(2);
}
const validator = createRequire(import.meta.url)(validatorPath);
const severities = ['error', 'warning'];

let bad = 0;
const total = { files: files.length, errors: 0, warnings: 0 };
for (const file of files) {
  const beside = (uri) => new Uint8Array(readFileSync(join(dirname(file), decodeURIComponent(uri))));
  let issues;
  try {
    const options = { uri: file, maxIssues: 0, externalResourceFunction: async (uri) => beside(uri) };
    ({ issues } = await validator.validateBytes(new Uint8Array(readFileSync(file)), options));
  } catch (error) {
    console.log(`${file}: ${error}`);
    total.errors += 1;
    bad += 1;
    continue;
  }
  total.errors += issues.numErrors;
  total.warnings += issues.numWarnings;
  bad += issues.numErrors > 0 || (strict && issues.numWarnings > 0) ? 1 : 0;
  const groups = new Map();
  for (const { code, severity, message, pointer } of issues.messages.filter(({ severity }) => severity < 2)) {
    const group = groups.get(code) ?? { severity, message, pointer, count: 0 };
    group.count += 1;
    groups.set(code, group);
  }
  for (const [code, { severity, message, pointer, count }] of groups) {
    console.log(`${file}: ${severities[severity]} ${code}, ${count} times, first at ${pointer}: ${message}`);
  }
}
console.log(`${total.files} files: ${total.errors} errors, ${total.warnings} warnings`);
process.exit(bad > 0 ? 1 : 0);
