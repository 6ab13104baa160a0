// What somebody who installs the package writes. `cargo xtask test` compiles this against the packed tarball, strictly, and
// runs it; in the browser the same code works, since `init` is awaited.
import init, * as parser from '@lakemill/parser';
import { complete, graph, hover, parse, plan, planSql, validate, version } from '@lakemill/parser';
import type { Column, CompletionContext, Hover, Parsed, PlanOptions, PlanReply, Stage } from '@lakemill/parser';
import { explain } from '@lakemill/parser/codes';
import initWhole, * as whole from '@lakemill/parser/lineage';
import type { ColumnLineage } from '@lakemill/parser/lineage';
import { editsOf, register, toMonaco } from '@lakemill/parser/monaco';
import type { MonacoApi, Parser, RegisterOptions, Registration } from '@lakemill/parser/monaco';
import type * as monaco from 'monaco-editor';

await init();
await initWhole();

const text = `-- materialize ducklake://shop/orders
SELECT 1 AS id
`;

const parsed: Parsed = parse(text);
const validated: Parsed = validate(text);
const messages: string[] = validated.diagnostics.map((diagnostic) => `${diagnostic.code} ${diagnostic.message}`);

const output: Column[] = [{ name: 'id', type: 'INTEGER' }];
// An option that is not known yet may be there as `undefined`.
const partition: string | undefined = undefined;
const options: PlanOptions = { output, partition, target: 'same', lakes: { shop: 'postgres' }, catalog: 'sqlite' };
const planned: PlanReply = plan(text, options);
const sql: string = planSql(text, options);

if (parsed.diagnostics.length > 0 || messages.length > 0) throw new Error(messages.join('\n'));
// @ts-expect-error nothing is planned for some scripts, and the stages are absent then
const unchecked = () => planned.stages.length;
const stages: Stage[] = planned.stages ?? [];
const names: Stage['name'][] = stages.map(({ name }) => name);
if (unchecked() !== stages.length || !names.includes('publish') || !sql.includes('dbname=shop') || !sql.includes('SELECT 1 AS id')) throw new Error(`no plan: ${JSON.stringify(planned)}`);

const lineage: ColumnLineage[] = whole.parse("-- materialize ducklake://shop/b\nATTACH 'ducklake://shop' AS s;\nSELECT id FROM s.a", { lineage: true }).body.lineage ?? [];
if (lineage[0]?.inputs[0]?.column !== 'id') throw new Error(`no lineage: ${JSON.stringify(lineage)}`);
// What one module returns, the other takes: the objects are plain.
const same: Parsed = whole.parse(text);
if (JSON.stringify(same) !== JSON.stringify(parsed)) throw new Error('the modules disagree');

const rules: string[] = validated.diagnostics.map(({ code }) => explain(code)?.explanation ?? code);
if (rules.length !== messages.length || explain('lm001')?.name !== 'unknown-keyword') throw new Error('no explanation');

const context: CompletionContext = { lakes: ['shop'] };
const labels: string[] = complete('-- mat', 6, context).map(({ label }) => label);
const found: Hover | undefined = hover(text, 5);
const meaning: string = found?.markdown ?? '';
const findings: string[] = found?.findings ?? [];
if (labels[0] !== 'materialize' || meaning === '' || findings.length > 0) throw new Error('no completion, or no hover');
const { order, cycles } = graph([{ path: 'orders.sql', text }]);
if (order[0] !== 'orders.sql' || cycles.length > 0) throw new Error('no order');

// Not called: there is no Monaco in Node. The module and its real types are enough for a stranger's editor to be written.
const languages: RegisterOptions = { languageId: 'sql', plan: () => options, context: () => context, onCheck: (model, { diagnostics }) => void [model.uri, diagnostics] };
const attach = (api: typeof monaco): Registration => register(api, parser, languages);
const attachWhole = (api: typeof monaco): Registration => register(api, whole, languages);
const attachPart = (api: MonacoApi, some: Parser): Registration => register(api, some);
const edits = (): monaco.editor.IIdentifiedSingleEditOperation[] => validated.diagnostics.flatMap(({ fix }) => (fix === undefined ? [] : editsOf(fix)));
const place = (): monaco.IRange | undefined => validated.diagnostics.map(({ range }) => toMonaco(range))[0];
if ([attach, attachWhole, attachPart, edits, place].some((each) => typeof each !== 'function')) throw new Error('unreachable');

// @ts-expect-error a text is a text
const refused = () => parse(42);
// @ts-expect-error an option that does not exist
const misspelt = () => plan(text, { partitions: '2026-01-01' });
if (typeof refused !== 'function') throw new Error('unreachable');
try {
  misspelt();
  throw new Error('a misspelt option was taken');
} catch (error) {
  if (!String(error).includes('partitions')) throw error;
}

console.log(`       a consumer of version ${version()} compiles and runs`);
