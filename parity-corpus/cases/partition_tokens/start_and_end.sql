-- materialize ducklake://shop/orders
-- partitioned daily
FROM t WHERE ts >= {partition_start} AND ts < '{partition_end}'::TIMESTAMP AND x = 'until {partition_end}' AND y > TIMESTAMP '{partition_start}'
