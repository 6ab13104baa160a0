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
const entry = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')).exports['.'].default;

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
        async ({ address, batch }) => {
          const [parser, { answers }] = await Promise.all([import(address), import('/tests/answers.mjs')]);
          await parser.default();
          return batch.map(({ text, asked }) => answers(parser, text, JSON.parse(asked)));
        },
        { address: `/parser/${entry}`, batch },
      )),
    );
  }
  process.exitCode = report(options.cases, cases, said);
} finally {
  await browser.close();
  await server.close();
}
