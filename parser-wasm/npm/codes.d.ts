/** @import { Explanation } from './dist/lakemill_parser.js' */
/**
 * Every diagnostic code with its rule, an example and the example mended, in order.
 *
 * @returns {Explanation[]}
 */
export function codes(): Explanation[];
/**
 * The entry of a code, given by its id (`LM001`) or its name.
 *
 * @param {string} code
 * @returns {Explanation | undefined}
 */
export function explain(code: string): Explanation | undefined;
import type { Explanation } from './dist/lakemill_parser.js';
