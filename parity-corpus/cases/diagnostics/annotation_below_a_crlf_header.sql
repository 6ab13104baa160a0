#!/usr/bin/env lakemill
-- tag heavy

SELECT 1 AS id
-- retry 3
