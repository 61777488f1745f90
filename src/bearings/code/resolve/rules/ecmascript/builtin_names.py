"""Names that ECMAScript, browsers and Node provide."""

_GLOBALS = """AbortController AbortSignal Array ArrayBuffer Atomics BigInt BigInt64Array BigUint64Array Blob Boolean
    Buffer CustomEvent DOMException DataView Date Document Element Error EvalError Event EventTarget File FileReader
    FinalizationRegistry
    Float32Array Float64Array FormData Function HTMLElement Headers Image Infinity Int16Array
    Int32Array Int8Array IntersectionObserver
    Intl Iterator JSON Map Math MessageChannel MutationObserver NaN Node Number
    Object Promise Proxy RangeError ReadableStream ReferenceError Reflect RegExp Request ResizeObserver Response Set
    SharedArrayBuffer String Symbol SyntaxError TextDecoder TextEncoder TypeError URIError URL URLSearchParams
    Uint16Array Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet WebAssembly WebSocket Worker
    XMLHttpRequest alert atob btoa cancelAnimationFrame clearImmediate clearInterval clearTimeout confirm console crypto
    decodeURI decodeURIComponent document encodeURI encodeURIComponent escape eval exports fetch global
    globalThis history
    import isFinite isNaN localStorage location module navigator parseFloat parseInt performance process prompt
    queueMicrotask require requestAnimationFrame self sessionStorage setImmediate setInterval setTimeout structuredClone
    undefined unescape window arguments"""
GLOBALS = frozenset(_GLOBALS.split())

_NODE = """assert async_hooks buffer child_process cluster console constants crypto dgram diagnostics_channel dns
    domain events
    fs http http2 https inspector module net os path perf_hooks process punycode querystring readline repl sea sqlite
    stream string_decoder sys test timers tls trace_events tty url util v8 vm wasi worker_threads zlib"""
NODE_MODULES = frozenset(_NODE.split())


def is_node_module(specifier: str) -> bool:
    """Whether a specifier is one of Node's own modules or a part of one, with `node:` or without."""
    return specifier.startswith(("node:", "bun:")) or specifier.partition("/")[0] in NODE_MODULES
