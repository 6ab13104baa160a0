-- materialize ducklake://shop/orders
ATTACH 'ducklake://shop' AS _WM_target;
ATTACH 'ducklake://_wm_ref_1';
ATTACH '_wmx.db' AS _wmx;
FROM _wm_target.raw
