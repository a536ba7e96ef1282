"""compile, fit, evaluate, predict: :mod:`.trainer` and what it is made of."""
