// Runs the shared corpus through the npm package as it is installed, and compares with the snapshots that the native harness
// wrote. It never writes one.
//
//   node tests/wasm-node/run.mjs [--package-in FOLDER] [--cases FOLDER]
//
// FOLDER of --package-in is one with node_modules/@lakemill/parser in it (`cargo xtask test` makes target/npm-consumer).
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

import { answers } from './answers.mjs';
import { readCases, report } from './compare.mjs';

const repository = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const { values: options } = parseArgs({
  options: {
    'package-in': { type: 'string', default: join(repository, 'target/npm-consumer') },
    cases: { type: 'string', default: join(repository, 'parity-corpus/cases') },
  },
});

const resolver = createRequire(join(resolve(options['package-in']), 'from-here.mjs'));
const load = (name) => import(pathToFileURL(resolver.resolve(name)).href);
const [light, whole] = await Promise.all(['@lakemill/parser', '@lakemill/parser/lineage'].map(load));

const cases = readCases(options.cases);
process.exitCode = report(
  options.cases,
  cases,
  cases.map(({ text, options: asked }) => answers({ whole, light }, text, asked)),
);
