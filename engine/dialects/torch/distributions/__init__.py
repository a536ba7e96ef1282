"""``torch.distributions``: random variables with samples, log-probabilities and divergences."""
