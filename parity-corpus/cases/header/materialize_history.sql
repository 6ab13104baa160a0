-- materialize ducklake://shop/orders key=id history track="name, tier" deletes=close
SELECT 1 AS id, 'a' AS name, 'b' AS tier
