-- on kafka topic=orders group="a b" topic=invoices
-- on schedule cron='0 * * * *'
SELECT 1 AS id, 'a' AS name
