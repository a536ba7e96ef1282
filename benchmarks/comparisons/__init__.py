"""One comparison a file. Each has ``run(rounds)``, which measures (``rounds`` 0: its own number) and gives a
:class:`benchmarks.report.Result` with its floors."""
