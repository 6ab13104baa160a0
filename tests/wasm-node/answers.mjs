/**
 * What the package says about one case, as text. Runs in Node and in the page, which is given this very file: it imports nothing.
 *
 * @returns {{ parse?: string, plan?: string, sql?: string, threw?: string }}
 */
export function answers(parser, text, plan) {
  const said = {};
  try {
    said.parse = json(parser.validate(text));
    if (plan !== undefined) {
      said.plan = json(parser.plan(text, plan));
      said.sql = parser.planSql(text, plan);
    }
  } catch (error) {
    said.threw = String(error?.stack ?? error);
  }
  return said;
}

function json(value) {
  return JSON.stringify(value, null, 2);
}
