"""Endpoints of Spring (MVC, WebFlux) and JAX-RS, and what Spring and Jakarta inject."""

import re

from bearings.code.languages.shared.route_tables import Container, Framework
from bearings.code.languages.shared.routes import METHODS

FRAMEWORKS = (
    Framework(
        name="spring",
        sign=re.compile(rb"org\.springframework\.|@\w+Mapping\b|\bRouterFunction"),
        prefix="RequestMapping",
        verbs={**{f"{method.title()}Mapping": method for method in METHODS[:5]}, "RequestMapping": ""},
        methods="method",
        client="FeignClient",
        inherits=True,
        calls={method: method for method in METHODS},
        grouping=frozenset({"nest", "path"}),
    ),
    Framework(
        name="jaxrs",
        sign=re.compile(rb"\b(?:javax|jakarta)\.ws\.rs\b"),
        prefix="Path",
        verbs={method: method for method in METHODS},
        path="Path",
        application="ApplicationPath",
    ),
)

CONTAINER = Container(
    sign=re.compile(
        rb"@(?:Autowired|Inject|Resource|EJB|Bean|Produces|Component|Service|Repository|\w*Controller|Named)\b"
    ),
    components=frozenset(
        """Component Service Repository Controller RestController Configuration Named Singleton ApplicationScoped
        RequestScoped SessionScoped Dependent Stateless Stateful Path""".split()
    ),
    points=frozenset({"Autowired", "Inject", "Resource", "EJB"}),
    makers=frozenset({"Bean", "Produces"}),
    fields=frozenset({"RequiredArgsConstructor", "AllArgsConstructor"}),
)
