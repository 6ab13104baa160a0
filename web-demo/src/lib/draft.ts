/** What the planner is told about the target table. */
export type Shape = 'absent' | 'same' | 'other';

/** One script, and what its plan assumes. */
export interface Draft {
  /** Its name among the open scripts. */
  path: string;
  script: string;
  /** The partition to write; empty for none. */
  partition: string;
  shape: Shape;
  /** Columns of the SELECT, as text: `id INTEGER, name VARCHAR`. */
  output: string;
  /** Columns of the target table when `shape` is `other`, as text. */
  target: string;
}

export const CATALOGS = { sqlite: 'SQLite', duckdb: 'DuckDB', postgres: 'PostgreSQL' } as const;
export type CatalogKind = keyof typeof CATALOGS;

/** All that a person can change in the page. */
export interface Project {
  /** At least one. */
  drafts: Draft[];
  /** The path of the one in the editor. */
  open: string;
  /** What the catalogs of the lakes are stored in. */
  catalog: CatalogKind;
}

/** Three scripts that make a pipeline; the last has a few mistakes in it. */
export const EXAMPLES: Project = {
  open: 'orders_daily.sql',
  catalog: 'sqlite',
  drafts: [
    {
      path: 'orders_daily.sql',
      script: `-- materialize ducklake://shop/orders_daily
-- partitioned daily tz=Europe/Paris
-- data_test unique order_id
-- data_test not_null amount
-- data_test relationships customer -> ducklake://shop/customers.id
ATTACH 'ducklake://raw' AS raw;

-- Each run replaces one day, in one transaction.
SELECT order_id, customer, amount, ordered_at
FROM raw.orders
WHERE wm_partition(ordered_at) = {partition};
`,
      partition: '2024-06-19',
      shape: 'absent',
      output: 'order_id BIGINT, customer BIGINT, amount DECIMAL(10,2), ordered_at TIMESTAMP',
      target: '',
    },
    {
      path: 'customers.sql',
      script: `-- materialize ducklake://shop/customers key=id
-- data_test unique id
-- data_test accepted_values tier = free,pro,team
ATTACH 'ducklake://raw' AS raw;

-- The latest event of each customer replaces what the table has under that key.
SELECT id, name, tier, country, updated_at
FROM raw.customer_events
QUALIFY row_number() OVER (PARTITION BY id ORDER BY updated_at DESC) = 1;
`,
      partition: '',
      shape: 'same',
      output: 'id BIGINT, name VARCHAR, tier VARCHAR, country VARCHAR, updated_at TIMESTAMP',
      target: '',
    },
    {
      path: 'revenue.sql',
      script: `-- materialize ducklake://shop/revenue key = country
-- freshness 1 day
-- data_test unqiue country
-- data_tset not_null revenue
ATTACH 'ducklake://shop' AS shop;

-- A few mistakes. On an underlined word, Ctrl+. offers the fix.
SELECT c.country, sum(o.amount) AS revenue
FROM shop.orders_daily AS o
JOIN shop.customers AS c ON c.id = o.customer
GROUP BY c.country;
`,
      partition: '',
      shape: 'absent',
      output: 'country VARCHAR, revenue DECIMAL(38,2)',
      target: '',
    },
  ],
};

/** A script that reads what the first one writes. */
export function newDraft(taken: readonly Draft[]): Draft {
  let number = 1;
  while (taken.some(({ path }) => path === `new_${number}.sql`)) number += 1;
  return {
    path: `new_${number}.sql`,
    script: `-- materialize ducklake://shop/new_${number}
ATTACH 'ducklake://shop' AS shop;

SELECT * FROM shop.orders_daily;
`,
    partition: '',
    shape: 'absent',
    output: 'order_id BIGINT, customer BIGINT, amount DECIMAL(10,2), ordered_at TIMESTAMP',
    target: '',
  };
}
