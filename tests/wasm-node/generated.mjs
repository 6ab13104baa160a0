// Runs generated texts through the npm package as it is installed, and compares with what the native core says of the same
// texts. The texts come from the native side, which generates them from a seed.
//
//   node tests/wasm-node/generated.mjs --native PROGRAM [--package-in FOLDER]
//
// PROGRAM is the built `generated` of parity-corpus; FOLDER is one with node_modules/@lakemill/parser in it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

import { excerpts } from './compare.mjs';
import { wrongRange } from './ranges.mjs';

/** Differences that are printed: one cause shows in many texts. */
const SHOWN = 10;

const repository = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const { values: options } = parseArgs({
  options: {
    native: { type: 'string' },
    'package-in': { type: 'string', default: join(repository, 'target/npm-consumer') },
  },
});

const resolver = createRequire(join(resolve(options['package-in']), 'from-here.mjs'));
const load = (name) => import(pathToFileURL(resolver.resolve(name)).href);
const [light, parser] = await Promise.all(['@lakemill/parser', '@lakemill/parser/lineage'].map(load));

const native = spawn(resolve(options.native), { stdio: ['ignore', 'pipe', 'inherit'] });
const ended = once(native, 'exit');
const lines = createInterface({ input: native.stdout, crlfDelay: Infinity })[Symbol.asyncIterator]();
const next = async () => (await lines.next()).value;

const { seed, count } = JSON.parse(await next());
let failed = 0;
for (let number = 0; number < count; number += 1) {
  const [text, parsed, editor] = [JSON.parse(await next()), await next(), await next()];
  const problems = differences(text, parsed, editor);
  if (problems.length === 0) continue;
  failed += 1;
  if (failed > SHOWN) continue;
  console.log(`FAILED text ${number}: ${JSON.stringify(text)}`);
  for (const problem of problems) console.log(`  ${problem}`);
}
const [status] = await ended;
console.log(`seed ${seed}, ${count} generated texts`);
console.log(`${count - failed} passed, ${failed} failed`);
process.exitCode = status === 0 && failed === 0 && count > 0 ? 0 : 1;

function differences(text, parsed, editor) {
  try {
    const own = parser.validate(text, { lineage: true });
    const asked = editedAt(text, JSON.parse(editor));
    const problems = [...difference('validate', parsed, JSON.stringify(own)), ...difference('editor', editor, JSON.stringify(asked))];
    if (JSON.stringify(light.validate(text)) !== JSON.stringify(parser.validate(text))) problems.push('the module without lineage says something else');
    const range = wrongRange(text, [own, asked]);
    return range === undefined ? problems : [...problems, range];
  } catch (error) {
    return [`threw ${error?.stack ?? error}`];
  }
}

/** What the package tells an editor where the native side asked; null where it did not. */
function editedAt(text, asked) {
  if (asked === null) return null;
  const { offset } = asked;
  return {
    offset,
    offers: parser.complete(text, offset, {}),
    hover: parser.hover(text, offset) ?? null,
    tokens: [...parser.semanticTokens(text)],
  };
}

function difference(what, native, wasm) {
  if (native === wasm) return [];
  const [left, right] = excerpts(native ?? '(nothing)', wasm);
  return [`${what} differs`, `  native: ${left}`, `  wasm:   ${right}`];
}
