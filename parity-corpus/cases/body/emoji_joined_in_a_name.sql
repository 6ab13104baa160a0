-- materialize ducklake://shop/people
-- A zero-width joiner is part of a name, a zero-width space is not.
SELECT 👩‍🚀.id AS न्‍य​FROM 👩‍🚀;
