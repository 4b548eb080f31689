"""The published schema of the API (OpenAPI 3.1), derived from the types of its answers."""

import inspect
import types
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, Final, Literal, Union, get_args, get_origin, get_type_hints, is_typeddict

from arena.version import version

__all__ = ["Operation", "Parameter", "document"]

Schema = dict[str, Any]
_PLAIN: Final[Mapping[object, Schema]] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    type(None): {"type": "null"},
    object: {},
    Any: {},
}
_PROBLEM: Final = "#/components/schemas/Problem"


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of an address: in its query, or in the path itself."""

    name: str
    about: str
    kind: type = str
    in_path: bool = False
    required: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """What can be asked at an address. `answer` is the type of the answer, None for the stream of events."""

    path: str
    about: str
    answer: type | None
    parameters: tuple[Parameter, ...] = ()


def document(operations: Sequence[Operation], problem: type) -> Schema:
    """The OpenAPI document of these operations; every error is a `problem`."""
    found = _Schemas()
    found.of(problem)
    paths = {operation.path: {"get": _operation(operation, found)} for operation in operations}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "arena",
            "version": version(),
            "description": "What `arena serve` knows, as JSON. Everything is read only. Names, claims and messages of "
            "agents are their own words: escape them where they become HTML.",
        },
        "paths": paths,
        "components": {"schemas": found.named},
    }


def _operation(operation: Operation, schemas: "_Schemas") -> Schema:
    if operation.answer is None:
        content: Schema = {"text/event-stream": {"schema": {"type": "string"}}}
    else:
        content = {"application/json": {"schema": schemas.of(operation.answer)}}
    wrong = {"description": "one line that says what is wrong",
             "content": {"application/json": {"schema": {"$ref": _PROBLEM}}}}  # fmt: skip
    return {
        "summary": operation.about,
        "parameters": [
            {
                "name": one.name, "in": "path" if one.in_path else "query", "required": one.required or one.in_path,
                "description": one.about, "schema": schemas.of(one.kind),
            }
            for one in operation.parameters
        ],
        "responses": {"200": {"description": operation.about, "content": content}, "default": wrong},
    }  # fmt: skip


class _Schemas:
    """The JSON schemas of Python types; dataclasses and typed dictionaries are named, and each is written once."""

    def __init__(self) -> None:
        self.named: dict[str, Schema] = {}

    def of(self, kind: Any) -> Schema:
        """The schema of a type, which refers to the named ones."""
        if kind in _PLAIN:
            return dict(_PLAIN[kind])
        origin, given = get_origin(kind), get_args(kind)
        if origin is Literal:
            return {"enum": list(given)}
        if origin in (Union, types.UnionType):
            return {"anyOf": [self.of(one) for one in given]}
        if isinstance(origin, type) and issubclass(origin, Mapping):
            return {"type": "object", "additionalProperties": self.of(given[1])}
        if origin is tuple and given[-1] is not Ellipsis:
            return {"type": "array", "prefixItems": [self.of(one) for one in given], "minItems": len(given),
                    "maxItems": len(given)}  # fmt: skip
        if isinstance(origin, type) and issubclass(origin, Sequence):
            return {"type": "array", "items": self.of(given[0])}
        return self._reference(kind)

    def _reference(self, kind: Any) -> Schema:
        if kind.__name__ not in self.named:
            self.named[kind.__name__] = {}  # a type may hold itself
            hints = get_type_hints(kind)
            assert is_dataclass(kind) or is_typeddict(kind), kind
            names = [one.name for one in fields(kind)] if is_dataclass(kind) else list(hints)
            self.named[kind.__name__] = {
                "type": "object",
                "description": inspect.cleandoc(kind.__doc__ or ""),
                "properties": {name: self.of(hints[name]) for name in names},
                "required": names,
                "additionalProperties": False,
            }
        return {"$ref": f"#/components/schemas/{kind.__name__}"}
