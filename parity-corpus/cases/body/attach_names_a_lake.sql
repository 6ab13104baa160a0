ATTACH 'ducklake://shop' AS dl;
ATTACH IF NOT EXISTS 'ducklake' AS "m n" (READ_ONLY);
ATTACH 'ducklake://';
ATTACH 'datatable://app' AS pg;
ATTACH 'ducklake:sqlite:meta.db' AS own (DATA_PATH 'd/');
FROM dl.orders, "M N".t, main.t, pg.users, own.t
