// Checks parser-wasm/npm/monaco.js and codes.js, and writes their types beside them. With --check it only compares.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const demo = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const TYPES = ['monaco.d.ts', 'codes.d.ts'];
const npm = resolve(demo, '../parser-wasm/npm');
const out = mkdtempSync(join(tmpdir(), 'lakemill-types-'));
try {
  const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
  const { status } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.package.json', '--outDir', out], { cwd: demo, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
  for (const name of TYPES) {
    const [written, types] = [readFileSync(join(out, name), 'utf8'), join(npm, name)];
    if (!process.argv.includes('--check')) {
      writeFileSync(types, written);
    } else if (readFileSync(types, 'utf8') !== written) {
      console.error(`parser-wasm/npm/${name} is not what the JavaScript gives: npm run types`);
      process.exitCode = 1;
    }
  }
} finally {
  rmSync(out, { recursive: true });
}
