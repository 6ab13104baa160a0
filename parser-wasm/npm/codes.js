// The registry of diagnostic codes, as what is read: the module that parses does without these texts.
import registry from './registry.js';

/** @import { Explanation } from './dist/lakemill_parser.js' */

/**
 * Every diagnostic code with its rule, an example and the example mended, in order.
 *
 * @returns {Explanation[]}
 */
export function codes() {
  return registry.map((entry) => /** @type {Explanation} */ ({ ...entry }));
}

/**
 * The entry of a code, given by its id (`LM001`) or its name.
 *
 * @param {string} code
 * @returns {Explanation | undefined}
 */
export function explain(code) {
  return codes().find((entry) => entry.name === code || entry.code === code.toUpperCase());
}
