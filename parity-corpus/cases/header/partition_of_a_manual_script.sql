-- materialize manual ducklake://shop/orders
-- partitioned daily
DELETE FROM shop.orders WHERE day = {partition}
