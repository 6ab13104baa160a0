-- tag heavy
#!/usr/bin/env lakemill
-- retry 2
SELECT 1 AS id, 'a' AS name
