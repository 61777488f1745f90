"""Where configuration and the names of folders have Python modules found."""

import pytest

from bearings.code.framework_facts import DJANGO_SETTINGS
from bearings.code.models import ProjectFiles
from bearings.code.project.names import is_manifest
from bearings.code.resolve.referent import Referent
from bearings.code.resolve.referents import EXTERNAL, MISSING, module_at, package_at
from bearings.code.resolve.rules.python.modules import PythonModules


def found(files: dict[str, str], importer: str, module: str) -> Referent:
    """What a module means in a project of `files`, most of them empty."""
    manifests = {path: text.encode() for path, text in files.items() if is_manifest(path)}
    return PythonModules(ProjectFiles(frozenset({*files, importer}), manifests)).find(importer, module)


@pytest.mark.parametrize(
    ("manifest", "text"),
    [
        ("pyproject.toml", "[tool.pytest.ini_options]\npythonpath = 'src lib'"),
        ("pyproject.toml", "[tool.pytest.ini_options]\npythonpath = ['./lib/']"),
        ("pyproject.toml", "[tool.pytest]\npythonpath = ['lib']"),
        ("pyproject.toml", "[tool.mypy]\nmypy_path = '$MYPY_CONFIG_FILE_DIR/lib:stubs'"),
        ("pyproject.toml", "[tool.pyright]\nextraPaths = ['lib']"),
        ("pyproject.toml", "[[tool.basedpyright.executionEnvironments]]\nroot = 'lib'"),
        ("pyproject.toml", "[tool.setuptools.package-dir]\n'' = 'lib'"),
        ("pyproject.toml", "[tool.setuptools.package-dir]\nmod = 'lib/mod'"),
        ("pyproject.toml", "[tool.setuptools.packages.find]\nwhere = ['lib']"),
        ("pyproject.toml", "[tool.poetry]\npackages = [{ include = 'mod', from = 'lib' }]"),
        ("pyproject.toml", "[tool.hatch.build.targets.wheel]\npackages = ['lib/mod']"),
        ("pyproject.toml", "[tool.hatch.build.targets.wheel]\nsources = ['lib']"),
        ("pyproject.toml", "[tool.hatch.build.targets.wheel.sources]\n'lib/mod' = 'mod'"),
        ("pyproject.toml", "[tool.hatch.build.targets.wheel.force-include]\n'lib/mod' = 'mod'"),
        ("pyproject.toml", "[tool.hatch.build]\ndev-mode-dirs = ['lib']"),
        ("pyproject.toml", "[tool.hatch.envs.default.env-vars]\nPYTHONPATH = 'lib'"),
        ("pyproject.toml", "[tool.maturin]\npython-source = 'lib'"),
        ("pyproject.toml", "[tool.pdm.build]\npackage-dir = 'lib'"),
        ("pyproject.toml", "[tool.uv.build-backend]\nmodule-root = 'lib'"),
        ("pyproject.toml", "[tool.ruff]\nsrc = ['lib']"),
        ("pyproject.toml", "[tool.ty.environment]\nroot = ['./lib']"),
        ("pytest.ini", "[pytest]\npythonpath = . lib"),
        ("tox.ini", "[pytest]\npythonpath =\n    lib\n    other"),
        ("tox.ini", "[testenv]\nsetenv =\n    PYTHONPATH = {toxinidir}/lib"),
        ("setup.cfg", "[tool:pytest]\npythonpath = lib"),
        ("setup.cfg", "[options]\npackage_dir =\n    =lib"),
        ("setup.cfg", "[options]\npackage_dir =\n    mod = lib/mod"),
        ("setup.cfg", "[options.packages.find]\nwhere = lib"),
        ("mypy.ini", "[mypy]\nmypy_path = stubs, lib"),
        ("pyrightconfig.json", '{"extraPaths": ["lib"], // one\n}'),
        ("pyrightconfig.json", '{"executionEnvironments": [{"root": ".", "extraPaths": ["lib"]}]}'),
        ("setup.py", "setup(package_dir={'': 'lib'}, packages=find_packages('lib'))"),
        ("setup.py", "setup(package_dir={'mod': 'lib/mod'})"),
        ("setup.py", 'setup(packages=find_namespace_packages(where="lib"))'),
        ("manage.py", "sys.path.insert(0, os.path.join(os.path.dirname(__file__), 'lib'))\n"),
        ("manage.py", "sys.path.append(str(BASE / 'lib'))"),
        ("pants.toml", "[source]\nroot_patterns = ['/lib']"),
    ],
)
def test_configuration_names_folders(manifest: str, text: str) -> None:
    files = {manifest: text, "lib/mod/util.py": ""}
    assert found(files, "tests/test_a.py", "mod.util") == module_at("lib/mod/util.py")
    below = {f"sub/{path}": content for path, content in files.items()}
    assert found(below, "sub/tests/test_a.py", "mod.util") == module_at("sub/lib/mod/util.py")


def test_a_package_is_kept_under_another_name() -> None:
    files = {"setup.py": "setup(package_dir={'acme.core': 'source'})", "source/util.py": "", "source/__init__.py": ""}
    assert found(files, "tests/test_a.py", "acme.core.util").file == "source/util.py"
    assert found(files, "tests/test_a.py", "acme.core").file == "source/__init__.py"


@pytest.mark.parametrize(
    "text",
    ["[", "[tool.mypy]\nmypy_path = '../../lib:$A/lib:{b}'", "a = " + "[" * 5000, "[tool.pytest]\npythonpath = 1"],
)
def test_unreadable_and_foreign_paths_name_nothing(text: str) -> None:
    assert found({"a/pyproject.toml": text, "lib/util.py": ""}, "a/b.py", "util") == EXTERNAL


def test_the_nearest_configuration_goes_first() -> None:
    files = {f"{at}/{path}": "" for at in ("a", "b") for path in ("lib/util.py", "src/ns/one.py")}
    files |= {f"{at}/pytest.ini": "[pytest]\npythonpath = lib" for at in ("a", "b")}
    assert found(files, "b/tests/test_u.py", "util").file == "b/lib/util.py"
    assert found(files, "a/tests/test_u.py", "util").file == "a/lib/util.py"
    assert found(files, "c/main.py", "util") == EXTERNAL  # one of two
    assert found(files, "c/main.py", "ns") == package_at("a/src/ns", files=("b/src/ns",))


@pytest.mark.parametrize(
    ("path", "importer", "module"),
    [
        ("layers/common/python/db.py", "functions/a/app.py", "db"),
        ("infra/CommonLayer/python/db/__init__.py", "functions/a/app.py", "db"),
        ("lambda_layers/shared/db.py", "functions/a/app.py", "db"),
        ("dags/common/db.py", "tests/test_a.py", "common.db"),
        ("plugins/common/db.py", "dags/a.py", "common.db"),
    ],
)
def test_folders_by_convention(path: str, importer: str, module: str) -> None:
    assert found({path: ""}, importer, module).file == path


def test_a_package_called_layers_is_no_layer() -> None:
    files = {"model/layers/__init__.py": "", "model/layers/attention/torch.py": ""}
    assert found(files, "train.py", "torch") == EXTERNAL


def test_inside_what_is_built_no_folder_is_on_the_search_path() -> None:
    built = {"pyproject.toml": "[tool.hatch.build.targets.wheel]\npackages = ['src/acme']"}
    files = {"src/acme/clients/openai/__init__.py": "", "src/acme/clients/openai/chat.py": ""}
    assert found({**built, **files}, "src/acme/clients/openai/chat.py", "openai") == EXTERNAL
    assert found({**built, **files}, "tests/test_a.py", "openai.chat") == EXTERNAL
    assert found({**built, **files}, "tests/test_a.py", "acme.clients.openai").file == next(iter(files))
    source = {"setup.cfg": "[options.packages.find]\nwhere = src"}
    assert found({**source, **files}, "src/acme/clients/openai/chat.py", "openai") == EXTERNAL
    assert found({**source, **files}, "tests/test_a.py", "acme.clients.openai.chat").file in files


SETTINGS = {"proj/settings/__init__.py": "", "proj/settings/dev.py": ""}


@pytest.mark.parametrize(
    ("manifest", "text", "modules"),
    [
        ("manage.py", "os.environ.setdefault('DJANGO_SETTINGS_MODULE', 'proj.settings.dev')", ["proj/settings/dev.py"]),
        ("proj/wsgi.py", 'os.environ["DJANGO_SETTINGS_MODULE"] = "proj.settings.dev"', ["proj/settings/dev.py"]),
        ("pytest.ini", "[pytest]\nDJANGO_SETTINGS_MODULE = proj.settings.dev", ["proj/settings/dev.py"]),
        ("pyproject.toml", "[tool.pytest.ini_options]\naddopts = '--ds=proj.settings.dev'", ["proj/settings/dev.py"]),
        ("setup.cfg", "[mypy.plugins.django-stubs]\ndjango_settings_module = proj.settings", [*SETTINGS][:1]),
        ("manage.py", "os.environ.setdefault('DJANGO_SETTINGS_MODULE', settings_of(stage))", [*SETTINGS]),
        ("manage.py", "", [*SETTINGS]),
    ],
)
def test_settings_are_named(manifest: str, text: str, modules: list[str]) -> None:
    made = found({**SETTINGS, manifest: text}, "blog/views.py", DJANGO_SETTINGS)
    assert made == module_at(modules[0], files=tuple(modules))


def test_settings_are_those_of_the_nearest_project() -> None:
    named = "DJANGO_SETTINGS_MODULE = 'settings'"
    files = {f"{at}/{name}": named for at in ("one", "two") for name in ("manage.py", "settings.py")}
    assert found(files, "two/blog/views.py", DJANGO_SETTINGS).files == ("two/settings.py",)
    assert found({"settings.py": ""}, "a.py", DJANGO_SETTINGS) == MISSING
