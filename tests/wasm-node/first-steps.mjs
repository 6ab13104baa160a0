// What somebody does with the package in a first hour, as a plain script: no flag, no compiler, no set-up. It stands in a
// project of its own, with nothing but the installed package.
import assert from 'node:assert/strict';

import init, { applyFix, complete, graph, hover, parse, plan, planSql, semanticTokens, tokenClasses, validate, version } from '@lakemill/parser';
import { codes, explain } from '@lakemill/parser/codes';

// In Node the functions work at once; a source that also runs in the browser may await `init` all the same.
assert.equal(parse('-- retry 3\nSELECT 1').header.retry.count, 3);
await init();

const typo = `-- materialise ducklake://shop/größe
-- partitioned daily
-- data_test unique id
SELECT 1 AS id, '🦆' AS name WHERE {partition} > ''
`;

const { diagnostics } = validate(typo);
for (const { code, message, range, severity } of diagnostics) {
  console.log(`       ${range.startLine}:${range.startColumn} ${severity} ${code} ${message}`);
}
const misspelt = diagnostics.find(({ code }) => code === 'LM001');
assert.equal(typo.slice(misspelt.range.utf16Start, misspelt.range.utf16End), 'materialise');

const script = applyFix(typo, misspelt.fix);
assert.equal(script, typo.replace('materialise', 'materialize'));
assert.deepEqual(validate(script).diagnostics, []);
assert.deepEqual(parse(script).header.materialize.asset.path, 'shop/größe');

const offered = complete('-- mat', '-- mat'.length);
assert.equal(offered[0].insertText.trim(), 'materialize');
const columns = complete('-- materialize ducklake://shop/orders\n-- data_test unique ', 58, {
  assets: [{ uri: 'ducklake://shop/orders', columns: [{ name: 'order_id', type: 'BIGINT' }] }],
});
assert.ok(columns.some(({ label }) => label === 'order_id'));

assert.match(hover(script, 5).markdown, /materialize/);
assert.match(hover(typo, 5).findings[0], /LM001/);
assert.equal(semanticTokens(script).length % 3, 0);
assert.ok(tokenClasses().length > 0);
assert.equal(explain('LM001').name, explain(explain('LM001').name).name);
assert.ok(codes().length > 20);

const output = [{ name: 'id', type: 'INTEGER' }, { name: 'name', type: 'VARCHAR' }];
const refused = plan(script, { output });
assert.equal(refused.stages, undefined);
assert.match(refused.diagnostics[0].message, /partition/);
const options = { output, partition: '2024-06-19' };
assert.match(planSql(script, options), /CREATE TABLE/);
assert.doesNotMatch(planSql(script, { ...options, target: 'same' }), /CREATE TABLE/);
assert.throws(() => plan(script, { ...options, partitions: [] }), /partitions/);
for (const { name, statements } of plan(script, options).stages) console.log(`       ${name}: ${statements.length}`);

// Column lineage is in a module of its own, and an editor loads the smaller one.
assert.throws(() => parse(script, { lineage: true }), /@lakemill\/parser\/lineage/);
const { parse: parseWhole } = await import('@lakemill/parser/lineage');
const { lineage } = parseWhole("-- materialize ducklake://shop/b\nATTACH 'ducklake://shop' AS s;\nSELECT price * 2 AS double FROM s.a", { lineage: true }).body;
assert.deepEqual([lineage[0].column, lineage[0].inputs[0].column], ['double', 'price']);

const pipeline = graph([
  { path: 'report.sql', text: "-- materialize ducklake://shop/report\nATTACH 'ducklake://shop' AS s;\nSELECT * FROM s.größe" },
  { path: 'script.sql', text: script },
]);
assert.deepEqual(pipeline.order, ['script.sql', 'report.sql']);

console.log(`       a plain script with version ${version()} parses, validates, completes, mends, plans and prints`);

// JavaScript hands over anything. What is no text is refused, time and again, and the module goes on.
for (let call = 0; call < 1500; call += 1) {
  assert.throws(() => parse(undefined), /no string/);
  assert.throws(() => hover({}, 1), /no string/);
  assert.throws(() => semanticTokens(5), /no string/);
  assert.throws(() => plan('SELECT 1', Symbol('x')), /not a plain object/);
}
assert.equal(parse('-- retry 3\nSELECT 1').header.retry.count, 3);
