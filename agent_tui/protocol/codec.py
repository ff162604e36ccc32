"""Protocol dataclasses to JSON and back, driven by their field types. Unions are told apart by ``kind``.

Encoding leaves out fields that hold their default, so records stay short. Decoding is strict about known fields'
types as far as it must be to rebuild the value, ignores unknown fields (a newer peer may send more), and raises
``ValueError`` for what can't be rebuilt.
"""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Callable
from functools import cache
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

T = TypeVar("T")


def to_json(value: Any) -> Any:
    """Turn a protocol value (dataclass, tuple, dict, scalar) into JSON data."""
    if value is None or isinstance(value, str | int | float | bool):
        return value
    if isinstance(value, list | tuple):
        return [to_json(item) for item in cast("list[Any]", value)]
    if isinstance(value, dict):
        return {key: to_json(item) for key, item in cast("dict[str, Any]", value).items()}
    out: dict[str, Any] = {}
    for name, default in _defaults(cast("type[Any]", type(value))):
        item = getattr(value, name)
        if name in _TAGS or item != default:
            out[name] = to_json(item)
    return out


def from_json(kind: type[T], data: Any) -> T:
    """Rebuild a value of class ``kind``.

    Raises:
        ValueError: ``data`` does not fit.
    """
    try:
        return cast("T", _decoder(kind)(data))
    except (KeyError, TypeError, AttributeError, OverflowError) as error:
        name = kind.__name__ if isinstance(kind, type) else str(kind)
        raise ValueError(f"not a {name}: {error}") from error


def union_from_json(kinds: tuple[type[T], ...], data: Any) -> T:
    """Rebuild a value of the one of ``kinds`` whose ``kind`` the data names.

    Raises:
        ValueError: no such kind, or ``data`` does not fit it.
    """
    entry = cast("dict[str, Any]", data) if isinstance(data, dict) else {}
    found = _by_kind(kinds).get(str(entry.get("kind")))
    if found is None:
        raise ValueError(f"unknown kind in {str(cast('object', data))[:80]}")
    return from_json(cast("type[T]", found), data)


MAX_INT = 2**63 - 1
"""No count, size or time is larger; Python's own numbers know no bounds, arithmetic with floats does."""

_MISSING = object()
_TAGS = ("kind", "behavior")


@cache
def _defaults(kind: type[Any]) -> tuple[tuple[str, Any], ...]:
    def default(f: dataclasses.Field[Any]) -> Any:
        if f.default is not dataclasses.MISSING:
            return f.default
        if f.default_factory is not dataclasses.MISSING:
            return f.default_factory()
        return _MISSING

    return tuple((f.name, default(f)) for f in dataclasses.fields(kind))


@cache
def _by_kind(kinds: tuple[type[Any], ...]) -> dict[str, type[Any]]:
    out: dict[str, type[Any]] = {}
    for kind in kinds:
        hint = get_type_hints(kind).get("kind")
        if get_origin(hint) is Literal:
            out.update(dict.fromkeys(map(str, get_args(hint)), kind))
        elif hint is str:
            out["*"] = kind
    return out


@cache
def _decoder(hint: Any) -> Callable[[Any], Any]:
    origin = get_origin(hint)
    if origin in (Union, types.UnionType):
        return _union_decoder(get_args(hint))
    if origin is Literal:
        return _literal_decoder(get_args(hint))
    if origin is tuple:
        item = _decoder(get_args(hint)[0])
        return lambda data: tuple(item(entry) for entry in data)
    if origin in (list, dict):
        return _plain_decoder(origin)
    if hint in (Any, object):
        return lambda data: data
    if dataclasses.is_dataclass(hint):
        return _dataclass_decoder(cast("type[Any]", hint))
    if hint is float:
        return float
    return _plain_decoder(hint)


def _plain_decoder(hint: Any) -> Callable[[Any], Any]:
    def decode(data: Any) -> Any:
        if not isinstance(data, hint) or (hint is int and abs(data) > MAX_INT):
            raise TypeError(f"{data!r} is no {hint}")
        return data

    return decode


def _literal_decoder(allowed: tuple[Any, ...]) -> Callable[[Any], Any]:
    def decode(data: Any) -> Any:
        if data not in allowed:
            raise TypeError(f"{data!r} is none of {allowed}")
        return data

    return decode


def _union_decoder(args: tuple[Any, ...]) -> Callable[[Any], Any]:
    classes = tuple(cast("type[Any]", arg) for arg in args if dataclasses.is_dataclass(arg))
    by_kind = _by_kind(classes) or _by_behavior(classes)
    others = tuple(arg for arg in args if arg is not type(None) and arg not in classes)
    optional = type(None) in args

    def decode(data: Any) -> Any:
        if data is None and optional:
            return None
        if classes and isinstance(data, dict):
            entry = cast("dict[str, Any]", data)
            tag = str(entry.get("kind", entry.get("behavior")))
            found = by_kind.get(tag) or by_kind.get("*")
            if found is None and len(classes) == 1:
                found = classes[0]
            if found is not None:
                if by_kind.get(tag) is None and "*" in by_kind and "data" not in entry:
                    return found(kind=tag, data=entry)
                return _decoder(found)(data)
        for other in others:
            try:
                return _decoder(other)(data)
            except (TypeError, ValueError):
                continue
        raise TypeError(f"{repr(cast('object', data))[:60]} fits none of {args}")

    return decode


def _by_behavior(classes: tuple[type[Any], ...]) -> dict[str, type[Any]]:
    out: dict[str, type[Any]] = {}
    for kind in classes:
        hint = get_type_hints(kind).get("behavior")
        if get_origin(hint) is Literal:
            out.update(dict.fromkeys(map(str, get_args(hint)), kind))
    return out


def _dataclass_decoder(kind: type[Any]) -> Callable[[Any], Any]:
    hints = get_type_hints(kind)
    fields = tuple((f.name, _decoder(hints[f.name])) for f in dataclasses.fields(kind))

    def decode(data: Any) -> Any:
        if not isinstance(data, dict):
            raise TypeError(f"no object for {kind.__name__}")
        entry = cast("dict[str, Any]", data)
        return kind(**{name: dec(entry[name]) for name, dec in fields if name in entry})

    return decode
