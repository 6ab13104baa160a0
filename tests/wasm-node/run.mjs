// Runs the shared corpus through the npm package as it is installed, and compares with the snapshots that the native harness
// wrote. It never writes one.
//
//   node tests/wasm-node/run.mjs [--package-in FOLDER] [--cases FOLDER]
//
// FOLDER of --package-in is one with node_modules/@lakemill/parser in it (`cargo xtask test` makes target/npm-consumer).
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const repository = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const { values: options } = parseArgs({
  options: {
    'package-in': { type: 'string', default: join(repository, 'target/npm-consumer') },
    cases: { type: 'string', default: join(repository, 'parity-corpus/cases') },
  },
});

const resolver = createRequire(join(resolve(options['package-in']), 'from-here.mjs'));
const parser = await import(pathToFileURL(resolver.resolve('@lakemill/parser')).href);

const files = readdirSync(options.cases, { recursive: true })
  .filter((name) => name.endsWith('.sql'))
  .map((name) => join(options.cases, name))
  .sort();

let passed = 0;
const failures = [];
for (const file of files) {
  const problems = check(file);
  if (problems.length === 0) passed += 1;
  else failures.push({ file, problems });
}

for (const { file, problems } of failures) {
  console.log(`FAILED ${relative(options.cases, file)}`);
  for (const problem of problems) console.log(`  ${problem}`);
}
console.log(`${files.length} cases`);
console.log(`${passed} passed, ${failures.length} failed`);
if (failures.length > 0 || files.length === 0) process.exitCode = 1;

/** What is wrong with one case: an empty list when the module agrees with every snapshot. */
function check(file) {
  const stem = file.slice(0, -'.sql'.length);
  const text = readFileSync(file, 'utf8');
  const problems = [];
  try {
    compare(problems, `${stem}.parse.snap`, json(parser.validate(text)));

    const plan = planOptions(`${stem}.options.json`);
    if (plan !== undefined) {
      compare(problems, `${stem}.plan.snap`, json(parser.plan(text, plan)));
      compare(problems, `${stem}.sql.snap`, parser.planSql(text, plan));
    } else {
      for (const kind of ['plan', 'sql']) {
        if (existsSync(`${stem}.${kind}.snap`)) problems.push(`a .${kind}.snap, but no plan in .options.json`);
      }
    }
  } catch (error) {
    problems.push(`threw ${error?.stack ?? error}`);
  }
  return problems;
}

function planOptions(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).plan ?? undefined : undefined;
}

function json(value) {
  return JSON.stringify(value, null, 2);
}

function compare(problems, path, actual) {
  const kind = path.split('.').at(-2);
  if (!existsSync(path)) {
    problems.push(`no .${kind}.snap: run the native harness with INSTA_UPDATE=always, and review what it writes`);
    return;
  }
  const expectedLines = withoutFrontMatter(readFileSync(path, 'utf8')).split('\n');
  const actualLines = actual.trimEnd().split('\n');
  const length = Math.max(expectedLines.length, actualLines.length);
  for (let index = 0; index < length; index += 1) {
    if (expectedLines[index] === actualLines[index]) continue;
    const [native, wasm] = excerpts(expectedLines[index] ?? '(ends here)', actualLines[index] ?? '(ends here)');
    problems.push(`.${kind}.snap differs at line ${index + 1} of its content`, `  native: ${native}`, `  wasm:   ${wasm}`);
    return;
  }
}

/** Both lines from a little before the place where they part: a line of SQL can be pages long. */
function excerpts(left, right) {
  let place = 0;
  while (place < left.length && left[place] === right[place]) place += 1;
  const start = Math.max(0, place - 40);
  return [left, right].map((line) => (start > 0 ? '…' : '') + line.slice(start, start + 160) + (line.length > start + 160 ? '…' : ''));
}

/** An insta snapshot's content: what follows the second `---` line, without the newlines that insta puts at the end. */
function withoutFrontMatter(snapshot) {
  const match = /^---\n[\s\S]*?\n---\n/.exec(snapshot);
  return (match === null ? snapshot : snapshot.slice(match[0].length)).trimEnd();
}
