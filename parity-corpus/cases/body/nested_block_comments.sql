SELECT 1 /* a /* b; */ c; */ AS id;
/* only a comment; */
