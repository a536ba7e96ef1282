# prints=\(75, 4\)
from sklearn.datasets import make_classification, make_circles
from sklearn.model_selection import train_test_split, KFold
X, y = make_classification(n_samples=100, n_features=4, random_state=0)
a, b, c, d = train_test_split(X, y, random_state=0, stratify=y)
print(a.shape, b.shape, c.sum(), d.sum())
for train, test in KFold(4).split(X):
    print(len(train), len(test))
print(make_circles(10, random_state=0)[1])
