SELECT $tag$ never; $$ closed
