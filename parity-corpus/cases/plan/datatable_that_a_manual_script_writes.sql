ATTACH 'datatable://crm' AS crm;
ATTACH 'datatable://erp' AS erp;
CREATE OR REPLACE TABLE crm.scores AS SELECT id, count(*) AS orders FROM erp.orders GROUP BY id;
