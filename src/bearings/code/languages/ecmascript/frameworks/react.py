"""The methods of class components that React calls."""

from typing import Final

from bearings.code.languages.shared.lifecycles import Lifecycle

_MODULES = ("react", "preact", "preact/compat")
_HOOKS = frozenset(
    "render componentDidMount componentDidUpdate componentWillUnmount shouldComponentUpdate getSnapshotBeforeUpdate "
    "componentDidCatch getDerivedStateFromProps getDerivedStateFromError getChildContext componentWillMount "
    "componentWillReceiveProps componentWillUpdate UNSAFE_componentWillMount UNSAFE_componentWillReceiveProps "
    "UNSAFE_componentWillUpdate".split()
)

LIFECYCLE: Final[Lifecycle] = Lifecycle(
    "React",
    frozenset(_MODULES),
    bases={f"{module}.{name}": _HOOKS for module in _MODULES for name in ("Component", "PureComponent")},
)
