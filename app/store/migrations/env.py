"""Alembic's entry: runs the migrations on the connection that :func:`app.store.migrations.upgrade` was given."""

from __future__ import annotations

from alembic import context

from app.store.tables import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
context.run_migrations()
