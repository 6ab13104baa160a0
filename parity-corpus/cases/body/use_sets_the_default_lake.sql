ATTACH 'ducklake://shop' AS dl;
USE dl;
CREATE TEMP TABLE mine AS FROM orders;
FROM orders, raw.events, mine, memory.x;
USE memory;
FROM lines
