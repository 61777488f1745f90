"""The rules of Java: the by-name table of its family, and declared types."""

from bearings.code.resolve.nominal.types import NominalRules
from bearings.code.resolve.rules.by_name.modules import FAMILY, DeclaredModules
from bearings.code.resolve.rules.semantics import ResolvedBy, Semantics

_RESULTS = {
    "@last": """get next previous peek poll pop remove first last getFirst getLast removeFirst removeLast pollFirst
        pollLast peekFirst peekLast element orElse orElseThrow orElseGet getOrDefault put putIfAbsent computeIfAbsent
        computeIfPresent compute merge getValue setValue take call join lastElement firstElement elementAt set""",
    "@first": "getKey firstKey lastKey",
    "@lasts": """stream parallelStream filter sorted distinct limit skip iterator listIterator values findFirst findAny
        subList reversed spliterator toList descendingIterator""",
    "@firsts": "keySet navigableKeySet",
    "@pairs": "entrySet",
    "@self": "valueOf clone",
    "String": """toString substring trim toLowerCase toUpperCase getName getSimpleName concat replace replaceAll strip
        repeat intern format readLine getMessage name""",
    "int": "length size hashCode indexOf lastIndexOf ordinal compareTo compare intValue read",
    "boolean": """equals isEmpty contains containsKey containsValue startsWith endsWith hasNext matches equalsIgnoreCase
        isPresent anyMatch allMatch noneMatch find isInstance booleanValue""",
    "char": "charAt charValue",
    "long": "longValue count nanoTime currentTimeMillis",
    "double": "doubleValue",
    "Class": "getClass",
}
_NUMBER = frozenset({"Number", "Comparable", "Serializable"})

JAVA = Semantics(
    family=FAMILY,
    resolved_by=ResolvedBy.NAMES,
    modules=DeclaredModules,
    nominal=NominalRules(
        top="Object",
        wider={
            "byte": ("short", "int", "long", "float", "double"),
            "short": ("int", "long", "float", "double"),
            "char": ("int", "long", "float", "double"),
            "int": ("long", "float", "double"),
            "long": ("float", "double"),
            "float": ("double",),
        },
        boxes={
            "byte": "Byte",
            "short": "Short",
            "char": "Character",
            "int": "Integer",
            "long": "Long",
            "float": "Float",
            "double": "Double",
            "boolean": "Boolean",
            "void": "Void",
        },
        finals={
            "String": frozenset({"CharSequence", "Comparable", "Serializable"}),
            "Class": frozenset({"Type", "Serializable", "GenericDeclaration", "AnnotatedElement"}),
            "Boolean": frozenset({"Comparable", "Serializable"}),
            "Character": frozenset({"Comparable", "Serializable"}),
            **dict.fromkeys(("Byte", "Short", "Integer", "Long", "Float", "Double"), _NUMBER),
        },
        results={name: result for result, names in _RESULTS.items() for name in names.split()},
    ),
)
