/** What the planner is told about the target table. */
export type Shape = 'absent' | 'same' | 'other';

/** All that a person can change in the page. */
export interface Draft {
  script: string;
  /** The partition to write; empty for none. */
  partition: string;
  shape: Shape;
  /** Columns of the SELECT, as text: `id INTEGER, name VARCHAR`. */
  output: string;
  /** Columns of the target table when `shape` is `other`, as text. */
  target: string;
}

export interface Example {
  name: string;
  draft: Draft;
}

export const EXAMPLES: readonly [Example, ...Example[]] = [
  {
    name: 'Daily slices',
    draft: {
      script: `-- materialize ducklake://analytics/orders_daily
-- partitioned daily tz=Europe/Paris
-- data_test unique order_id
-- data_test not_null amount
ATTACH 'ducklake://raw' AS raw;

-- Each run replaces one day, in one transaction.
SELECT order_id, customer, amount, ordered_at
FROM raw.orders
WHERE wm_partition(ordered_at) = {partition};
`,
      partition: '2024-06-19',
      shape: 'absent',
      output: 'order_id BIGINT, customer VARCHAR, amount DECIMAL(10,2), ordered_at TIMESTAMP',
      target: '',
    },
  },
  {
    name: 'Merge by key',
    draft: {
      script: `-- materialize ducklake://crm/customers key=customer_id
-- data_test unique customer_id
-- data_test accepted_values tier = free,pro,team
-- data_test relationships country -> ducklake://crm/countries.code
ATTACH 'ducklake://raw' AS raw;

-- The latest event of each customer replaces what the table has under that key.
SELECT customer_id, name, tier, country, updated_at
FROM raw.customer_events
QUALIFY row_number() OVER (PARTITION BY customer_id ORDER BY updated_at DESC) = 1;
`,
      partition: '',
      shape: 'same',
      output: 'customer_id BIGINT, name VARCHAR, tier VARCHAR, country VARCHAR, updated_at TIMESTAMP',
      target: '',
    },
  },
  {
    name: 'A few mistakes',
    draft: {
      script: `-- materialise ducklake://shop/returns key = return_id
-- partitioned daly tz=Europe/Berlin
-- freshness 1 day
-- data_test not_null
-- data_test unqiue return_id
ATTACH 'ducklake://raw' AS raw;

-- Put the cursor on an underlined word and press Ctrl+. for the fix.
SELECT return_id, order_id, reason, returned_at
FROM raw.returns
WHERE wm_partition(returned_at) = {partition};
`,
      partition: '2024-06-19',
      shape: 'absent',
      output: 'return_id BIGINT, order_id BIGINT, reason VARCHAR, returned_at TIMESTAMP',
      target: '',
    },
  },
];
