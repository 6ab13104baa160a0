// Node reads the module from disk at import, so that the functions can be called at once.
import { readFileSync } from 'node:fs';
import { initSync } from './dist/lakemill_parser.js';

initSync({ module: readFileSync(new URL('./dist/lakemill_parser_bg.wasm', import.meta.url)) });

export * from './dist/lakemill_parser.js';
// `await init()` is not needed here, but does no harm: the same code runs in the browser.
export { default } from './dist/lakemill_parser.js';
