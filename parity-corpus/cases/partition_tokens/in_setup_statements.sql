-- materialize ducklake://shop/orders
-- partitioned daily
SET VARIABLE day = {partition};
CREATE TEMP TABLE raw AS FROM read_csv('s3:///in/{partition}.csv');
FROM raw WHERE day = getvariable('day')
