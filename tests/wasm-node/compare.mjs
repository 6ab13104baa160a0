// The shared corpus, and what differs from the snapshots that the native harness wrote. Nothing here writes one.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';

/** Snapshots that are compared here, and those that only native code can make. */
const COMPARED = ['parse', 'plan', 'sql', 'graph', 'editor'];
const NATIVE = ['diag', 'rows'];

import { wrongRange } from './ranges.mjs';

/** Every case of a folder, in order of path: its text, and what its `.options.json` says. */
export function readCases(folder) {
  return readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith('.sql'))
    .map((name) => join(folder, name))
    .sort()
    .map((file) => {
      const stem = file.slice(0, -'.sql'.length);
      return { file, stem, text: readFileSync(file, 'utf8'), options: optionsOf(`${stem}.options.json`) };
    });
}

/** Prints which cases differ, and how many; returns the exit status. `said` holds what `answers` gave, case by case. */
export function report(folder, cases, said) {
  let passed = 0;
  for (const [index, each] of cases.entries()) {
    const problems = differences(each, said[index] ?? { threw: 'no answer' });
    if (problems.length === 0) {
      passed += 1;
      continue;
    }
    console.log(`FAILED ${relative(folder, each.file)}`);
    for (const problem of problems) console.log(`  ${problem}`);
  }
  console.log(`${cases.length} cases`);
  console.log(`${passed} passed, ${cases.length - passed} failed`);
  return passed < cases.length || cases.length === 0 ? 1 : 0;
}

/** What is wrong with one case: an empty list when its ranges are right and the module agrees with every snapshot. */
function differences({ stem, text }, said) {
  const problems = [];
  // Not those of a graph, which belong to several texts.
  const range = wrongRange(text, [said.parse, said.plan, said.editor].map((json) => JSON.parse(json ?? 'null')));
  if (range !== undefined) problems.push(range);
  if (said.parse !== undefined) compare(problems, `${stem}.parse.snap`, said.parse);
  for (const kind of COMPARED.filter((kind) => kind !== 'parse')) {
    if (said[kind] !== undefined) compare(problems, `${stem}.${kind}.snap`, said[kind]);
    else if (said.threw === undefined && existsSync(`${stem}.${kind}.snap`)) problems.push(`a .${kind}.snap, but nothing in .options.json asks for it`);
  }
  // A kind of answer that this runner does not ask for would pass unseen.
  for (const name of readdirSync(dirname(stem))) {
    const [kind, end] = name.startsWith(`${basename(stem)}.`) ? name.split('.').slice(-2) : [];
    if (end === 'snap' && ![...COMPARED, ...NATIVE].includes(kind)) problems.push(`a .${kind}.snap, of which this runner knows nothing`);
  }
  for (const kind of said.differs ?? []) problems.push(`the module without lineage says something else: ${kind}`);
  if (said.threw !== undefined) problems.push(`threw ${said.threw}`);
  return problems;
}

function optionsOf(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
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
export function excerpts(left, right) {
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
