"""Aliases that frameworks define without any configuration: a table.

"@/*=src/*,*"     {"@/*": ("src/*", "*")}: `@/cart` is src/cart or else cart
"~/*=<src>/*"     the same for each folder of sources: with "app" and ".", `~/cart` is app/cart or else cart
"<name>/*=app/*"  `<name>` is the package's name

Paths are relative to the folder of the framework's application.
"""

from typing import Final, NamedTuple


class Framework(NamedTuple):
    """A framework and its aliases.

    A project has it by a dependency on one of its `packages`, or by a file whose name starts with `config`; with an
    empty `config`, by packages alone. `paths` has the targets of each pattern. `sources` are the folders for `<src>`.
    """

    packages: frozenset[str]
    config: str
    paths: dict[str, tuple[str, ...]]
    sources: tuple[str, ...] = ("src",)


def _framework(packages: str, config: str, paths: str, sources: tuple[str, ...] = ("src",)) -> Framework:
    """A row of the table; `paths` is written as `pattern=target,target pattern=target`."""
    rules = [rule.partition("=")[::2] for rule in paths.split()]
    targets_by_pattern = {pattern: tuple(targets.split(",")) for pattern, targets in rules}
    return Framework(frozenset(packages.split()), config, targets_by_pattern, sources)


FRAMEWORKS: Final = (
    _framework(
        "nuxt nuxt3 nuxt-edge nuxt-nightly",
        "nuxt.config.",
        "~/*=<src>/* @/*=<src>/* ~~/*=* @@/*=* #shared/*=shared/* #server/*=server/* #layers/*=layers/*",
        sources=("app", "."),
    ),
    _framework("@vue/cli-service", "vue.config.", "@/*=src/*"),
    _framework("@sveltejs/kit", "svelte.config.", "$lib=src/lib $lib/*=src/lib/*"),
    _framework("@remix-run/dev @remix-run/react @remix-run/node", "remix.config.", "~/*=app/*"),
    _framework("@solidjs/start solid-start", "", "~/*=src/*"),
    _framework(
        "@quasar/app @quasar/app-vite @quasar/app-webpack",
        "quasar.",
        "src/*=src/* app/*=* components/*=src/components/* layouts/*=src/layouts/* pages/*=src/pages/* "
        "assets/*=src/assets/* boot/*=src/boot/* stores/*=src/stores/* @/*=src/*",
    ),
    _framework("umi @umijs/max", ".umirc.", "@/*=src/* @@/*=src/.umi/*"),
    _framework("@tarojs/taro gridsome @ice/app", "", "@/*=src/* ~/*=src/*"),
    _framework("@dcloudio/uni-app", "", "@/*=src/*,*"),
    _framework("wxt", "wxt.config.", "@/*=<src>/* ~/*=<src>/* @@/*=* ~~/*=*", sources=("src", ".")),
    _framework("plasmo", "", "~*=<src>/*", sources=("src", ".")),
    _framework("laravel-vite-plugin", "", "@/*=resources/js/*"),
    _framework("vite-plugin-ruby vite-plugin-rails", "", "~/*=app/frontend/*,app/javascript/* @/*=app/frontend/*"),
    _framework("@docusaurus/core", "docusaurus.config.", "@site/*=* @theme/*=src/theme/*"),
    _framework("ember-source ember-cli", "ember-cli-build.", "<name>/*=app/*,addon/*,src/* <name>/tests/*=tests/*"),
    _framework("@adonisjs/core", ".adonisrc.", "App/*=app/* Config/*=config/* Database/*=database/*"),
    _framework("@redwoodjs/web @redwoodjs/api", "", "src/*=src/*"),
)

VIRTUAL: Final = (
    # Nuxt and its modules
    *("#imports", "#components", "#app", "#build", "#nitro", "#internal", "#entry", "#auth", "#head", "#content"),
    "#vue-router",
    *("$app/", "$env/", "$service-worker"),  # SvelteKit
    "$houdini",  # Houdini, for SvelteKit
    "@ioc:",  # AdonisJS
    "~icons/",  # unplugin-icons
)
"""The starts of modules that frameworks make up: no file of the project, and none that is missing."""
