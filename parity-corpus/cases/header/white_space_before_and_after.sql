	 -- 	 tag 	 heavy 	 
 -- retry 3
 # freshness 1h

   
SELECT 1 AS id, 'a' AS name
