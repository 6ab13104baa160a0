// How long the package takes in Node: its start-up in fresh processes, and a 75 KB script of 1,000 select lines and 8 annotations,
// result object included. It prints figures and judges nothing: a loaded machine, or a neighbour on the same core, doubles them.
// So each window says how fast the machine was meanwhile, by a loop of plain arithmetic.
//
//   node tests/wasm-node/speed.mjs [--package-in FOLDER]
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const STARTS = 15;
const WINDOWS = 20;
const CALLS = 300;

const here = fileURLToPath(import.meta.url);
const { values: options } = parseArgs({
  options: {
    'package-in': { type: 'string', default: join(resolve(dirname(here), '../..'), 'target/npm-consumer') },
    'start-only': { type: 'boolean', default: false },
  },
});
const folder = join(resolve(options['package-in']), 'node_modules/@lakemill/parser');

if (options['start-only']) {
  const bytes = readFileSync(join(folder, 'dist/lakemill_parser_bg.wasm'));
  const { initSync } = await import(pathToFileURL(join(folder, 'dist/lakemill_parser.js')).href);
  const start = performance.now();
  initSync({ module: bytes });
  console.log(performance.now() - start);
} else {
  report('start-up, compiling included', measured(STARTS, () => Number(spawnSync(process.execPath, [here, '--start-only', '--package-in', options['package-in']], { encoding: 'utf8' }).stdout)));
  const resolver = createRequire(join(resolve(options['package-in']), 'from-here.mjs'));
  const { parse } = await import(pathToFileURL(resolver.resolve('@lakemill/parser')).href);
  const text = script();
  console.log(`parse of ${text.length} characters, ${WINDOWS} windows of ${CALLS} calls:`);
  const windows = measured(WINDOWS, () => {
    const parsing = [];
    const counting = [];
    for (let call = 0; call < CALLS; call += 1) {
      parsing.push(timed(() => parse(text)));
      counting.push(timed(arithmetic));
    }
    return { parsing: parsing.sort(ascending), counting: counting.sort(ascending) };
  }, () => 0);
  const full = Math.min(...windows.map(({ counting }) => counting[0]));
  for (const { parsing, counting } of windows) report(`  machine at ${Math.round((100 * full) / middle(counting))} %`, parsing);
}

/** Four chains that a processor works on at once, as it does on a parser's code. */
function arithmetic() {
  let [a, b, c, d] = [1, 2, 3, 4];
  for (let at = 0; at < 300_000; at += 1) {
    a = (a + at) | 0;
    b = (b ^ at) | 0;
    c = (c + 3) | 0;
    d = (d ^ c) | 0;
  }
  return a ^ b ^ c ^ d;
}

function ascending(a, b) {
  return a - b;
}

function middle(sorted) {
  return sorted[Math.floor((sorted.length - 1) / 2)];
}

function timed(call) {
  const start = performance.now();
  call();
  return performance.now() - start;
}

function measured(count, measure, order = ascending) {
  return Array.from({ length: count }, measure).sort(order);
}

function report(what, sorted) {
  const at = (part) => sorted[Math.floor((sorted.length - 1) * part)].toFixed(2);
  console.log(`${what}: best ${at(0)} ms, median ${at(0.5)} ms, nine of ten below ${at(0.9)} ms`);
}

function script() {
  const header = [
    '-- pipeline',
    '-- materialize ducklake://analytics/orders key=id',
    '-- partitioned daily tz=Europe/Paris start=2024-01-01',
    '-- data_test unique id',
    '-- data_test not_null id',
    '-- data_test accepted_values status = open,paid,"sent back"',
    '-- column total <- ducklake://warehouse/lines.amount',
    '-- freshness 1h',
  ];
  const columns = Array.from({ length: 1000 }, (_, at) => `  coalesce(l.amount_${at}, 0) * 1.2e0 AS total_${at}, -- the net amount, ${at}`);
  return [
    ...header,
    "ATTACH 'ducklake://warehouse' AS wh;",
    "WITH lines AS (SELECT * FROM wh.order_lines WHERE ordered >= '{partition_start}')",
    'SELECT',
    ...columns,
    "  l.id\nFROM lines l\nJOIN wh.customers c ON c.id = l.customer_id\nWHERE c.country IN ('FR', 'DE')",
    '',
  ].join('\n');
}
