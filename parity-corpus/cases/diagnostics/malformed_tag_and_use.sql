-- tag two words
-- tag
-- use lib
-- use f/a f/b
-- pipeline now
-- macros here
-- mute
SELECT 1 AS id, 'a' AS name
