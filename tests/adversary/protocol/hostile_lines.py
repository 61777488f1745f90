"""Hostile lines by name, each with the replies that it must get: (id, code of the error or None for a result)."""

from dataclasses import dataclass

PARSE, REQUEST, METHOD, PARAMS = -32700, -32600, -32601, -32602

Answer = tuple[str | int | float | None, int | None]


@dataclass(frozen=True)
class Line:
    """A line to send, newline included, and the expected answers."""

    name: str
    text: bytes
    answers: tuple[Answer, ...]


def ping(request_id: str, rest: str = "") -> bytes:
    """A request that is answered at once; `request_id` and `rest` are JSON as it is to be written."""
    return f'{{"jsonrpc":"2.0","id":{request_id},"method":"ping"{rest}}}'.encode()


def _line(name: str, text: bytes | str, *answers: Answer, end: bytes = b"\n") -> Line:
    return Line(name, (text if isinstance(text, bytes) else text.encode()) + end, answers)


def asking(method: str, params: str = "") -> bytes:
    """A request with the id 1."""
    rest = params and f',"params":{params}'
    return f'{{"jsonrpc":"2.0","id":1,"method":"{method}"{rest}}}'.encode()


def telling(method: str, params: str) -> bytes:
    """A notification."""
    return f'{{"jsonrpc":"2.0","method":"{method}","params":{params}}}'.encode()


def _deep(levels: int, opening: str = '{"a":', closing: str = "}") -> str:
    return f',"params":{opening * levels}1{closing * levels}'


_LONG = "x" * 2_000_000
_END = ping('"z"').decode()[1:]
_BRACKETS = "[" * 1_000 + "]" * 1_000

LINES = [
    # text that is no JSON
    _line("not JSON", "hello", (None, PARSE)),
    _line("cut off after the id", '{"jsonrpc":"2.0","id":1,"method":"pi', (1, PARSE)),
    _line("cut off before the id", '{"jsonrpc":"2.0","method":"pi', (None, PARSE)),
    _line("two requests on a line", ping("1") + ping('"two"'), (1, PARSE), ("two", PARSE)),
    _line("a comma too many", ping("1", ","), (1, PARSE)),
    _line("single quotes", ping("1").replace(b'"', b"'"), (None, PARSE)),
    _line("a comment", ping("1", "/* */"), (1, PARSE)),
    _line("a control character in text", b'{"jsonrpc":"2.0","id":1,"method":"pi\x07ng"}', (1, PARSE)),
    _line("NUL between two members", ping("1", ",\0"), (1, PARSE)),
    _line("UTF-16", ping("1").decode().encode("utf-16-le"), (None, PARSE)),
    _line("UTF-8 that is none, in the method", b'{"jsonrpc":"2.0","id":1,"method":"\xff\xfe"}', (1, PARSE)),
    _line("UTF-8 that is none, in the id", b'{"jsonrpc":"2.0","id":"\xc3\x28","method":"ping"}', (None, PARSE)),
    _line("a surrogate as three bytes", b'{"jsonrpc":"2.0","id":1,"method":"\xed\xa0\xbd"}', (1, PARSE)),
    _line("a byte order mark", b"\xef\xbb\xbf" + ping("1"), (1, PARSE)),
    _line("half a surrogate pair in the method", r'{"jsonrpc":"2.0","id":1,"method":"\ud83d"}', (1, PARSE)),
    _line("half a surrogate pair in params", ping("1", r',"params":{"a":"\udc00"}'), (1, PARSE)),
    _line("half a surrogate pair as id", ping(r'"\ud800"'), (None, PARSE)),
    _line("NaN in params", ping("1", ',"params":{"a":NaN}'), (1, PARSE)),
    _line("Infinity in params", ping("1", ',"params":{"a":-Infinity}'), (1, PARSE)),
    _line("NaN as id", ping("NaN"), (None, PARSE)),
    _line("1,000 levels of objects", ping("1", _deep(1_000)), (1, PARSE)),
    _line("1,000 levels of arrays", ping("1", _deep(1_000, "[", "]")), (1, PARSE)),
    _line("100,000 levels", ping("1", _deep(100_000)), (1, PARSE)),
    _line("1,000 levels before the id", f'{{"params":{_BRACKETS},{_END}', ("z", PARSE)),
    _line("100,000 brackets that never close", '{"id":1,"a":' + "[" * 100_000, (1, PARSE)),
    _line("an integer of 5,000 digits", ping("1", f',"params":{{"a":{"9" * 5_000}}}'), (1, PARSE)),
    _line("an id of 5,000 digits", ping("9" * 5_000), (None, PARSE)),
    # JSON that is no request
    _line("a number", "1", (None, REQUEST)),
    _line("text", '"ping"', (None, REQUEST)),
    _line("null", "null", (None, REQUEST)),
    _line("an empty object", "{}", (None, REQUEST)),
    _line("an empty batch", "[]", (None, REQUEST)),
    _line("a batch", b"[" + ping("1") + b"," + ping('"b"') + b"]", (1, REQUEST), ("b", REQUEST)),
    _line("a batch of no requests", "[1,[2],null]", (None, REQUEST)),
    _line("no method", '{"jsonrpc":"2.0","id":1}', (1, REQUEST)),
    _line("a method that is a number", '{"jsonrpc":"2.0","id":1,"method":5}', (1, REQUEST)),
    _line("a method that is null", '{"jsonrpc":"2.0","id":1,"method":null}', (1, REQUEST)),
    _line("no version", '{"id":1,"method":"ping"}', (1, REQUEST)),
    _line("another version", '{"jsonrpc":"1.0","id":1,"method":"ping"}', (1, REQUEST)),
    _line("the version as a number", '{"jsonrpc":2.0,"id":1,"method":"ping"}', (1, REQUEST)),
    _line("params that are an array", ping("1", ',"params":[1,2]'), (1, REQUEST)),
    _line("params that are text", ping("1", ',"params":"x"'), (1, REQUEST)),
    _line("params that are a number", ping("1", ',"params":0'), (1, REQUEST)),
    _line("a fraction as id", ping("1.5"), (1.5, REQUEST)),
    _line("a whole number with a point as id", ping("1.0"), (1.0, REQUEST)),
    _line("an id beyond all numbers", ping("1e999"), (None, REQUEST)),
    _line("null as id", ping("null"), (None, REQUEST)),
    _line("true as id", ping("true"), (None, REQUEST)),
    _line("an object as id", ping('{"a":1}'), (None, REQUEST)),
    _line("an array as id", ping("[1]"), (None, REQUEST)),
    _line("a fraction as id, and no method", '{"jsonrpc":"2.0","id":-0.5}', (-0.5, REQUEST)),
    _line("a line of 2 MB", ping("1", f',"params":{{"a":"{_LONG}"}}'), (1, REQUEST)),
    _line("a line of 2 MB, its id at the end", f'{{"params":{{"a":["{_LONG}"]}},{_END}', ("z", REQUEST)),
    _line("a line of 2 MB that is no JSON", _LONG, (None, REQUEST)),
    # requests that the session refuses
    _line("an unknown method", asking("tools/cal"), (1, METHOD)),
    _line("a method without a name", asking(""), (1, METHOD)),
    _line("a method of 100,000 characters", asking("m" * 100_000), (1, METHOD)),
    _line("a notification's method with an id", asking("notifications/initialized"), (1, METHOD)),
    _line("a call without params", asking("tools/call"), (1, PARAMS)),
    _line("a call without a tool", asking("tools/call", "{}"), (1, PARAMS)),
    _line("a call of an unknown tool", asking("tools/call", '{"name":"x"}'), (1, PARAMS)),
    _line("arguments that are text", asking("tools/call", '{"name":"geocode","arguments":"x"}'), (1, PARAMS)),
    _line("a cursor that is an object", asking("tools/list", '{"cursor":{}}'), (1, PARAMS)),
    # requests that are served
    _line("a huge integer as id", ping("1" + "0" * 30), (10**30, None)),
    _line("an integer of 4,300 digits as id", ping("9" * 4_300), (int("9" * 4_300), None)),
    _line("a number below zero as id", ping("-1"), (-1, None)),
    _line("5,000 digits in text as id", ping(f'"{"9" * 5_000}"'), ("9" * 5_000, None)),
    _line("no characters as id", ping('""'), ("", None)),
    _line("control characters as id", ping(r'"\u0000\n\u202e\ud83d\ude00"'), ("\0\n\u202e😀", None)),
    _line("an id of 10,000 characters", ping(f'"{"i" * 10_000}"'), ("i" * 10_000, None)),
    _line("the id twice: the last holds", ping("1", ',"id":2'), (2, None)),
    _line("a member twice", ping("1", ',"params":{},"params":{}'), (1, None)),
    _line("unknown members", ping("1", ',"x":[1,{"y":null}]'), (1, None)),
    _line("params that are null", ping("1", ',"params":null'), (1, None)),
    _line("190 levels", ping("1", _deep(190)), (1, None)),
    _line("a number beyond all numbers in params", ping("1", ',"params":{"a":1e999}'), (1, None)),
    _line("metadata of the wrong kinds", asking("ping", '{"_meta":{"traceparent":[1],"baggage":7}}'), (1, None)),
    _line("a fraction as progress token", asking("ping", '{"_meta":{"progressToken":1.5}}'), (1, PARAMS)),
    _line("metadata that is text", ping("1", ',"params":{"_meta":"x"}'), (1, PARAMS)),
    _line("a carriage return before the newline", ping("1"), (1, None), end=b"\r\n"),
    _line("carriage returns between members", ping("1").replace(b",", b",\r"), (1, None)),
    _line("spaces around", b" \t" + ping("1") + b" \r ", (1, None)),
    _line("empty lines before", b"\n\r\n  \n" + ping("1"), (1, None)),
    # what expects no answer
    _line("an empty line", ""),
    _line("spaces only", " \t\r"),
    _line("an unknown notification", '{"jsonrpc":"2.0","method":"notifications/x"}'),
    _line("a notification with an array", telling("notifications/x", "[1]")),
    _line("a notification of another version", '{"jsonrpc":"1.0","method":"notifications/x"}'),
    _line("a request's method without an id", '{"jsonrpc":"2.0","method":"ping"}'),
    _line("the end of a call that there is not", telling("notifications/cancelled", '{"requestId":77}')),
    _line("the end of a call whose id is an object", telling("notifications/cancelled", '{"requestId":{}}')),
    _line("a response with an unknown id", '{"jsonrpc":"2.0","id":77,"result":{}}'),
    _line("a response without an id", '{"jsonrpc":"2.0","result":{}}'),
    _line("a response that is text", '{"jsonrpc":"2.0","id":77,"result":"x"}'),
    _line("an error with an unknown id", '{"jsonrpc":"2.0","id":77,"error":{"code":1,"message":"x"}}'),
    _line("an error that is text", '{"jsonrpc":"2.0","id":77,"error":"x"}'),
    _line("an error with a fraction as code", '{"jsonrpc":"2.0","id":null,"error":{"code":0.5,"message":"x"}}'),
]
