// The same as `node.js`, for the module with column lineage.
import { readFileSync } from 'node:fs';
import { initSync } from './dist/lakemill_lineage.js';

initSync({ module: readFileSync(new URL('./dist/lakemill_lineage_bg.wasm', import.meta.url)) });

export * from './dist/lakemill_lineage.js';
// `await init()` is not needed here, but does no harm: the same code runs in the browser.
export { default } from './dist/lakemill_lineage.js';
