"""What verl is, release by release. Facts are data files; code reads them."""
