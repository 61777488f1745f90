"""Aliases that frameworks define without any configuration: a table.

Paths are relative to the folder of the framework's application; `<src>` is each of its folders of sources, `<name>` the
package's name.
"""

from typing import Final, NamedTuple


class Framework(NamedTuple):
    """A framework, known by its packages or the start of its configuration file's name, and its aliases."""

    packages: frozenset[str]
    config: str
    paths: dict[str, tuple[str, ...]]
    sources: tuple[str, ...] = ("src",)


def _framework(packages: str, config: str, paths: str, *sources: str) -> Framework:
    """A row of the table; `paths` is written as `pattern=target,target pattern=target`."""
    rules = [rule.partition("=")[::2] for rule in paths.split()]
    given = {pattern: tuple(targets.split(",")) for pattern, targets in rules}
    return Framework(frozenset(packages.split()), config, given, sources or ("src",))


FRAMEWORKS: Final = (
    _framework(
        "nuxt nuxt3 nuxt-edge nuxt-nightly",
        "nuxt.config.",
        "~/*=<src>/* @/*=<src>/* ~~/*=* @@/*=* #shared/*=shared/* #server/*=server/* #layers/*=layers/*",
        "app",
        ".",
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
    _framework("wxt", "wxt.config.", "@/*=<src>/* ~/*=<src>/* @@/*=* ~~/*=*", "src", "."),
    _framework("plasmo", "", "~*=<src>/*", "src", "."),
    _framework("laravel-vite-plugin", "", "@/*=resources/js/*"),
    _framework("vite-plugin-ruby vite-plugin-rails", "", "~/*=app/frontend/*,app/javascript/* @/*=app/frontend/*"),
    _framework("@docusaurus/core", "docusaurus.config.", "@site/*=* @theme/*=src/theme/*"),
    _framework("ember-source ember-cli", "ember-cli-build.", "<name>/*=app/*,addon/*,src/* <name>/tests/*=tests/*"),
    _framework("@adonisjs/core", ".adonisrc.", "App/*=app/* Config/*=config/* Database/*=database/*"),
    _framework("@redwoodjs/web @redwoodjs/api", "", "src/*=src/*"),
)

VIRTUAL: Final = tuple(
    """#imports #components $app/ $env/ $service-worker #app #build #nitro #internal #entry @ioc: ~icons/ $houdini #auth
    #head #content #vue-router""".split()
)
"""The starts of modules that frameworks make up: no file of the project, and none that is missing."""
