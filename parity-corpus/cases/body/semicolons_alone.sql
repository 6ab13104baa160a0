;;
 -- nothing
;
