"""The methods that Angular calls: those of components, directives, pipes and services, and of forms' controls."""

from typing import Final

from bearings.code.languages.shared.lifecycles import Lifecycle

_CORE = "@angular/core"
_HOOKS = {
    "OnChanges": "ngOnChanges", "OnInit": "ngOnInit", "DoCheck": "ngDoCheck", "AfterContentInit": "ngAfterContentInit",
    "AfterContentChecked": "ngAfterContentChecked", "AfterViewInit": "ngAfterViewInit",
    "AfterViewChecked": "ngAfterViewChecked", "OnDestroy": "ngOnDestroy",
}  # fmt: skip
_ALL = frozenset(_HOOKS.values())

LIFECYCLE: Final[Lifecycle] = Lifecycle(
    "Angular",
    frozenset({_CORE, "@angular/forms"}),
    decorators={
        **{f"{_CORE}.{name}": _ALL for name in ("Component", "Directive")},
        **{f"{_CORE}.{name}": frozenset({"ngOnDestroy"}) for name in ("Injectable", "NgModule")},
        f"{_CORE}.Pipe": frozenset({"transform", "ngOnDestroy"}),
    },
    interfaces={
        **{f"{_CORE}.{interface}": frozenset({name}) for interface, name in _HOOKS.items()},
        f"{_CORE}.PipeTransform": frozenset({"transform"}),
        "@angular/forms.ControlValueAccessor": frozenset(
            {"writeValue", "registerOnChange", "registerOnTouched", "setDisabledState"}
        ),
    },
)
