-- materialize ducklake://shop/orders key=É,é,é
SELECT 1 AS "É", 2 AS "é", 3 AS "é"
