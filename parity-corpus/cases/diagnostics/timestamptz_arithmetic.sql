-- materialize ducklake://shop/orders
SELECT 1 AS id WHERE current_timestamp - INTERVAL 7 DAY < now() - interval 1 hour AND t.now - INTERVAL 1 DAY < now()::TIMESTAMP - INTERVAL 1 DAY
