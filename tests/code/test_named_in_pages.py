"""Templates name routes, tags and filters of Django: these uses are told where users are asked for."""

import pytest

from bearings.code.languages.python.frameworks.django_templates import in_pages
from tests.code.asked import tools_about
from tests.code.trees import repository

FILES = {
    "shop/__init__.py": "",
    "shop/urls.py": (
        "from django.urls import path\n\nfrom shop import views\n\napp_name = 'shop'\n"
        "urlpatterns = [\n"
        "    path('items/<int:pk>/', views.item, name='item-detail'),\n"
        "    path('about/', views.About.as_view(), name='about'),\n"
        "]\n"
    ),
    "shop/views.py": (
        "from django.views import View\n\n\ndef item(request, pk):\n    return 1\n\n\n"
        "class About(View):\n    def get(self, request):\n        return 2\n"
    ),
    "front/__init__.py": "",
    "front/urls.py": (
        "from django.urls import path\n\nfrom front import views\n\n"
        "urlpatterns = [path('home/', views.home, name='home'), path('plain/', views.plain)]\n"
    ),
    "front/views.py": "def home(request):\n    return 1\n\n\ndef plain(request):\n    return 1\n",
    "shop/templatetags/__init__.py": "",
    "shop/templatetags/extras.py": (
        "from django import template\n\nregister = template.Library()\n\n\n"
        "@register.simple_tag\ndef price(value):\n    return value\n\n\n"
        "@register.simple_tag(takes_context=True, name='total_of')\ndef total(context):\n    return 1\n\n\n"
        "@register.filter('short')\n@stringfilter\ndef shorten(value):\n    return value\n\n\n"
        "def helper(value):\n    return value\n"
    ),
    "shop/templates/a.html": (
        "{% load i18n extras %}\n"
        "<a href=\"{% url 'shop:item-detail' pk=1 %}\">{{ name|lower|short:3 }}</a>\n"
        "<a href=\"{% url 'about' %}\">the price of about, home</a>\n"
        '<a href="{% url "shop:about" %}">{% price 3 %}</a> {% if x == \'home\' %}{% total_of %}{% endif %}\n'
        "<a href=\"{{ url('home') }}\">short | short</a>\n"
    ),
    "shop/templates/b.html": "{% price 3 %} {{ name|short }} {% url 'shop:item-detail' %}\n",
}


@pytest.fixture(scope="module")
def asked(tmp_path_factory):
    """A function that asks a tool about the project, and returns the reply."""
    root = repository(tmp_path_factory.mktemp("pages").resolve() / "shop", FILES)
    with tools_about(root) as ask:
        yield ask


@pytest.mark.parametrize(
    ("element", "through", "places"),
    [
        ("item", "«ANY /items/<int:pk>/»", ["a.html:2", "b.html:1"]),
        ("About", "«ANY /about/»", ["a.html:4"]),
        ("ANY /about/", "shop/urls.py", ["a.html:4"]),
        ("home", "«ANY /home/»", ["a.html:5"]),
        ("price", "shop/templatetags/extras.py", ["a.html:4"]),
        ("total", "shop/templatetags/extras.py", ["a.html:4"]),
        ("shorten", "shop/templatetags/extras.py", ["a.html:2"]),
    ],
)
def test_what_templates_name_is_told(asked, element, through, places):
    reply = asked("coderef_query", query_type="depends-on-me", element=element)
    count = f"{len(places)} use{'s' if len(places) > 1 else ''} may mean it"
    assert f"is named in pages through {through}: {count}" in reply.note
    sites = [f"{one.file}:{one.line}" for one in reply.unresolved.sites if one.file.endswith(".html")]
    assert sites == [f"shop/templates/{place}" for place in places]


@pytest.mark.parametrize("element", ["plain", "helper"])
def test_nothing_is_told_of_what_no_template_names(asked, element):
    assert "pages" not in (asked("coderef_query", query_type="depends-on-me", element=element).note or "")


def test_a_change_of_a_view_reaches_the_templates_that_name_its_route(asked):
    reply = asked("coderef_impact", element="item")
    sites = [(one.file, one.line, one.why) for one in reply.unresolved_sites]
    assert ("shop/templates/a.html", 2, "named in a page") in sites


@pytest.mark.parametrize(
    "text", ["@a.tag(" * 1_000, "@a.tag" + "@" * 8_000 + "\nx", "@a.tag(" + "name=" * 1_500 + "\n@" * 1_500]
)
def test_hostile_decorators_name_nothing(text):
    assert in_pages("a.py", text + "\nend", "def run()") is None
