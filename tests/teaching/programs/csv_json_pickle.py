# files=rows.csv,rows.json,rows.pkl prints=3
import csv
import json
import pickle
from pathlib import Path
rows = [{"x": n, "y": n * n} for n in range(3)]
with open("rows.csv", "w", newline="") as file:
    writer = csv.DictWriter(file, ["x", "y"])
    writer.writeheader()
    writer.writerows(rows)
Path("rows.json").write_text(json.dumps(rows))
with open("rows.pkl", "wb") as file:
    pickle.dump(rows, file)
print(len(list(csv.DictReader(open("rows.csv")))), pickle.load(open("rows.pkl", "rb")) == json.loads(Path("rows.json").read_text()))
