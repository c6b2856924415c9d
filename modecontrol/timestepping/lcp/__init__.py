"""Linear complementarity problems: one problem, the methods that try it, and the certificate of an answer."""
