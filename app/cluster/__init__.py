"""Runs on other machines: a task queue hands them to workers, Redis carries what happens in them back to the web
processes (docs/decisions/0011-task-queue.md, docs/deploy.md).

:class:`app.cluster.runner.ClusterRunner` looks like :class:`app.runner.Runner`; whoever hands programs in does not know
which it has. :class:`app.cluster.worker.Worker` is one machine's share of the work. Nothing is imported here: the
default set-up has neither Redis's client nor the task queue.
"""
