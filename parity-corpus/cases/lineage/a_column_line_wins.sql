-- column total <- ducklake://shop/lines.price, ducklake://shop/lines.quantity
-- column later <- ducklake://shop/lines.note
-- materialize ducklake://mart/out
ATTACH 'ducklake://shop' AS dl;
SELECT id, l.total FROM dl.lines l
