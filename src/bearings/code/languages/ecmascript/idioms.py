"""Code patterns of TypeScript and JavaScript that analyses detect."""

import re
from functools import partial

from bearings.code.languages.line_conventions import Idioms
from bearings.code.languages.shared.errors import exceptions

_COMPUTED = r"""(?:\?\.)?\[(?!\s*(?:"[^"]*"|'[^']*'|`[^`$]*`|\d+)\s*\])"""
"""The start of an access to a member whose name is computed."""

_HANDS_ON = (
    r"(?:^|[^\w$\])])\[(?:[^()\[\]]*,)?\s*(?:new\s+)?{name}\b\s*[,\](]"  # `[cart, new Cart()]`
    r"|\{{(?:[^(){{}}]*,)?\s*{name}\s*[,}}]"  # `{ cart }`
    r"|[\[({{,]\s*\n\s*(?:{name}|new\s+{name}\(.*\)),?\s*$"  # either on a line of its own
    r"|(?:=>|[\w\"'\]]\s*:|\b(?:globalThis|window|self|global)\.[\w$.]+\s*=)\s*(?:new\s+{name}\b|{name}\s*[;,}})]?\s*$)"
    rf"|\b{{name}}{_COMPUTED}"  # `cart[method]()`
)
_LOOKED_UP = frozenset(
    """config dynamic dynamicParams fetchCache generateImageMetadata generateMetadata generateSitemaps
    generateStaticParams generateViewport getServerSideProps getStaticPaths getStaticProps maxDuration metadata
    middleware onRequestError preferredRegion proxy register reportWebVitals revalidate runtime viewport
    DELETE GET HEAD OPTIONS PATCH POST PUT
    actions csr entries fallback handle handleError handleFetch handleValidationError init load match prerender reroute
    snapshot ssr trailingSlash transport
    action clientAction clientLoader clientMiddleware ErrorBoundary handleDataRequest headers HydrateFallback Layout
    links loader meta shouldRevalidate
    createPages createResolvers createSchemaCustomization Head onClientEntry onCreateNode onCreatePage
    onCreateWebpackConfig onRenderBody onRouteUpdate sourceNodes wrapPageElement wrapRootElement
    collections getInitialState onRequest partial server unstable_settings
    activate deactivate bootstrap mount unmount down up handler scheduled builder command describe pitch raw
    argTypes decorators globalTypes initialGlobals loaders parameters handleSummary options setup teardown""".split()
)
"""Of Next.js, of all that route by files, SvelteKit, Remix, Gatsby, others; of extensions, migrations, test tools."""

IDIOMS = Idioms(
    middleware=re.compile(r"(?:^|\.)(?:app|router|server|api|fastify)\.use$"),
    listens=re.compile(r".\.(?:addEventListener|addListener|prependListener)$"),
    sends=re.compile(r".\.(?:dispatchEvent|emit)$"),
    hook=re.compile(r"(?:React\.)?(use[A-Z]\w*|use)$"),
    error=partial(exceptions, anything="any error"),
    named_lookup=re.compile(r"[\w)\]]\[\s*[`\"']"),
    function_value=re.compile(rb"(?:[=(:,?&|!>\[]|\breturn|\bawait|\bnew|\byield)\s*(?:async\s+)?(?:function|class)\b"),
    augments=re.compile(rb"\bdeclare\s+(?:global\b|module\s*[\"'])"),
    hands_on=_HANDS_ON,
    own_lookup=re.compile(rf"\bthis{_COMPUTED}[^\]]*\](?:\?\.)?(?:\(|\.(?:apply|bind|call)\()".encode()),
    looked_up=_LOOKED_UP,
)
