// The parser as a module of the page. `load` must have ended before the others are called.
import init, * as parser from '@lakemill/parser';

export type { Column, Diagnostic, GraphEdgeKind, Parsed, PlanOptions, ProjectGraph, Stage } from '@lakemill/parser';
export { parser };

export async function load(): Promise<void> {
  await init();
}
