"""Programs behind short links; classes and their events."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "programs",
        sa.Column("id", sa.String(52), nullable=False),
        sa.Column("digest", sa.LargeBinary(32), nullable=False),
        sa.Column("source", sa.Text, nullable=False),
        sa.Column("options", sa.JSON, nullable=False),
        sa.Column("size", sa.Integer, nullable=False),
        sa.Column("created", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_programs"),
        sa.UniqueConstraint("digest", name="uq_programs_digest"),
    )
    op.create_table(
        "classes",
        sa.Column("code", sa.String(16), nullable=False),
        sa.Column("key_digest", sa.LargeBinary(32), nullable=False),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("closed", sa.Float),
        sa.Column("last", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("code", name="pk_classes"),
        sa.CheckConstraint("last >= 0", name="ck_classes_last"),
    )
    op.create_table(
        "class_events",
        sa.Column("code", sa.String(16), nullable=False),
        sa.Column("number", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("time", sa.Float, nullable=False),
        sa.Column("kind", sa.String(32), nullable=False),
        sa.Column("body", sa.JSON, nullable=False),
        sa.PrimaryKeyConstraint("code", "number", name="pk_class_events"),
        sa.ForeignKeyConstraint(["code"], ["classes.code"], name="fk_class_events_code", ondelete="CASCADE"),
    )


def downgrade() -> None:
    for table in ("class_events", "classes", "programs"):
        op.drop_table(table)
