# title: A loop in plain Python
# group: Python
# note: No tensor, no graph: lines, variables and output are recorded all the same.

def collatz(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


longest = 0
for start in range(1, 10):
    steps = collatz(start)
    if steps > longest:
        longest = steps
        print("from", start, "it takes", steps, "steps")
