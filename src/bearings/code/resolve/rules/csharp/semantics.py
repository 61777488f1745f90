"""The rules of C#: the by-name table of its family, and declared types."""

from bearings.code.resolve.nominal.types import NominalRules
from bearings.code.resolve.rules.by_name.modules import FAMILY, DeclaredModules
from bearings.code.resolve.rules.semantics import ResolvedBy, Semantics

_RESULTS = {
    "@each": """First FirstOrDefault Single SingleOrDefault Last LastOrDefault ElementAt ElementAtOrDefault Find
        FindLast Aggregate MinBy MaxBy FirstAsync FirstOrDefaultAsync SingleAsync SingleOrDefaultAsync""",
    "@eaches": """Where OrderBy OrderByDescending ThenBy ThenByDescending ToList ToArray ToHashSet Distinct DistinctBy
        Skip Take SkipWhile TakeWhile TakeLast SkipLast Reverse Concat Union Except Intersect AsEnumerable AsQueryable
        FindAll Append Prepend DefaultIfEmpty ToListAsync ToArrayAsync AsNoTracking Include GetRange AsReadOnly""",
    "@last": """Dequeue Pop Peek GetOrAdd AddOrUpdate GetValueOrDefault GetResult FromResult CreateInstance Min Max
        FindAsync""",
    "@self": "ConfigureAwait Clone GetAwaiter MemberwiseClone AsParallel AsTask",
    "string": """ToString Trim TrimStart TrimEnd ToLower ToUpper ToLowerInvariant ToUpperInvariant Substring Replace
        Join Concat Format ReadLine ReadToEnd""",
    "int": "CompareTo GetHashCode IndexOf LastIndexOf Compare Count",
    "bool": """Equals Contains ContainsKey ContainsValue StartsWith EndsWith Any All TryGetValue MoveNext IsNullOrEmpty
        IsNullOrWhiteSpace ReferenceEquals SequenceEqual""",
    "Type": "GetType",
}
_VALUES = {
    "@last": "Value Result Current",
    "@first": "Key",
    "@firsts": "Keys",
    "@lasts": "Values",
    "int": "Length Count",
    "string": "Message",
}
_WHOLE = ("short", "ushort", "int", "uint", "long", "ulong", "float", "double", "decimal")
_WIDER = {
    "sbyte": ("short", "int", "long", "float", "double", "decimal"),
    "byte": _WHOLE,
    "short": ("int", "long", "float", "double", "decimal"),
    "ushort": _WHOLE[2:],
    "char": _WHOLE[1:],
    "int": ("long", "float", "double", "decimal"),
    "uint": _WHOLE[4:],
    "long": _WHOLE[6:],
    "ulong": _WHOLE[6:],
    "float": ("double",),
    "double": (),
    "decimal": (),
    "bool": (),
}
_PRIMITIVES = (*_WIDER, "nint", "nuint", "void")
_NUMBER = frozenset({"IComparable", "IConvertible", "IFormattable", "IEquatable", "ValueType"})
_LISTED = frozenset({"IEnumerable", "ICollection", "IList", "IReadOnlyList", "IReadOnlyCollection"})

CSHARP = Semantics(
    family=FAMILY,
    resolved_by=ResolvedBy.NAMES,
    modules=DeclaredModules,
    nominal=NominalRules(
        top="object",
        wider={
            **{name: (f"{name}?", *wider, *(f"{each}?" for each in wider)) for name, wider in _WIDER.items()},
            **{f"{name}?": tuple(f"{each}?" for each in wider) for name, wider in _WIDER.items()},
        },
        boxes={name: name for one in _PRIMITIVES for name in (one, f"{one}?")},
        finals={
            "string": frozenset({"IEnumerable", "IComparable", "IConvertible", "ICloneable", "IEquatable"}),
            "Type": frozenset({"MemberInfo"}),
            "[]": _LISTED | {"Array", "IStructuralEquatable", "ICloneable", "Span", "ReadOnlySpan", "Memory"},
            **{name: _NUMBER for one in _PRIMITIVES for name in (one, f"{one}?")},
        },
        results={name: result for result, names in _RESULTS.items() for name in names.split()},
        values={name: result for result, names in _VALUES.items() for name in names.split()},
        pair="KeyValuePair",
        # `void IStore<T>.Add(`: a member of an interface by its name, unlike `return store.Add(`
        before_names=rb"(?<!\.)|(?<=[\w>\]?])(?<!return)(?<!await)(?<!=>)[ \t]{1,3}[\w<>.,]{1,80}\.",
        promises=frozenset({"Task", "ValueTask"}),
        wrappers=frozenset({"Expression"}),
        by_arity=True,
        in_outer_packages=True,
        invoking="Invoke",
        extensions=True,
    ),
)
