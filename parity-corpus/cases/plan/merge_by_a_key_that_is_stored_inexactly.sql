-- materialize ducklake://shop/t key=id
SELECT sum(x) AS id FROM range(3) t(x)
