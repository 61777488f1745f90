"""Endpoints of Spring (MVC, WebFlux), JAX-RS and Micronaut, and what Spring and Jakarta inject."""

from bearings.code.languages.shared.route_tables import Container, Framework
from bearings.code.languages.shared.routes import METHODS

_SIGNS = """Autowired Inject Resource EJB Bean Produces Component Service Repository Controller RestController
    Configuration Named"""

FRAMEWORKS = (
    Framework(
        name="spring",
        signs=(b"org.springframework.web",),
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
        signs=(b"javax.ws.rs", b"jakarta.ws.rs"),
        prefix="Path",
        verbs={method: method for method in METHODS},
        path="Path",
        application="ApplicationPath",
    ),
    Framework(
        name="micronaut",
        signs=(b"io.micronaut.http",),
        prefix="Controller",
        verbs={method.title(): method for method in METHODS},
        keys=frozenset({"", "value", "uri", "uris"}),
        client="Client",
    ),
)

CONTAINER = Container(
    signs=tuple(f"@{name}".encode() for name in _SIGNS.split()),
    components=frozenset(
        """Component Service Repository Controller RestController Configuration Named Singleton ApplicationScoped
        RequestScoped SessionScoped Dependent Stateless Stateful Path""".split()
    ),
    points=frozenset({"Autowired", "Inject", "Resource", "EJB"}),
    makers=frozenset({"Bean", "Produces"}),
    fields=frozenset({"RequiredArgsConstructor", "AllArgsConstructor"}),
)
