SELECT 10
// 2
# tag heavy
// tag heavy
-- tag heavy
