// The form's state as the planner's options, and the planner's reply as what the page shows.
import { columnsOf } from './columns';
import type { CatalogKind, Draft } from './draft';
import { parser, type Diagnostic, type Parsed, type PlanOptions, type Stage } from './parser';

export interface Assumed {
  options: PlanOptions;
  /** What cannot be read in the two fields. */
  outputProblem: string | undefined;
  targetProblem: string | undefined;
}

export interface Preview {
  stages: Stage[];
  sql: string;
  summary: string;
  statements: number;
  warnings: string[];
  reasons: Diagnostic[];
}

export function planOptions(draft: Draft, parsed: Parsed, catalog: CatalogKind): Assumed {
  const output = columnsOf(draft.output);
  const target = columnsOf(draft.target);
  const partitioned = parsed.header.partition !== undefined;
  const partition = draft.partition.trim();

  const options: PlanOptions = { output: output.columns, catalog };
  if (partitioned && partition !== '') options.partition = partition;
  if (draft.shape === 'same') options.target = 'same';
  else if (draft.shape === 'other') options.target = { output: target.columns };
  return { options, outputProblem: output.problem, targetProblem: draft.shape === 'other' ? target.problem : undefined };
}

export function planned(script: string, options: PlanOptions): Preview {
  const { strategy, target, partition, stages = [], warnings = [], diagnostics = [] } = parser.plan(script, options);
  const statements = stages.reduce((count, stage) => count + stage.statements.length, 0);
  const slice = partition === undefined ? '' : ` [${partition}]`;
  return {
    stages,
    sql: statements === 0 ? '' : parser.planSql(script, options),
    summary: strategy === undefined ? '' : `${strategy.replaceAll('_', ' ')} ${target ?? ''}${slice}`,
    statements,
    warnings,
    reasons: diagnostics,
  };
}
