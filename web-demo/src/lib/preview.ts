// The form's state as the planner's options, and the planner's reply as what the page shows.
import { columnsOf } from './columns';
import type { Draft } from './draft';
import { parser, type Diagnostic, type Parsed, type PlanOptions, type WireColumn } from './parser';

export interface Assumed {
  options: PlanOptions;
  /** What cannot be read in the two fields. */
  outputProblem: string | undefined;
  targetProblem: string | undefined;
}

export interface Preview {
  sql: string;
  summary: string;
  statements: number;
  warnings: string[];
  reasons: Diagnostic[];
}

/** The column that a managed table of slices is partitioned by, as the planner names it. */
const PARTITION_COLUMN: WireColumn = { name: '_wm_partition', type: 'VARCHAR' };

export function planOptions(draft: Draft, parsed: Parsed): Assumed {
  const output = columnsOf(draft.output);
  const target = columnsOf(draft.target);
  const partitioned = parsed.header.partition !== undefined;
  const partition = draft.partition.trim();

  const options: PlanOptions = { output: output.columns };
  if (partitioned && partition !== '') options.partition = partition;
  if (draft.shape !== 'absent') {
    const columns = draft.shape === 'same' ? output.columns : target.columns;
    options.target = partitioned
      ? { columns: [...columns, PARTITION_COLUMN], partitionedBy: [PARTITION_COLUMN.name] }
      : { columns };
  }
  return { options, outputProblem: output.problem, targetProblem: draft.shape === 'other' ? target.problem : undefined };
}

export function planned(script: string, options: PlanOptions): Preview {
  const { strategy, target, partition, stages = [], warnings = [], diagnostics = [] } = parser.plan(script, options);
  const statements = stages.reduce((count, stage) => count + stage.statements.length, 0);
  const slice = partition === undefined ? '' : ` [${partition}]`;
  return {
    sql: statements === 0 ? '' : parser.planSql(script, options),
    summary: strategy === undefined ? '' : `${strategy.replaceAll('_', ' ')} ${target ?? ''}${slice}`,
    statements,
    warnings,
    reasons: diagnostics,
  };
}
