"""The tables, as they are after every migration. ``tests/store`` compares them with what the migrations make."""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    CheckConstraint,
    Column,
    Float,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
)

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    }
)

# Times are seconds since 1970 (UTC), as `time.time()` gives them.

programs = Table(
    "programs",
    metadata,
    Column("id", String(52), primary_key=True),
    Column("digest", LargeBinary(32), nullable=False, unique=True),  # SHA-256 of source and options
    Column("source", Text, nullable=False),
    Column("options", JSON, nullable=False),
    Column("size", Integer, nullable=False),  # bytes of source and options
    Column("created", Float, nullable=False),
)

classes = Table(
    "classes",
    metadata,
    Column("code", String(16), primary_key=True),
    Column("key_digest", LargeBinary(32), nullable=False),  # SHA-256 of the teacher's key, which is stored nowhere
    Column("created", Float, nullable=False),
    Column("closed", Float),
    Column("last", Integer, nullable=False),  # the number of the newest event
    CheckConstraint("last >= 0", name="last"),
)

class_events = Table(
    "class_events",
    metadata,
    Column("code", String(16), ForeignKey("classes.code", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("time", Float, nullable=False),
    Column("kind", String(32), nullable=False),
    Column("body", JSON, nullable=False),
)
