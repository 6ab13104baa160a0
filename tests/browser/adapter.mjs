// The life of `@lakemill/parser/monaco`: what it registers, when it checks, what it leaves behind. The parser is the real one;
// Monaco is a stand-in that counts, so that a leak shows. The page's test has the real Monaco.
//
//   node tests/browser/adapter.mjs [--package-in FOLDER]
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const repository = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const { values: options } = parseArgs({ options: { 'package-in': { type: 'string', default: join(repository, 'web-demo') } } });
const resolver = createRequire(join(resolve(options['package-in']), 'from-here.mjs'));
const parser = await import(pathToFileURL(resolver.resolve('@lakemill/parser')).href);
const lineage = await import(pathToFileURL(resolver.resolve('@lakemill/parser/lineage')).href);
const { editsOf, register } = await import(pathToFileURL(resolver.resolve('@lakemill/parser/monaco')).href);

const CLEAN = '-- materialize ducklake://shop/orders\nSELECT 1 AS id\n';
const TYPO = '-- materialise ducklake://shop/orders\nSELECT 1 AS id\n';
const DEBOUNCE_MS = 20;

const tests = {
  'serves models that are there and those to come'() {
    const monaco = fake();
    const before = monaco.model(TYPO);
    const registration = register(monaco.api, parser);
    const after = monaco.model(TYPO);
    const other = monaco.model(TYPO, 'json');
    assert.equal(monaco.markers(before).length, 1);
    assert.equal(monaco.markers(after).length, 1);
    assert.equal(monaco.markers(other).length, 0);
    const [marker] = monaco.markers(before);
    assert.deepEqual([marker.startLineNumber, marker.startColumn, marker.endColumn], [1, 4, 15]);
    assert.deepEqual([marker.code, marker.severity, marker.source], ['LM001', 4, 'lakemill']);
    registration.dispose();
  },

  async 'checks once when typing rests'() {
    const monaco = fake();
    let checks = 0;
    const counted = { ...parser, validate: (text) => ((checks += 1), parser.validate(text)) };
    const model = monaco.model(CLEAN);
    const registration = register(monaco.api, counted, { debounceMs: DEBOUNCE_MS });
    assert.equal(checks, 1);
    for (const text of ['-- m', '-- mat', TYPO]) monaco.type(model, text);
    assert.equal(checks, 1);
    assert.equal(monaco.markers(model).length, 0);
    await pause(4 * DEBOUNCE_MS);
    assert.equal(checks, 2);
    assert.equal(monaco.markers(model).length, 1);
    registration.dispose();
  },

  async 'a model that goes away is not checked any more'() {
    const monaco = fake();
    const checked = [];
    const registration = register(monaco.api, parser, { debounceMs: DEBOUNCE_MS, onCheck: (model) => checked.push(model) });
    const model = monaco.model(CLEAN);
    monaco.type(model, TYPO);
    monaco.remove(model);
    await pause(4 * DEBOUNCE_MS);
    assert.equal(checked.length, 1);
    assert.equal(model.listeners.size, 0);
    registration.dispose();
  },

  'a model that changes its language is left, and taken up again'() {
    const monaco = fake();
    const registration = register(monaco.api, parser, { languageId: 'lakemill' });
    const model = monaco.model(TYPO, 'lakemill');
    assert.equal(monaco.markers(model).length, 1);
    monaco.speak(model, 'json');
    assert.equal(monaco.markers(model).length, 0);
    assert.equal(model.listeners.size, 0);
    monaco.speak(model, 'lakemill');
    assert.equal(monaco.markers(model).length, 1);
    registration.dispose();
  },

  async 'disposing leaves nothing'() {
    const monaco = fake();
    const registration = register(monaco.api, parser, { debounceMs: DEBOUNCE_MS });
    const model = monaco.model(TYPO);
    assert.ok(monaco.alive() >= 4);
    monaco.type(model, `${TYPO} `);
    registration.dispose();
    registration.dispose();
    assert.equal(monaco.alive(), 0);
    assert.equal(model.listeners.size, 0);
    assert.equal(monaco.markers(model).length, 0);
    await pause(4 * DEBOUNCE_MS);
    assert.equal(monaco.markers(model).length, 0);
  },

  'a language that Monaco does not know is registered once'() {
    const monaco = fake();
    register(monaco.api, parser, { languageId: 'lakemill' }).dispose();
    register(monaco.api, parser, { languageId: 'lakemill' }).dispose();
    assert.deepEqual(monaco.languages, ['sql', 'lakemill']);
  },

  'a fix is offered where the finding is, for the text as it is now'() {
    const monaco = fake();
    const registration = register(monaco.api, parser);
    const model = monaco.model(CLEAN);
    // No pause: the markers are still those of the clean text.
    monaco.type(model, TYPO);
    const at = (line, column) => ({ startLineNumber: line, startColumn: column, endLineNumber: line, endColumn: column });
    const { actions } = monaco.provider('CodeAction').provideCodeActions(model, at(1, 6));
    assert.deepEqual(actions.map(({ title }) => title), ['Change to `materialize`']);
    const [{ textEdit, versionId }] = actions[0].edit.edits;
    assert.equal(versionId, model.getVersionId());
    assert.equal(model.edited(textEdit), CLEAN);
    assert.equal(monaco.provider('CodeAction').provideCodeActions(model, at(2, 1)).actions.length, 0);
    const [diagnostic] = parser.validate(TYPO).diagnostics;
    assert.deepEqual(editsOf(diagnostic.fix), [{ range: textEdit.range, text: textEdit.text }]);
    registration.dispose();
  },

  'places are those of UTF-16'() {
    const monaco = fake();
    const registration = register(monaco.api, parser);
    const model = monaco.model('-- 🦆\r\n-- materialize ducklake://shop/größe key = id\r\nSELECT \'é😀\' AS id\r\n');
    for (const marker of monaco.markers(model)) {
      const said = parser.validate(model.getValue()).diagnostics.find(({ code }) => code === marker.code);
      const start = model.offset(marker.startLineNumber, marker.startColumn);
      const end = model.offset(marker.endLineNumber, marker.endColumn);
      assert.equal(start, said.range.utf16Start);
      assert.equal(end, said.range.utf16End);
    }
    assert.ok(monaco.markers(model).length > 0);
    registration.dispose();
  },

  'what keeps a script from being planned is marked when options are given'() {
    const monaco = fake();
    let partition;
    const registration = register(monaco.api, parser, { plan: () => (partition === undefined ? {} : { partition }) });
    const model = monaco.model('-- materialize ducklake://shop/orders\n-- partitioned daily\nSELECT 1 AS id WHERE {partition} IS NOT NULL\n');
    assert.deepEqual(monaco.markers(model).map(({ code }) => code), ['LM301']);
    partition = '2024-06-19';
    registration.check();
    assert.deepEqual(monaco.markers(model), []);
    registration.dispose();
  },

  'what is found elsewhere is marked too, and mended'() {
    const monaco = fake();
    const [elsewhere] = parser.validate(TYPO).diagnostics;
    let found = [];
    const registration = register(monaco.api, parser, { findings: () => found });
    const model = monaco.model(CLEAN);
    found = [elsewhere];
    registration.check(model);
    assert.deepEqual(monaco.markers(model).map(({ code }) => code), ['LM001']);
    const at = { startLineNumber: 1, startColumn: 6, endLineNumber: 1, endColumn: 6 };
    assert.equal(monaco.provider('CodeAction').provideCodeActions(model, at).actions.length, 1);
    registration.dispose();
  },

  'a code leads to its explanation when there is an address'() {
    const monaco = fake();
    const registration = register(monaco.api, parser, { explanationUrl: (code, name) => `https://example.org/${code}-${name}` });
    const [{ code }] = monaco.markers(monaco.model(TYPO));
    assert.deepEqual(code, { value: 'LM001', target: 'https://example.org/LM001-unknown-keyword' });
    registration.dispose();
  },

  'semantic tokens keep their places'() {
    const monaco = fake();
    const registration = register(monaco.api, parser);
    const model = monaco.model('-- materialize ducklake://shop/größe key=id\n\n-- data_test unique id\nSELECT \'é😀\' AS id -- done\n');
    const provider = monaco.provider('DocumentSemanticTokens');
    const types = provider.getLegend().tokenTypes;
    assert.deepEqual(types.map((type) => type.replace(/^.*\./, '')), parser.tokenClasses());
    assert.ok(types.includes('keyword.annotation'));
    const { data } = provider.provideDocumentSemanticTokens(model, null, { isCancellationRequested: false });
    const found = [];
    for (let at = 0, line = 1, column = 1; at < data.length; at += 5) {
      column = data[at] === 0 ? column + data[at + 1] : 1 + data[at + 1];
      line += data[at];
      found.push(model.offset(line, column), data[at + 2], data[at + 3]);
    }
    assert.deepEqual(found, [...parser.semanticTokens(model.getValue())]);
    assert.ok(found.length > 0);
    registration.dispose();
  },

  'a hover gives the meaning, and leaves the findings to the markers'() {
    const monaco = fake();
    const registration = register(monaco.api, parser);
    const model = monaco.model('-- materialize ducklake://shop/orders history\n-- materialise ducklake://shop/orders\nSELECT 1 AS id\n');
    const at = (lineNumber, column) =>
      monaco.provider('Hover').provideHover(model, { lineNumber, column }, { isCancellationRequested: false });
    const finding = monaco.markers(model).find(({ code }) => code === 'LM105');
    const { contents } = at(1, finding.startColumn + 1);
    assert.equal(contents.length, 1);
    assert.match(contents[0].value, /^`history`/);
    assert.ok(!contents[0].value.includes('LM105'));
    // Nothing but a finding: the marker says it all.
    assert.equal(at(2, 6), undefined);
    const said = parser.hover(model.getValue(), model.offset(1, finding.startColumn + 1));
    assert.match(said.findings[0], /LM105/);
    registration.dispose();
  },

  'with lineage, a hover says what a column is computed from, and a name leads to its definition'() {
    const monaco = fake();
    const assets = [{ uri: 'ducklake://shop/größe', columns: [{ name: 'net', type: 'DECIMAL(18,2)' }] }];
    const registration = register(monaco.api, lineage, { context: () => ({ assets }) });
    const text = "-- 🦆\nATTACH 'ducklake://shop' AS dl;\nWITH base AS (SELECT '😀', net * 2 AS gross FROM dl.größe)\nSELECT gross FROM base\n";
    const model = monaco.model(text);
    const token = { isCancellationRequested: false };
    const at = (part) => model.getPositionAt(text.indexOf(part) + 1);
    const { contents, range } = monaco.provider('Hover').provideHover(model, at('gross FROM base'), token);
    assert.match(contents[0].value, /`ducklake:\/\/shop\/größe.net`: DECIMAL\(18,2\)/);
    assert.equal(model.edited({ range, text: 'g' }), text.replace('SELECT gross', 'SELECT g'));
    // What the light module says comes first.
    assert.match(monaco.provider('Hover').provideHover(model, at('größe)'), token).contents[0].value, /DuckLake table/);
    const place = monaco.provider('Definition').provideDefinition(model, at('gross FROM base'), token);
    assert.equal(place.uri, model.uri);
    assert.equal(model.edited({ range: place.range, text: 'g' }), text.replace('AS gross', 'AS g'));
    const table = monaco.provider('Definition').provideDefinition(model, at('base\n'), token);
    assert.equal(model.edited({ range: table.range, text: 'b' }), text.replace('WITH base', 'WITH b'));
    assert.equal(monaco.provider('Definition').provideDefinition(model, at('WITH'), token), undefined);
    registration.dispose();
    assert.equal(monaco.alive(), 0);
  },

  'without lineage there are no definitions'() {
    const monaco = fake();
    const registration = register(monaco.api, parser);
    assert.equal(monaco.provider('Definition'), undefined);
    registration.dispose();
  },

  'completions replace what the parser says, in its order'() {
    const monaco = fake();
    const registration = register(monaco.api, parser);
    const model = monaco.model('-- mat');
    const token = { isCancellationRequested: false };
    const { suggestions } = monaco.provider('CompletionItem').provideCompletionItems(model, { lineNumber: 1, column: 7 }, {}, token);
    const [first] = suggestions;
    assert.equal(first.filterText, 'materialize');
    assert.deepEqual(first.range, { startLineNumber: 1, startColumn: 4, endLineNumber: 1, endColumn: 7 });
    assert.deepEqual(suggestions.map(({ sortText }) => sortText), suggestions.map(({ sortText }) => sortText).sort());
    assert.ok(suggestions.every(({ kind }) => kind !== undefined));
    const stopped = monaco.provider('CompletionItem').provideCompletionItems(model, { lineNumber: 1, column: 7 }, {}, { isCancellationRequested: true });
    assert.equal(stopped, undefined);
    registration.dispose();
  },
};

let failed = 0;
for (const [name, run] of Object.entries(tests)) {
  try {
    await run();
    console.log(`ok      ${name}`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED  ${name}\n${String(error?.stack ?? error).replaceAll(/^/gm, '        ')}`);
  }
}
const count = Object.keys(tests).length;
console.log(`${count} tests`);
console.log(`${count - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

/** As much of Monaco as the adapter uses. */
function fake() {
  const models = [];
  const events = { create: new Set(), dispose: new Set(), language: new Set() };
  const providers = [];
  const languages = ['sql'];
  const on = (set) => (listener) => {
    set.add(listener);
    return { dispose: () => set.delete(listener) };
  };
  const provide = (kind) => (_language, provider) => {
    const entry = { kind, provider };
    providers.push(entry);
    return { dispose: () => providers.splice(providers.indexOf(entry), 1) };
  };
  const fire = (set, event) => [...set].forEach((listener) => listener(event));
  const kinds = new Proxy({}, { get: (_target, name) => name });
  return {
    api: {
      MarkerSeverity: { Hint: 1, Info: 2, Warning: 4, Error: 8 },
      Uri: { parse: (address) => address },
      editor: {
        getModels: () => [...models],
        onDidCreateModel: on(events.create),
        onWillDisposeModel: on(events.dispose),
        onDidChangeModelLanguage: on(events.language),
        setModelMarkers: (model, _owner, markers) => {
          assert.equal(model.isDisposed(), false, 'markers of a model that is gone');
          model.markers = markers;
        },
      },
      languages: {
        CompletionItemKind: kinds,
        getLanguages: () => languages.map((id) => ({ id })),
        register: ({ id }) => languages.push(id),
        registerCodeActionProvider: provide('CodeAction'),
        registerCompletionItemProvider: provide('CompletionItem'),
        registerDefinitionProvider: provide('Definition'),
        registerHoverProvider: provide('Hover'),
        registerDocumentSemanticTokensProvider: provide('DocumentSemanticTokens'),
      },
    },
    languages,
    alive: () => providers.length + events.create.size + events.dispose.size + events.language.size,
    provider: (wanted) => providers.find(({ kind }) => kind === wanted)?.provider,
    markers: (model) => model.markers,
    model: (text, language = 'sql') => {
      const model = textModel(text, language);
      models.push(model);
      fire(events.create, model);
      return model;
    },
    type: (model, text) => {
      model.text = text;
      model.version += 1;
      fire(model.listeners, {});
    },
    speak: (model, language) => {
      const oldLanguage = model.language;
      model.language = language;
      fire(events.language, { model, oldLanguage });
    },
    remove: (model) => {
      fire(events.dispose, model);
      model.disposed = true;
      models.splice(models.indexOf(model), 1);
    },
  };
}

function textModel(text, language) {
  const lineStarts = (value) => [0, ...[...value.matchAll(/\r\n|\r|\n/g)].map((match) => match.index + match[0].length)];
  return {
    text,
    language,
    version: 1,
    disposed: false,
    markers: [],
    listeners: new Set(),
    uri: 'inmemory://model',
    getValue() {
      return this.text;
    },
    getVersionId() {
      return this.version;
    },
    getLanguageId() {
      return this.language;
    },
    isDisposed() {
      return this.disposed;
    },
    onDidChangeContent(listener) {
      this.listeners.add(listener);
      return { dispose: () => this.listeners.delete(listener) };
    },
    offset(line, column) {
      return lineStarts(this.text)[line - 1] + column - 1;
    },
    getOffsetAt({ lineNumber, column }) {
      return this.offset(lineNumber, column);
    },
    getPositionAt(offset) {
      const starts = lineStarts(this.text);
      const line = starts.findLastIndex((start) => start <= offset);
      return { lineNumber: line + 1, column: offset - starts[line] + 1 };
    },
    edited({ range, text: inserted }) {
      const start = this.offset(range.startLineNumber, range.startColumn);
      const end = this.offset(range.endLineNumber, range.endColumn);
      return this.text.slice(0, start) + inserted + this.text.slice(end);
    },
  };
}
