#!/usr/bin/env lakemill
-- 🦆 é
-- materialize scd2 ducklake://shop/é🦆 key="order id",x track=a deletes=close odd
-- partitioned daily tz=UTC format='%Y 🦆'
-- data_test accepted_values s = a,"b c"
-- column total <- ducklake://shop/o.amount
-- measure n = sum(x) where y > 1
// retry 3 5s
# on kafka topic=a
--- tag no
SELECT 1
