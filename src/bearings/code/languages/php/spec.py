"""The spec of PHP, a declared language. The grammar also reads the HTML around the code."""

from posixpath import dirname, join, normpath

from bearings.code.languages.shared.declared_rules import Rules, by_declaration, environment
from bearings.code.languages.spec import EVERYTHING, Capability, LanguageSpec, lazy_call, lazy_value
from bearings.code.models import Language


def _imported(importer: str, specifier: str) -> tuple[str, ...]:
    """Return the path of `require 'x.php'`, relative to the importer. Classes are found by autoloaders: no path."""
    return (normpath(join(dirname(importer), specifier)),) if "\\" not in specifier else ()


SPEC = LanguageSpec(
    language=Language.PHP,
    label="PHP",
    extensions=(".php", ".phtml", ".inc"),
    names=("php",),
    grammar="tree_sitter_php:language_php",
    queries=("php/symbols.scm",),
    visitor=by_declaration(
        Rules(
            hidden=r"\b(?:private|protected)\b",
            attributes=r"#\[(?:[^\[\]]|\[[^\[\]]*\])*\]",
            case_attributes=r"\bTest\b(?=\s*[(,\]])",
            constructors=("__construct",),
            frameworks=lazy_value("php.routes:FRAMEWORKS"),
            container=lazy_value("php.routes:CONTAINER"),
            only={"import": r"(?:use\s+(?:function\s+|const\s+)?(?P<module>[^;]+)|['\"])"},
        ),
        "php.visitor:Php",
    ),
    capabilities=EVERYTHING | {Capability.TYPES},
    marks=lazy_call("shared.marks:marks"),
    name_rules=lazy_call("php.occurrences:PhpNames"),
    reserved=frozenset(
        """abstract and array as break callable case catch class clone const continue declare default do echo else
        elseif empty enddeclare endfor endforeach endif endswitch endwhile enum eval exit extends false final finally
        fn for foreach function global goto if implements include include_once instanceof insteadof interface isset
        list match mixed namespace new null or parent print private protected public readonly require require_once
        return self static switch this throw trait true try unset use var void while xor yield""".split()
    ),
    module_candidates=_imported,
    meant_by_class=frozenset("__invoke index create store show edit update destroy".split()),
    module_separator="\\",
    environment=environment("getenv env", "", "$_ENV"),
    called_unnamed=frozenset(
        """__toString __get __set __isset __unset __call __callStatic __invoke __clone __sleep __wakeup __serialize
        __unserialize __set_state __debugInfo __destruct jsonSerialize getIterator count offsetGet offsetSet
        offsetExists offsetUnset current key next rewind valid""".split()
    ),
    hooks=r"""(?x)(?:handle|failed|boot\w*|initialize\w*|register|authorize|rules|messages|broadcast\w+|compose|subscribe
        |middleware|terminate|render|mount|via\w*|run|up|down|definition|configure|newFactory|toArray|on[A-Z]\w*|scope[A-Z]\w*
        |\w+(?:Action|Attribute))$""",
    found_by_name=r"\w+(?:Controller|Policy|Observer|Subscriber|Listener|ServiceProvider|Composer|Seeder|Factory|Extension)$",
    late_binding=True,
    idioms=lazy_value("php.visitor:IDIOMS"),
    measuring=lazy_value("shared.metrics:ALL_NEST"),
    manifests=frozenset({"composer.json"}),
    import_settings=r"composer\.json",
    program=r'"type"\s*:\s*"project"',
    collected_names=r".*Test\.php$",
    case_head=r"\[|(?:(?:final|public) )*function [Tt]est",
    test_command=lazy_call("php.visitor:test_command"),
    test_paths=r"Test\.php$|(?:^|/)Tests/.*\.php$",
)
