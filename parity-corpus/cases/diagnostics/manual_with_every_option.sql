-- materialize manual ducklake://shop/orders append history track=a deletes=close
SELECT 1
