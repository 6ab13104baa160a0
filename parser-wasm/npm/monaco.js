// Translates what the parser says into Monaco's terms. No rule of the language is here: what is wrong, what mends it, what may be
// written and what a word means all come from the parser.

/** @import * as Monaco from 'monaco-editor' */
/** @import { Completion, CompletionContext, Diagnostic, Fix, Hover, Parsed, PlanOptions, PlanReply, Range, Severity } from './dist/lakemill_parser.js' */

/**
 * What `register` needs of Monaco: all of `monaco-editor`, or its `editor/editor.api` alone.
 *
 * @typedef {Pick<typeof Monaco, 'editor' | 'languages' | 'MarkerSeverity' | 'Uri'>} MonacoApi
 */

/**
 * What `register` needs of the parser: the module `@lakemill/parser`, loaded. With `@lakemill/parser/lineage` a hover also says what a
 * column is computed from, and a name leads to its definition.
 *
 * @typedef {object} Parser
 * @property {(text: string) => Parsed} validate
 * @property {(text: string, options?: PlanOptions) => PlanReply} [plan]
 * @property {(text: string, offset: number, context?: CompletionContext) => Completion[]} [complete]
 * @property {(text: string, offset: number) => Hover | undefined} [hover]
 * @property {(text: string, offset: number, context?: CompletionContext) => Hover | undefined} [hoverColumn]
 * @property {(text: string, offset: number) => Range | undefined} [definition]
 * @property {(text: string) => Uint32Array} [semanticTokens]
 * @property {() => string[]} [tokenClasses]
 */

/**
 * @typedef {object} RegisterOptions
 * @property {string} [languageId] The language whose models are served; `sql` when left out. Registered if Monaco does not know it.
 * @property {number} [debounceMs] How long typing must rest before a model is checked again, in milliseconds; 120 when left out.
 * @property {(model: Monaco.editor.ITextModel) => PlanOptions | undefined} [plan] What to plan a model with. When it gives options,
 *   what keeps the script from being planned is marked too.
 * @property {(model: Monaco.editor.ITextModel) => CompletionContext} [context] What completion may offer beyond the script's
 *   own text, and what a hover says of columns' types. The time zones are those that the browser knows, unless it gives others.
 * @property {(model: Monaco.editor.ITextModel) => Diagnostic[]} [findings] What else is wrong in a model, such as what `graph` finds
 *   between scripts.
 * @property {(code: string, name: string) => string | undefined} [explanationUrl] Where a diagnostic code is explained; the code
 *   becomes a link.
 * @property {(model: Monaco.editor.ITextModel, parsed: Parsed) => void} [onCheck] Called after each check of a model, with what the
 *   markers were made of.
 */

/**
 * @typedef {object} Registration
 * @property {(model?: Monaco.editor.ITextModel) => void} check Checks one model, or all, now: when what `plan` or `findings` returns
 *   has changed.
 * @property {() => void} dispose Removes the markers and everything that was registered.
 */

/** @typedef {{ version: number, parsed: Parsed, found: Diagnostic[] }} Checked */
/** @typedef {{ timer: ReturnType<typeof setTimeout> | undefined, checked: Checked | undefined, listener: Monaco.IDisposable }} Served */

const OWNER = 'lakemill';

/** Characters after which completion is asked for without a key. */
const TRIGGERS = [' ', '=', ':', '/', ',', '.', '{', '-'];

/**
 * Where a theme has no rule for a class of tokens, its rule for the part before the dot holds: any theme colours annotations.
 *
 * @type {Record<string, string>}
 */
const LIKE = { annotation: 'keyword', option: 'type', value: 'variable', asset: 'string', partition: 'variable' };

/**
 * Monaco's icons for what a completion is.
 *
 * @type {Record<Completion['kind'], keyof typeof Monaco.languages.CompletionItemKind>}
 */
const KINDS = {
  keyword: 'Keyword',
  option: 'Property',
  flag: 'Property',
  value: 'EnumMember',
  timeZone: 'Constant',
  scheme: 'Module',
  lake: 'Folder',
  asset: 'Struct',
  column: 'Field',
  test: 'File',
  library: 'File',
  partition: 'Variable',
};

/**
 * Serves every model of a language, present and future: markers, quick fixes, completion, hover, definitions and semantic tokens.
 *
 * @param {MonacoApi} monaco
 * @param {Parser} parser
 * @param {RegisterOptions} [options]
 * @returns {Registration}
 */
export function register(monaco, parser, options = {}) {
  const { languageId = 'sql', debounceMs = 120 } = options;
  if (!monaco.languages.getLanguages().some(({ id }) => id === languageId)) {
    monaco.languages.register({ id: languageId, extensions: ['.sql'] });
  }

  /** @type {Map<Monaco.editor.ITextModel, Served>} */
  const models = new Map();

  /** The findings of a model as its text is now. Providers may ask before the pause after typing is over.
   * @param {Monaco.editor.ITextModel} model
   * @returns {Checked} */
  const current = (model) => {
    const served = models.get(model);
    const version = model.getVersionId();
    if (served?.checked?.version === version) return served.checked;
    const text = model.getValue();
    const parsed = parser.validate(text);
    const planOptions = options.plan?.(model);
    const more = [...(planOptions === undefined ? [] : (parser.plan?.(text, planOptions).diagnostics ?? [])), ...(options.findings?.(model) ?? [])];
    const found = united(parsed.diagnostics, more);
    const checked = { version, parsed, found };
    if (served !== undefined) served.checked = checked;
    return checked;
  };

  /** @param {Monaco.editor.ITextModel} model */
  const check = (model) => {
    const served = models.get(model);
    if (served === undefined || model.isDisposed()) return;
    clearTimeout(served.timer);
    served.timer = undefined;
    const { found, parsed } = current(model);
    monaco.editor.setModelMarkers(
      model,
      OWNER,
      found.map((diagnostic) => marker(monaco, model, diagnostic, options.explanationUrl)),
    );
    options.onCheck?.(model, parsed);
  };

  /** @param {Monaco.editor.ITextModel} model */
  const serve = (model) => {
    if (models.has(model) || model.getLanguageId() !== languageId) return;
    const listener = model.onDidChangeContent(() => {
      const served = models.get(model);
      if (served === undefined) return;
      clearTimeout(served.timer);
      served.timer = setTimeout(check, debounceMs, model);
    });
    models.set(model, { timer: undefined, checked: undefined, listener });
    check(model);
  };

  /** @param {Monaco.editor.ITextModel} model */
  const leave = (model) => {
    const served = models.get(model);
    if (served === undefined) return;
    clearTimeout(served.timer);
    served.listener.dispose();
    models.delete(model);
    if (!model.isDisposed()) monaco.editor.setModelMarkers(model, OWNER, []);
  };

  /** @type {Monaco.IDisposable[]} */
  const registered = [
    monaco.editor.onDidCreateModel(serve),
    monaco.editor.onWillDisposeModel(leave),
    monaco.editor.onDidChangeModelLanguage(({ model }) => {
      if (model.getLanguageId() === languageId) serve(model);
      else leave(model);
    }),
    monaco.languages.registerCodeActionProvider(
      languageId,
      {
        provideCodeActions: (model, range) => {
          const actions = current(model)
            .found.filter((diagnostic) => diagnostic.fix !== undefined && touches(range, diagnostic.range))
            .map((diagnostic) => ({
              title: /** @type {Fix} */ (diagnostic.fix).title,
              kind: 'quickfix',
              isPreferred: true,
              diagnostics: [marker(monaco, model, diagnostic, options.explanationUrl)],
              edit: {
                edits: /** @type {Fix} */ (diagnostic.fix).edits.map((edit) => ({
                  resource: model.uri,
                  versionId: model.getVersionId(),
                  textEdit: { range: toMonaco(edit.range), text: edit.text },
                })),
              },
            }));
          return { actions, dispose: nothing };
        },
      },
      { providedCodeActionKinds: ['quickfix'] },
    ),
  ];

  const { complete, definition, hover, hoverColumn, semanticTokens, tokenClasses } = parser;
  if (complete !== undefined) {
    /** @type {string[] | undefined} */
    let timeZones;
    registered.push(
      monaco.languages.registerCompletionItemProvider(languageId, {
        triggerCharacters: TRIGGERS,
        provideCompletionItems: (model, position, _why, token) => {
          if (token.isCancellationRequested) return undefined;
          timeZones ??= Intl.supportedValuesOf('timeZone');
          const found = complete(model.getValue(), model.getOffsetAt(position), { timeZones, ...options.context?.(model) });
          // What is offered depends on what is typed so far: it is asked for again at each key.
          return { incomplete: true, suggestions: found.map((item, place) => suggestion(monaco, item, place)) };
        },
      }),
    );
  }
  if (hover !== undefined) {
    registered.push(
      monaco.languages.registerHoverProvider(languageId, {
        provideHover: (model, position, token) => {
          if (token.isCancellationRequested) return undefined;
          // The meaning alone: Monaco itself shows the markers' messages in the same hover.
          const [text, offset] = [model.getValue(), model.getOffsetAt(position)];
          const meant = hover(text, offset);
          const found = meant?.markdown === undefined ? hoverColumn?.(text, offset, options.context?.(model)) : meant;
          return found?.markdown === undefined ? undefined : { range: toMonaco(found.range), contents: [{ value: found.markdown }] };
        },
      }),
    );
  }
  if (definition !== undefined) {
    registered.push(
      monaco.languages.registerDefinitionProvider(languageId, {
        provideDefinition: (model, position, token) => {
          if (token.isCancellationRequested) return undefined;
          const range = definition(model.getValue(), model.getOffsetAt(position));
          return range === undefined ? undefined : { uri: model.uri, range: toMonaco(range) };
        },
      }),
    );
  }
  if (semanticTokens !== undefined && tokenClasses !== undefined) {
    const tokenTypes = tokenClasses().map((each) => (LIKE[each] === undefined ? each : `${LIKE[each]}.${each}`));
    const legend = { tokenTypes, tokenModifiers: [] };
    registered.push(
      monaco.languages.registerDocumentSemanticTokensProvider(languageId, {
        getLegend: () => legend,
        provideDocumentSemanticTokens: (model, _last, token) =>
          token.isCancellationRequested ? undefined : { data: relative(model, semanticTokens(model.getValue())) },
        releaseDocumentSemanticTokens: nothing,
      }),
    );
  }

  monaco.editor.getModels().forEach(serve);

  return {
    check: (model) => {
      for (const each of model === undefined ? [...models.keys()] : [model]) {
        const served = models.get(each);
        if (served !== undefined) served.checked = undefined;
        check(each);
      }
    },
    dispose: () => {
      for (const each of registered.splice(0)) each.dispose();
      for (const model of [...models.keys()]) leave(model);
    },
  };
}

/**
 * The edits of a fix, for `model.pushEditOperations` or `editor.executeEdits`.
 *
 * @param {Fix} fix
 * @returns {{ range: Monaco.IRange, text: string }[]}
 */
export function editsOf(fix) {
  return fix.edits.map((edit) => ({ range: toMonaco(edit.range), text: edit.text }));
}

/**
 * A range as Monaco writes it. Both count lines from 1 and UTF-16 columns from 1.
 *
 * @param {Range} range
 * @returns {Monaco.IRange}
 */
export function toMonaco(range) {
  return {
    startLineNumber: range.startLine,
    startColumn: range.startColumn,
    endLineNumber: range.endLine,
    endColumn: range.endColumn,
  };
}

/**
 * @param {Diagnostic[]} found
 * @param {Diagnostic[]} more
 * @returns {Diagnostic[]}
 */
function united(found, more) {
  const known = new Set(found.map(identity));
  return [...found, ...more.filter((diagnostic) => !known.has(identity(diagnostic)))];
}

/** @param {Diagnostic} diagnostic */
function identity({ code, range }) {
  return `${code} ${range.start} ${range.end}`;
}

/**
 * @param {MonacoApi} monaco
 * @param {Monaco.editor.ITextModel} model
 * @param {Diagnostic} diagnostic
 * @param {RegisterOptions['explanationUrl']} explanationUrl
 * @returns {Monaco.editor.IMarkerData}
 */
function marker(monaco, model, diagnostic, explanationUrl) {
  const { code, hint, message, name, range, related = [], severity } = diagnostic;
  const url = explanationUrl?.(code, name);
  return {
    ...toMonaco(range),
    severity: severityOf(monaco, severity),
    message: hint === undefined ? message : `${message}\n${hint}`,
    source: OWNER,
    code: url === undefined ? code : { value: code, target: monaco.Uri.parse(url) },
    relatedInformation: related.map((place) => ({ resource: model.uri, message: place.message, ...toMonaco(place.range) })),
  };
}

/**
 * @param {MonacoApi} monaco
 * @param {Severity} severity
 * @returns {Monaco.MarkerSeverity}
 */
function severityOf({ MarkerSeverity }, severity) {
  switch (severity) {
    case 'error':
      return MarkerSeverity.Error;
    case 'warning':
      return MarkerSeverity.Warning;
    case 'info':
      return MarkerSeverity.Info;
    case 'hint':
      return MarkerSeverity.Hint;
  }
}

/**
 * @param {MonacoApi} monaco
 * @param {Completion} item
 * @param {number} place
 * @returns {Monaco.languages.CompletionItem}
 */
function suggestion({ languages: { CompletionItemKind } }, { label, kind, detail, documentation, insertText, replace }, place) {
  return {
    // A detail that shows how the word is used begins with it, which the list has said already.
    label: detail === undefined ? label : { label, description: detail.startsWith(`${label} `) ? detail.slice(label.length + 1) : detail },
    kind: CompletionItemKind[KINDS[kind]],
    filterText: label,
    // The parser's order holds among those that match equally well.
    sortText: String(place).padStart(5, '0'),
    insertText,
    range: toMonaco(replace),
    ...(documentation === undefined ? {} : { documentation: { value: documentation } }),
  };
}

/**
 * From `[first UTF-16 unit, length, class]` each to the form of editors: line and column from the token before.
 *
 * @param {Monaco.editor.ITextModel} model
 * @param {Uint32Array} tokens
 */
function relative(model, tokens) {
  const data = new Uint32Array((tokens.length / 3) * 5);
  let line = 1;
  let column = 1;
  for (let from = 0, to = 0; from < tokens.length; from += 3, to += 5) {
    const [start = 0, length = 0, type = 0] = tokens.subarray(from, from + 3);
    const place = model.getPositionAt(start);
    if (place.lineNumber !== line) column = 1;
    data.set([place.lineNumber - line, place.column - column, length, type, 0], to);
    line = place.lineNumber;
    column = place.column;
  }
  return data;
}

/**
 * @param {Monaco.IRange} a
 * @param {Range} b
 */
function touches(a, b) {
  const before = a.endLineNumber < b.startLine || (a.endLineNumber === b.startLine && a.endColumn < b.startColumn);
  const after = b.endLine < a.startLineNumber || (b.endLine === a.startLineNumber && b.endColumn < a.startColumn);
  return !before && !after;
}

function nothing() {}
