// The parser as a module of the page. `load` must have ended before the others are called.
import init, * as parser from '@lakemill/parser';

export type { Column, Diagnostic, Parsed, PlanOptions, PlanReply } from '@lakemill/parser';
export { parser };

export async function load(): Promise<void> {
  await init();
}
