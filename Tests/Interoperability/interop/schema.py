"""The subset of JSON Schema that descriptions use, and nothing else."""

from .strict_json import Violation

KEYWORDS = {"type", "enum", "minimum", "maximum", "required", "items", "properties",
            "additionalProperties"}
_TYPES = {
    "object": lambda v: isinstance(v, dict), "array": lambda v: isinstance(v, list),
    "string": lambda v: isinstance(v, str), "boolean": lambda v: isinstance(v, bool),
    "number": lambda v: isinstance(v, (int, float)) and not isinstance(v, bool),
    "integer": lambda v: (isinstance(v, (int, float)) and not isinstance(v, bool)
                          and float(v).is_integer()),
    "null": lambda v: v is None,
}


def check_keywords(schema, where="arguments"):
    """Only keywords of the page, at every level."""
    extra = set(schema) - KEYWORDS
    if extra:
        raise Violation(f"{where}: keywords {sorted(extra)} are not on the page")
    for name, inner in schema.get("properties", {}).items():
        check_keywords(inner, f"{where}.{name}")
    if isinstance(schema.get("items"), dict):
        check_keywords(schema["items"], f"{where}[]")


def accepts(schema, value):
    """Whether `value` is valid under `schema`."""
    if "type" in schema and not _TYPES[schema["type"]](value):
        return False
    if "enum" in schema and not any(type(c) is type(value) and c == value for c in schema["enum"]):
        return False
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return schema.get("minimum", value) <= value <= schema.get("maximum", value)
    if isinstance(value, list):
        return all(accepts(schema.get("items", {}), item) for item in value)
    return not isinstance(value, dict) or _accepts_object(schema, value)


def _accepts_object(schema, value):
    properties = schema.get("properties", {})
    if any(name not in value for name in schema.get("required", [])):
        return False
    if schema.get("additionalProperties") is False and set(value) - set(properties):
        return False
    return all(accepts(properties[name], inner) for name, inner in value.items()
               if name in properties)
