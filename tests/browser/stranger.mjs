// The packed package as a stranger uses it: a project of its own outside of the repository, with the tarball, monaco-editor and
// Vite in it and nothing else. There the types are checked, a plain script runs in Node, and the example of the package's README
// is built by Vite, served and used in Chromium.
//
//   node tests/browser/stranger.mjs [--pictures FOLDER] [--keep]
//
// The versions of monaco-editor and Vite are those that web-demo's lock file pins, so that npm finds them in its cache.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';

import { launch, serve } from './browser.mjs';

const repository = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const { values: options } = parseArgs({
  options: {
    pictures: { type: 'string', default: join(repository, 'target/stranger') },
    keep: { type: 'boolean', default: false },
  },
});
const packageFolder = join(repository, 'parser-wasm/npm');
const tsc = join(repository, 'web-demo/node_modules/typescript/bin/tsc');
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';

const TYPO = '-- materialise ducklake://shop/orders\nSELECT 1 AS id\n';
const CLEAN = '-- materialize ducklake://shop/orders\nSELECT 1 AS id\n';

/** Counts what is registered with Monaco and not disposed of again. It is imported before the example runs. */
const COUNTED = `
import * as monaco from 'monaco-editor';

let alive = 0;
const count = (owner, name) => {
  const real = owner[name];
  owner[name] = (...args) => {
    const disposable = real(...args);
    let counts = true;
    alive += 1;
    return {
      dispose() {
        if (counts) alive -= 1;
        counts = false;
        disposable.dispose();
      },
    };
  };
};
for (const name of ['onDidCreateModel', 'onWillDisposeModel', 'onDidChangeModelLanguage']) count(monaco.editor, name);
for (const name of Object.keys(monaco.languages).filter((each) => /^register.+Provider$/.test(each))) count(monaco.languages, name);
window.registered = () => alive;
`;

const project = mkdtempSync(join(tmpdir(), 'lakemill-stranger-'));
try {
  await step('installs', install);
  await step('types', types);
  await step('runs in Node', inNode);
  await step('is built by Vite', build);
  await step('works in a Monaco editor', inEditor);
} finally {
  if (options.keep) console.log(`       the project is in ${project}`);
  else rmSync(project, { recursive: true, force: true });
}

async function step(name, run) {
  const start = Date.now();
  const remark = await run();
  console.log(`ok      ${name} (${((Date.now() - start) / 1000).toFixed(1)} s)${remark === undefined ? '' : `: ${remark}`}`);
}

/** The tarball, and of web-demo's locked packages those that two dependencies bring: npm drops the others. */
function install() {
  const [tarball] = JSON.parse(run(npm, ['pack', '--json', '--pack-destination', project], packageFolder)).map(({ filename }) => filename);
  const lock = JSON.parse(readFileSync(join(repository, 'web-demo/package-lock.json'), 'utf8'));
  const { 'monaco-editor': editor } = lock.packages[''].dependencies;
  const { vite } = lock.packages[''].devDependencies;
  const manifest = {
    name: 'stranger',
    private: true,
    version: '1.0.0',
    dependencies: { '@lakemill/parser': `file:${tarball}`, 'monaco-editor': editor },
    devDependencies: { vite },
  };
  write('package.json', JSON.stringify(manifest));
  const packages = Object.entries(lock.packages).filter(([path]) => path !== '' && !path.includes('@lakemill') && !path.startsWith('..'));
  const { dependencies, devDependencies, name, version } = manifest;
  write(
    'package-lock.json',
    JSON.stringify({ ...lock, name, version, packages: { '': { name, version, dependencies, devDependencies }, ...Object.fromEntries(packages) } }),
  );
  run(npm, ['install', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'], project);
  const installed = readdirSync(join(project, 'node_modules/@lakemill/parser'), { recursive: true }).map(String).sort();
  const missing = ['README.md', 'monaco.js', 'monaco.d.ts', 'node.js', 'node-lineage.js', 'codes.js', 'codes.d.ts', 'registry.js', 'package.json', join('dist', 'lakemill_parser_bg.wasm'), join('dist', 'lakemill_lineage_bg.wasm')].filter((file) => !installed.includes(file));
  assert.deepEqual(missing, [], 'missing in the tarball');
  assert.equal(readdirSync(join(project, 'node_modules')).includes('svelte'), false, 'more is installed than was asked for');
  return `${tarball}, monaco-editor ${editor}, vite ${vite}`;
}

/** As strict as TypeScript is, and the library's own declarations too. */
async function types() {
  copyFileSync(join(repository, 'tests/wasm-node/consumer.mts'), join(project, 'consumer.mts'));
  const strict = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--skipLibCheck', 'false'];
  // As a bundler resolves modules, and as Node does.
  const modules = [['--module', 'esnext', '--moduleResolution', 'bundler', '--noEmit'], ['--module', 'nodenext', '--outDir', 'compiled']];
  await Promise.all(modules.map((module) => started(process.execPath, [tsc, ...strict, '--target', 'es2022', '--lib', 'es2022,dom,dom.iterable', ...module, 'consumer.mts'])));
  process.stdout.write(run(process.execPath, ['compiled/consumer.mjs']));
}

function inNode() {
  copyFileSync(join(repository, 'tests/wasm-node/first-steps.mjs'), join(project, 'first-steps.mjs'));
  process.stdout.write(run(process.execPath, ['first-steps.mjs']));
  write('readme.mjs', example(/import \{ validate, planSql \}/));
  assert.match(run(process.execPath, ['readme.mjs']), /BEGIN TRANSACTION/);
}

/** The example of the README to the letter. Only what the test holds on to is added around it. */
function build() {
  write('index.html', '<!doctype html>\n<meta charset="utf-8" />\n<link rel="icon" href="data:," />\n<style>body { margin: 0 } #editor { height: 22rem }</style>\n<div id="editor"></div>\n<script type="module" src="/main.js"></script>\n');
  write('counted.js', COUNTED);
  write('main.js', `import './counted.js';\n${example(/@lakemill\/parser\/monaco/)}\nObject.assign(window, { monaco, registration });\n`);
  run(process.execPath, ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn']);
  const sizes = new Map();
  for (const file of readdirSync(join(project, 'dist/assets'))) {
    const kind = file.endsWith('.wasm') ? 'wasm' : file.replace(/^.*\./, '');
    const size = gzipSync(readFileSync(join(project, 'dist/assets', file)), { level: 9 }).length;
    sizes.set(kind, (sizes.get(kind) ?? 0) + size);
  }
  return ['wasm', 'js', 'css'].map((kind) => `${kind} ${Math.round((sizes.get(kind) ?? 0) / 1024)} KB`).join(', ') + ' gzipped, all of Monaco included';
}

async function inEditor() {
  mkdirSync(options.pictures, { recursive: true });
  const server = await serve({ '/': join(project, 'dist') });
  const browser = await launch();
  const complaints = [];
  try {
    const page = await browser.newPage({ viewport: { width: 900, height: 420 } });
    page.setDefaultTimeout(10_000);
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(`console: ${message.text()}`);
    });
    page.on('pageerror', (error) => complaints.push(`page: ${error.stack ?? error}`));
    page.on('response', (response) => {
      if (response.status() >= 400) complaints.push(`${response.status()} for ${response.url()}`);
    });
    await page.goto(`${server.origin}/`);
    await page.waitForFunction(() => 'registration' in window);
    try {
      await used(page);
    } catch (error) {
      await page.screenshot({ path: join(options.pictures, 'failed.png') });
      throw error;
    }
    assert.deepEqual(complaints, []);
  } catch (error) {
    for (const complaint of complaints) console.log(`       ${complaint}`);
    throw error;
  } finally {
    await browser.close();
    await server.close();
  }
  return `pictures in ${relative(process.cwd(), options.pictures)}`;
}

async function used(page) {
  const picture = (name) => page.screenshot({ path: join(options.pictures, `${name}.png`) });
  const text = () => page.evaluate(() => window.monaco.editor.getEditors()[0].getValue());
  const markers = () => page.evaluate(() => window.monaco.editor.getModelMarkers({ owner: 'lakemill' }).map(({ code }) => code));
  const squiggles = (count) => page.waitForFunction((count) => document.querySelectorAll('[class*=squiggly-]').length === count, count);
  const replace = async (script) => {
    await page.locator('.view-lines').first().click({ position: { x: 5, y: 5 } });
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Delete');
    await page.keyboard.insertText(script);
  };
  const caret = async (column) => {
    await page.keyboard.press('Control+Home');
    for (let presses = 1; presses < column; presses += 1) await page.keyboard.press('ArrowRight');
  };

  // As the page opens: the example's own mistake.
  await squiggles(1);
  await picture('opened');

  // Typed key by key.
  await page.locator('.view-lines').first().click({ position: { x: 5, y: 5 } });
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  await squiggles(0);
  await page.keyboard.type('-- materialise ducklake://shop/orders');
  await page.keyboard.press('Escape');
  await squiggles(1);

  // The fix.
  await replace(TYPO);
  await squiggles(1);
  await caret(6);
  await page.keyboard.press('Control+.');
  await page.locator('.action-widget').getByText('Change to `materialize`').waitFor();
  await picture('fix');
  await page.keyboard.press('Enter');
  await squiggles(0);
  assert.equal(await text(), CLEAN);
  assert.deepEqual(await markers(), []);

  // Completion as one types, in a comment.
  await replace('');
  await page.keyboard.type('-- mat');
  await page.locator('.suggest-widget.visible').getByText('materialize', { exact: false }).first().waitFor();
  await picture('completion');
  await page.keyboard.press('Enter');
  assert.equal(await text(), '-- materialize ');
  await page.keyboard.type('ducklake://shop/orders hist');
  await page.locator('.suggest-widget.visible').getByText('history', { exact: false }).first().waitFor();
  await page.keyboard.press('Tab');
  assert.match(await text(), /orders history$/);

  // Hover: the meaning, and what is wrong once.
  await replace('-- materialize ducklake://shop/orders history\nSELECT 1 AS id\n');
  await squiggles(1);
  await caret('-- materialize ducklake://shop/orders hi'.length);
  await page.keyboard.press('Control+k');
  await page.keyboard.press('Control+i');
  const hover = page.locator('.monaco-hover:visible').first();
  await hover.getByText('Every version of a row is kept', { exact: false }).waitFor();
  // It fades in.
  await page.waitForTimeout(400);
  await picture('hover');
  const said = await hover.innerText();
  // Monaco's own theme colours the words of an annotation, and not as a comment.
  const colours = await page.evaluate(() => {
    const words = [...document.querySelectorAll('.view-line > span > span')];
    return ['--\u00a0', 'materialize', 'ducklake://shop/orders'].map((word) => {
      const found = words.find((each) => each.textContent === word);
      return found === undefined ? undefined : getComputedStyle(found).color;
    });
  });
  assert.equal(new Set(colours).size, 3, `colours: ${colours}`);
  assert.equal(said.split('history needs a key').length - 1, 1, `the finding stands once in the hover:\n${said}`);
  await page.keyboard.press('Escape');

  // Another model in the same editor, and one of a language that is not served.
  await page.evaluate((typo) => {
    const { editor } = window.monaco;
    window.first = editor.getEditors()[0].getModel();
    window.second = editor.createModel(typo, 'sql');
    editor.getEditors()[0].setModel(window.second);
    window.other = editor.createModel(typo, 'plaintext');
  }, TYPO);
  await squiggles(1);
  assert.deepEqual((await markers()).sort(), ['LM001', 'LM105']);
  await page.evaluate(() => window.monaco.editor.getEditors()[0].setModel(window.other));
  await squiggles(0);
  await page.evaluate(() => window.monaco.editor.getEditors()[0].setModel(window.first));
  await squiggles(1);
  await page.evaluate(() => window.second.dispose());
  assert.deepEqual(await markers(), ['LM105']);

  // Disposed: nothing is left, and nothing comes back.
  assert.ok((await page.evaluate(() => window.registered())) >= 7);
  await page.evaluate(() => {
    window.registration.dispose();
    window.registration.dispose();
  });
  assert.equal(await page.evaluate(() => window.registered()), 0);
  await squiggles(0);
  assert.deepEqual(await markers(), []);
  await replace(TYPO);
  await page.waitForTimeout(400);
  assert.deepEqual(await markers(), []);
  await squiggles(0);
  await caret(6);
  await page.keyboard.press('Control+k');
  await page.keyboard.press('Control+i');
  await page.waitForTimeout(300);
  assert.equal(await page.locator('.monaco-hover:visible').count(), 0);
}

/** A block of JavaScript in the package's README. */
function example(pattern) {
  const readme = readFileSync(join(packageFolder, 'README.md'), 'utf8');
  const found = [...readme.matchAll(/^```js\n(.*?)^```$/gms)].map(([, code]) => code).filter((code) => pattern.test(code));
  assert.equal(found.length, 1, `one example with ${pattern} in the README`);
  return found[0];
}

function write(name, text) {
  writeFileSync(join(project, name), text);
}

function run(program, args, cwd = project) {
  const { error, status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8', shell: program.endsWith('.cmd') });
  if (error) throw error;
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}\n${stdout}${stderr}`);
  return stdout;
}

async function started(program, args) {
  const child = spawn(program, args, { cwd: project, stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (printed += text));
  const [status] = await once(child, 'close');
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}\n${printed}`);
}
