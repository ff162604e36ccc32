"""Changing every text in plain data: frozen dataclasses, tuples, lists and dicts of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, TypeVar, cast

T = TypeVar("T")


def map_texts(
    value: T, how: Callable[[str], str], named: Callable[[str, str], str] | None = None
) -> T:
    """Give the data with every string in it changed by ``how``; the same object when nothing is to change.

    ``named`` changes the strings that stand under a name in a dict, and is given that name too.
    """
    return cast("T", _Walk(how, named).over(value))


@dataclass(frozen=True, slots=True)
class _Walk:
    how: Callable[[str], str]
    named: Callable[[str, str], str] | None

    def over(self, value: Any) -> Any:
        if isinstance(value, str):
            return self.how(value)
        if isinstance(value, tuple):
            old = cast("tuple[Any, ...]", value)
            new = tuple(self.over(item) for item in old)
            return old if all(a is b for a, b in zip(old, new, strict=True)) else new
        if isinstance(value, list):
            return [self.over(item) for item in cast("list[Any]", value)]
        if isinstance(value, dict):
            return {
                self.over(k): self.under(k, v) for k, v in cast("dict[Any, Any]", value).items()
            }
        if is_dataclass(value) and not isinstance(value, type):
            changed: dict[str, Any] = {}
            for field in fields(value):
                old = getattr(value, field.name)
                new = self.over(old)
                if new is not old and new != old:
                    changed[field.name] = new
            return replace(value, **changed) if changed else value
        return value

    def under(self, name: Any, value: Any) -> Any:
        if self.named is not None and isinstance(name, str) and isinstance(value, str):
            return self.named(name, value)
        return self.over(value)
