SELECT E'it\'; FROM t
