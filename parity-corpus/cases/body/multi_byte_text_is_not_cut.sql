SELECT 'é🦆;日本' AS "naïve;", 名前 FROM 表; FROM 🦆
