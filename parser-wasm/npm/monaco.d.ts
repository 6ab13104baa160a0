/**
 * Serves every model of a language, present and future: markers, quick fixes, completion, hover, definitions and semantic tokens.
 *
 * @param {MonacoApi} monaco
 * @param {Parser} parser
 * @param {RegisterOptions} [options]
 * @returns {Registration}
 */
export function register(monaco: MonacoApi, parser: Parser, options?: RegisterOptions): Registration;
/**
 * The edits of a fix, for `model.pushEditOperations` or `editor.executeEdits`.
 *
 * @param {Fix} fix
 * @returns {{ range: Monaco.IRange, text: string }[]}
 */
export function editsOf(fix: Fix): {
    range: Monaco.IRange;
    text: string;
}[];
/**
 * A range as Monaco writes it. Both count lines from 1 and UTF-16 columns from 1.
 *
 * @param {Range} range
 * @returns {Monaco.IRange}
 */
export function toMonaco(range: Range): Monaco.IRange;
/**
 * What `register` needs of Monaco: all of `monaco-editor`, or its `editor/editor.api` alone.
 */
export type MonacoApi = Pick<typeof Monaco, "editor" | "languages" | "MarkerSeverity" | "Uri">;
/**
 * What `register` needs of the parser: the module `@lakemill/parser`, loaded. With `@lakemill/parser/lineage` a hover also says what a
 * column is computed from, and a name leads to its definition.
 */
export type Parser = {
    validate: (text: string) => Parsed;
    plan?: (text: string, options?: PlanOptions) => PlanReply;
    complete?: (text: string, offset: number, context?: CompletionContext) => Completion[];
    hover?: (text: string, offset: number) => Hover | undefined;
    hoverColumn?: (text: string, offset: number, context?: CompletionContext) => Hover | undefined;
    definition?: (text: string, offset: number) => Range | undefined;
    semanticTokens?: (text: string) => Uint32Array;
    tokenClasses?: () => string[];
};
export type RegisterOptions = {
    /**
     * The language whose models are served; `sql` when left out. Registered if Monaco does not know it.
     */
    languageId?: string;
    /**
     * How long typing must rest before a model is checked again, in milliseconds; 120 when left out.
     */
    debounceMs?: number;
    /**
     * What to plan a model with. When it gives options,
     * what keeps the script from being planned is marked too.
     */
    plan?: (model: Monaco.editor.ITextModel) => PlanOptions | undefined;
    /**
     * What completion may offer beyond the script's
     * own text, and what a hover says of columns' types. The time zones are those that the browser knows, unless it gives others.
     */
    context?: (model: Monaco.editor.ITextModel) => CompletionContext;
    /**
     * What else is wrong in a model, such as what `graph` finds
     * between scripts.
     */
    findings?: (model: Monaco.editor.ITextModel) => Diagnostic[];
    /**
     * Where a diagnostic code is explained; the code
     * becomes a link.
     */
    explanationUrl?: (code: string, name: string) => string | undefined;
    /**
     * Called after each check of a model, with what the
     * markers were made of.
     */
    onCheck?: (model: Monaco.editor.ITextModel, parsed: Parsed) => void;
};
export type Registration = {
    /**
     * Checks one model, or all, now: when what `plan` or `findings` returns
     * has changed.
     */
    check: (model?: Monaco.editor.ITextModel) => void;
    /**
     * Removes the markers and everything that was registered.
     */
    dispose: () => void;
};
export type Checked = {
    version: number;
    parsed: Parsed;
    found: Diagnostic[];
};
export type Served = {
    timer: ReturnType<typeof setTimeout> | undefined;
    checked: Checked | undefined;
    listener: Monaco.IDisposable;
};
import type { Fix } from './dist/lakemill_parser.js';
import type * as Monaco from 'monaco-editor';
import type { Range } from './dist/lakemill_parser.js';
import type { Parsed } from './dist/lakemill_parser.js';
import type { PlanOptions } from './dist/lakemill_parser.js';
import type { PlanReply } from './dist/lakemill_parser.js';
import type { CompletionContext } from './dist/lakemill_parser.js';
import type { Completion } from './dist/lakemill_parser.js';
import type { Hover } from './dist/lakemill_parser.js';
import type { Diagnostic } from './dist/lakemill_parser.js';
