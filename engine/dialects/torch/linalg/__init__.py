"""``torch.linalg``: systems of equations, determinants and factors of matrices."""
