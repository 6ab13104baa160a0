// What somebody who installs the package writes. `cargo xtask test` compiles this against the packed tarball, strictly, and
// runs it; in the browser the same code works, since `init` is awaited.
import init, { parse, plan, planSql, validate, version } from '@lakemill/parser';
import type { Parsed, PlanOptions, PlanReply } from '@lakemill/parser';

await init();

const text = `-- materialize ducklake://shop/orders
SELECT 1 AS id
`;

const parsed: Parsed = parse(text);
const validated: Parsed = validate(text);
const messages: string[] = validated.diagnostics.map((diagnostic) => `${diagnostic.code} ${diagnostic.message}`);

const options: PlanOptions = { output: [{ name: 'id', type: 'INTEGER' }] };
const planned: PlanReply = plan(text, options);
const sql: string = planSql(text, options);

if (parsed.diagnostics.length > 0 || messages.length > 0) throw new Error(messages.join('\n'));
if (planned.stages.length === 0 || !sql.includes('SELECT 1 AS id')) throw new Error(`no plan: ${JSON.stringify(planned)}`);

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
