/**
 * What the package says about one case, as text. Runs in Node and in the page, which is given this very file: it imports nothing.
 * `options` is the case's `.options.json`, an empty object when it has none. `whole` is the module with column lineage, `light`
 * the one without, which has to say the same but for it.
 *
 * @returns {{ parse?: string, plan?: string, sql?: string, graph?: string, editor?: string, threw?: string, differs?: string[] }}
 */
export function answers({ whole, light }, text, options) {
  const plain = ofModule(whole, text, options);
  const own = ofModule(light, text, options);
  const differs = Object.keys({ ...plain, ...own }).filter((kind) => plain[kind] !== own[kind]);
  return { ...ofModule(whole, text, options, { lineage: true }), differs };
}

function ofModule(parser, text, options, parseOptions) {
  const said = {};
  try {
    said.parse = json(parser.validate(text, parseOptions));
    if (options.plan) {
      said.plan = json(parser.plan(text, options.plan));
      said.sql = parser.planSql(text, options.plan);
    }
    if (options.files) said.graph = json(parser.graph(scripts(text, options.files)));
    const { columns, definitions, ...light } = options;
    const asked = parseOptions?.lineage ? options : light;
    if (asked.complete || asked.hover || asked.columns || asked.definitions || asked.tokens) said.editor = json(editor(parser, text, asked));
  } catch (error) {
    said.threw = String(error?.stack ?? error);
  }
  return said;
}

/** The case and the other scripts of its project, in the order in which the native harness names them. */
function scripts(text, files) {
  const others = Object.keys(files).sort();
  return [{ path: 'case.sql', text }, ...others.map((path) => ({ path, text: files[path].join('\n') }))];
}

function editor(parser, text, { complete = [], context = {}, hover = [], columns = [], definitions = [], tokens = false }) {
  const said = {};
  if (complete.length > 0) said.complete = complete.map((at) => ({ at, offers: parser.complete(text, place(text, at), context) }));
  if (hover.length > 0) said.hover = hover.map((at) => ({ at, hover: parser.hover(text, place(text, at)) ?? null }));
  if (columns.length > 0) said.columns = columns.map((at) => ({ at, hover: parser.hoverColumn(text, place(text, at), context) ?? null }));
  if (definitions.length > 0) said.definitions = definitions.map((at) => ({ at, definition: parser.definition(text, place(text, at)) ?? null }));
  if (tokens) said.tokens = named(text, parser.semanticTokens(text), parser.tokenClasses());
  return said;
}

/** The offset of the `|` of `at`, which is a part of the text but for it. */
function place(text, at) {
  const cursor = at.indexOf('|');
  const start = text.indexOf(at.replace('|', ''));
  if (cursor < 0 || start < 0) throw new Error(`no place ${JSON.stringify(at)} in the text`);
  return start + cursor;
}

/** `<class> <text>` for each token. */
function named(text, numbers, classes) {
  const names = [];
  for (let at = 0; at + 2 < numbers.length; at += 3) {
    const [start, length, kind] = numbers.slice(at, at + 3);
    names.push(`${classes[kind]} ${text.slice(start, start + length)}`);
  }
  return names;
}

function json(value) {
  return JSON.stringify(value, null, 2);
}
