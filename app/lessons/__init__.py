"""Lessons: folders of text and programs, read, checked and replayed. ``docs/lessons.md`` is the contract."""

from __future__ import annotations

from app.lessons.course import Course, load
from app.lessons.model import Lesson, LessonError

__all__ = ["Course", "Lesson", "LessonError", "load"]
