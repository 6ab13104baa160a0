// Runs the shared corpus through the npm package in Chromium, and compares as the Node runner does.
//
//   node tests/browser/corpus.mjs [--package-in FOLDER] [--cases FOLDER]
//
// FOLDER of --package-in is one with node_modules/@lakemill/parser in it.
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { readCases, report } from '../wasm-node/compare.mjs';
import { launch, serve } from './browser.mjs';

const repository = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const { values: options } = parseArgs({
  options: {
    'package-in': { type: 'string', default: join(repository, 'web-demo') },
    cases: { type: 'string', default: join(repository, 'parity-corpus/cases') },
  },
});

/** Cases that go to the page at once. */
const BATCH = 50;

const packageFolder = resolve(options['package-in'], 'node_modules/@lakemill/parser');
const { exports } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'));
const addresses = ['.', './lineage'].map((entry) => `/parser/${exports[entry].default}`);

const server = await serve(
  { '/parser/': packageFolder, '/tests/': join(repository, 'tests/wasm-node') },
  { '/': '<!doctype html><meta charset="utf-8"><title>corpus</title><link rel="icon" href="data:,">' },
);
const browser = await launch();
try {
  const page = await browser.newPage();
  await page.goto(`${server.origin}/`);
  const cases = readCases(options.cases);
  const said = [];
  for (let start = 0; start < cases.length; start += BATCH) {
    const batch = cases.slice(start, start + BATCH).map(({ text, options: asked }) => ({ text, asked: JSON.stringify(asked) }));
    said.push(
      ...(await page.evaluate(
        async ({ addresses, batch }) => {
          const [{ answers }, light, whole] = await Promise.all(['/tests/answers.mjs', ...addresses].map((address) => import(address)));
          await Promise.all([light.default(), whole.default()]);
          return batch.map(({ text, asked }) => answers({ whole, light }, text, JSON.parse(asked)));
        },
        { addresses, batch },
      )),
    );
  }
  process.exitCode = report(options.cases, cases, said);
} finally {
  await browser.close();
  await server.close();
}
