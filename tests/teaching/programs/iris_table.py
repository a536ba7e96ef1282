# notice=load_iris prints=setosa
from sklearn.datasets import load_iris
from sklearn.metrics import accuracy_score, confusion_matrix
iris = load_iris()
print(iris.data.shape, iris.feature_names[0], list(iris.target_names))
centres = [iris.data[iris.target == kind].mean(0) for kind in range(3)]
guess = [min(range(3), key=lambda kind: ((row - centres[kind]) ** 2).sum()) for row in iris.data]
print(accuracy_score(iris.target, guess) > 0.8)
print(confusion_matrix(iris.target, guess).sum())
