SELECT $1, $name, ?, #1, a->>'b', c // d, e ** f, g::INT, h ^@ 'i', j => k FROM t
