"""The rules of Java: the by-name table of its family, and declared types."""

from bearings.code.resolve.nominal.types import NominalRules
from bearings.code.resolve.rules.by_name.modules import FAMILY, DeclaredModules
from bearings.code.resolve.rules.semantics import ResolvedBy, Semantics

_RESULTS = {
    "@last": """get next previous peek poll pop remove first last getFirst getLast removeFirst removeLast pollFirst
        pollLast peekFirst peekLast element orElse orElseThrow orElseGet getOrDefault put putIfAbsent computeIfAbsent
        computeIfPresent compute merge getValue setValue take call join lastElement firstElement elementAt set
        cast newInstance""",
    "@first": "getKey firstKey lastKey",
    "@lasts": """stream parallelStream filter sorted distinct limit skip iterator listIterator values findFirst findAny
        subList reversed spliterator toList descendingIterator toSet toCollection toUnmodifiableList toUnmodifiableSet
        takeWhile dropWhile or toImmutableList toImmutableSet""",
    "@firsts": "keySet navigableKeySet",
    "@pairs": "entrySet",
    "@self": "valueOf clone",
    "@given": "requireNonNull checkNotNull requireNonNullElse spy",
    "@holding": "of ofNullable asList singletonList singleton singletonMap just",
    "@class": "mock getAnnotation getBean readValue",
    "@mapped": "map mapToObj thenApply",
    "@returned": "flatMap thenCompose supplyAsync",
    "@collected": "collect collectingAndThen",
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
_BUILDER = frozenset({"CharSequence", "Comparable", "Serializable", "Appendable"})
_BASES = {
    "": "Map CharSequence Runnable Iterable",
    "Iterable": "Collection",
    "Collection Iterable": "List Set Queue",
    "Set Collection Iterable": "SortedSet",
    "Queue Collection Iterable": "Deque",
    "Map": "SortedMap ConcurrentMap",
    "List Collection Iterable Serializable Cloneable RandomAccess AbstractList AbstractCollection": "ArrayList Vector",
    "List Deque Queue Collection Iterable Serializable Cloneable AbstractList AbstractCollection": "LinkedList",
    "Set Collection Iterable Serializable Cloneable AbstractSet AbstractCollection": "HashSet LinkedHashSet",
    "Map Serializable Cloneable AbstractMap": "HashMap LinkedHashMap",
    "Closeable AutoCloseable": "InputStream",
    "Closeable AutoCloseable Flushable": "OutputStream",
    "Closeable AutoCloseable Readable": "Reader",
    "Closeable AutoCloseable Flushable Appendable": "Writer",
    "Throwable Serializable": "Exception Error",
    "Exception Throwable Serializable": "RuntimeException IOException",
    "Serializable": "Number Throwable",
}
_NUMBER = frozenset({"Number", "Comparable", "Serializable"})

JAVA = Semantics(
    family=FAMILY,
    resolved_by=ResolvedBy.NAMES,
    modules=DeclaredModules,
    nominal=NominalRules(
        top="Object",
        before_names=rb"(?<!\.)(?<!::)",
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
        returning=frozenset({"Function", "BiFunction", "Supplier", "Callable", "UnaryOperator", "BinaryOperator"}),
        text="String",
        least="int",
        class_of="Class",
        finals={
            **dict.fromkeys(("StringBuilder", "StringBuffer"), _BUILDER),
            "String": frozenset({"CharSequence", "Comparable", "Serializable"}),
            "Class": frozenset({"Type", "Serializable", "GenericDeclaration", "AnnotatedElement"}),
            "Boolean": frozenset({"Comparable", "Serializable"}),
            "Character": frozenset({"Comparable", "Serializable"}),
            **dict.fromkeys(("Byte", "Short", "Integer", "Long", "Float", "Double"), _NUMBER),
        },
        bases={name: frozenset(bases.split()) for bases, names in _BASES.items() for name in names.split()},
        values={"length": "int"},
        results={name: result for result, names in _RESULTS.items() for name in names.split()},
    ),
)
