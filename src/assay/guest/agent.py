"""The process beside the code on trial: loads one program and answers the judge's requests about it.

Nothing here is relied on for the soundness of a verdict. Whatever bytes leave this process are data to the judge, which holds the tests
and the expected values; here there is nothing to win. Standard library only, CPython >= 3.9, loaded by path.

A frame is a 32-bit little-endian length and that many bytes of `codec`. Requests and replies, as tuples::

    ("load", source, setup, names, seed, plan)   -> ("loaded", have) | ("syntax", text, line) | ("raised", ...), then a reply a planned call
    ("call", name | handle, arguments)           -> ("ok", value[, changed]) | ("raised", ...) | ("unsendable", text)
    ("op", operation, handle, arguments)         -> the same

`arguments` are the encoded bytes of `(args, ((keyword, value), ...))`; `changed` lists the new contents of the argument containers that
the call changed, by their number. `("raised", class handle, base names, args, text, line[, changed])` reports an exception. A `plan`
is the encoded tuple of calls `(name, arguments)` whose requests went out early: their replies come without being asked for. A callable argument that
lives with the judge is called back: `("callback", number, args, keywords)` -> `("return", value)` | `("throw", name, text)`.
"""

import builtins
import importlib.util
import linecache
import operator
import os
import random
import sys
import types

FILENAME = "<solution>"
MODULE = "solution"
_read, _write, _exit = os.read, os.write, os._exit


def _load_codec():
    spec = importlib.util.spec_from_file_location("assay_codec", os.path.join(os.path.dirname(os.path.abspath(__file__)), "codec.py"))
    module = importlib.util.module_from_spec(spec)
    sys.modules["assay_codec"] = module
    spec.loader.exec_module(module)
    return module


codec = sys.modules.get("assay_codec") or _load_codec()
EXCEPTIONS = {n: e for n, e in vars(builtins).items() if isinstance(e, type) and issubclass(e, BaseException)}

UNARY = {
    "len": len, "iter": iter, "next": next, "str": str, "repr": repr, "bool": bool, "hash": hash, "abs": abs, "neg": operator.neg,
    "pos": operator.pos, "invert": operator.invert, "int": int, "float": float, "complex": complex, "index": operator.index,
    "reversed": reversed, "enter": lambda o: type(o).__enter__(o), "round": round, "dir": dir,
}  # fmt: skip
BINARY = {
    name: getattr(operator, name)
    for name in (
        "eq ne lt le gt ge add sub mul truediv floordiv mod pow matmul and_ or_ xor lshift rshift getitem contains delitem "
        "iadd isub imul itruediv ifloordiv imod ipow iand ior ixor"
    ).split()
}
BINARY.update(
    isinstance=lambda c, o: isinstance(o, c),
    issubclass=lambda c, o: issubclass(o, c),
    divmod=divmod,
    radd=lambda o, x: x + o,
    rsub=lambda o, x: x - o,
    rmul=lambda o, x: x * o,
    rtruediv=lambda o, x: x / o,
    rpow=lambda o, x: x**o,
    format=format,
    exit=lambda o, args: type(o).__exit__(o, *args),
    getattr=getattr,
    delattr=delattr,
)
TERNARY = {"setattr": setattr, "setitem": operator.setitem}
OPERATIONS = {**UNARY, **BINARY, **TERNARY}


class Callback:
    """A callable that lives with the judge: calling it here is a nested request."""

    def __init__(self, agent, number):
        self._agent = agent
        self._number = number

    def __call__(self, *args, **keywords):
        return self._agent.call_back(self._number, args, keywords)


class Agent:
    """One program and the objects of it that the judge knows by handle."""

    def __init__(self, fd):
        self.fd = fd
        self.objects = []
        self.handles = {}
        self.classes = {}
        self.namespace = {}

    # -- frames

    def send(self, message, encoder=None):
        data = (encoder or self.encoder()).encode(message)
        self._send_bytes(data)

    def _send_bytes(self, data):
        view = memoryview(len(data).to_bytes(4, "little") + data)
        while view:
            view = view[_write(self.fd, view) :]

    def _exactly(self, n):
        out = bytearray()
        while len(out) < n:
            chunk = _read(self.fd, min(n - len(out), 1 << 20))
            if not chunk:
                _exit(0)
            out += chunk
        return bytes(out)

    def receive(self):
        return self.decoder().decode(self._exactly(int.from_bytes(self._exactly(4), "little")))

    def encoder(self, known=()):
        return codec.Encoder(opaque=self.handle, known=known, valued=True, classes=self.classes)

    def decoder(self):
        by_name = {name: cls for cls, name in self.classes.items()}
        return codec.Decoder(
            on_reference=self.objects.__getitem__,
            on_callback=lambda number: Callback(self, number),
            on_instance=lambda name: object.__new__(by_name[name]),
        )

    def handle(self, o):
        if type(o) is Callback:
            return codec.reference(o._number)
        number = self.handles.get(id(o))
        if number is None:
            number = self.handles[id(o)] = len(self.objects)
            self.objects.append(o)
        return codec.handle(number, *describe(o))

    # -- requests

    def serve(self):
        while True:
            request = self.receive()
            if request[0] == "load":
                self.load(*request[1:])
            elif request[0] == "call":
                self.call(request[1], request[2])
            else:
                self.answer(OPERATIONS[request[1]], (self.objects[request[2]],), request[3])

    def load(self, source, setup, names, seed, plan):
        seed_generators(seed)
        module = types.ModuleType(MODULE)
        module.__dict__["__file__"] = FILENAME
        sys.modules[MODULE] = module
        self.namespace = module.__dict__
        if setup:
            exec(compile(setup, "<setup>", "exec"), self.namespace)
            self.classes = shared_classes(self.namespace)
        try:
            code = compile(source, FILENAME, "exec")
        except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError) as error:
            self.send(("syntax", "%s: %s" % (type(error).__name__, error), getattr(error, "lineno", None)))
            return
        linecache.cache[FILENAME] = (len(source), None, source.splitlines(True), FILENAME)
        try:
            exec(code, self.namespace)
        except BaseException as error:
            self.report(error)
            return
        self.send(("loaded", {name: self.namespace[name] for name in names if name in self.namespace}))
        for name, arguments in codec.decode(plan):
            self.call(name, arguments)

    def call(self, target, arguments):
        if type(target) is not str:
            function = self.objects[target]
        elif target in self.namespace:
            function = self.namespace[target]
        else:
            function = missing(target)
        self.answer(function, (), arguments)

    def answer(self, function, first, arguments):
        decoder = self.decoder()
        args, keywords = decoder.decode(arguments)
        try:
            result = function(*first, *args, **dict(keywords))
        except BaseException as error:
            self.report(error, decoder.mutables, self.changes(decoder, args, keywords, arguments))
            return
        encoder = self.encoder(decoder.mutables)
        try:
            data = encoder.encode(("ok", result) + self.changes(decoder, args, keywords, arguments))
        except Exception as error:  # besides CodecError whatever an object that lies about itself makes the encoder raise
            self.send(("unsendable", "%s: %s" % (type(error).__name__, error)))
            return
        self._send_bytes(data)

    def changes(self, decoder, args, keywords, arguments):
        """The containers among the arguments that have other contents now, as a tuple to append to a reply."""
        if not decoder.mutables:
            return ()
        after = codec.Encoder(opaque=self.handle, classes=self.classes).encode((args, keywords))
        if after == arguments:
            return ()
        if decoder.has_sets:
            # A set that was decoded may iterate in another order than the one that was encoded: compare like with like.
            fresh = self.decoder().decode(arguments)
            if after == codec.Encoder(opaque=self.handle, classes=self.classes).encode(fresh):
                return ()
        return ([(n, contents(o)) for n, o in enumerate(decoder.mutables)],)

    def report(self, error, known=(), changed=()):
        """Sends an exception: its class, the names of its bases, its arguments where they are plain, and its text."""
        cls = type(error)
        names = [c.__name__ for c in cls.__mro__ if EXCEPTIONS.get(c.__name__) is c]
        try:
            text = str(error)[:2000]
        except BaseException:
            text = "<the exception's __str__ failed>"
        try:
            args = codec.Encoder().encode(tuple(error.args))
        except BaseException:
            args = codec.encode((text,))
        own = None if EXCEPTIONS.get(cls.__name__) is cls else cls
        self.send(("raised", own, names, args, text, last_line(error), *changed), self.encoder(known))

    def call_back(self, number, args, keywords):
        self.send(("callback", number, args, tuple(keywords.items())))
        reply = self.receive()
        if reply[0] == "return":
            return reply[1]
        raise EXCEPTIONS.get(reply[1], Exception)(reply[2])


def describe(o):
    """`(kind, name, detail)` of an object that stays here."""
    cls = type(o)
    if isinstance(o, type):
        base = next((c.__name__ for c in o.__mro__ if EXCEPTIONS.get(c.__name__) is c), "")
        return ("exception" if base else "class"), o.__name__, base
    if isinstance(o, types.ModuleType):
        return "module", o.__name__, ""
    if hasattr(cls, "__next__") and hasattr(cls, "__iter__"):
        return "iterator", cls.__name__, ""
    if callable(o):
        return "callable", str(getattr(o, "__name__", cls.__name__)), ""
    return ("iterable" if hasattr(cls, "__iter__") else "object"), cls.__name__, ""


def missing(name):
    """Stands in for a function that the program does not define."""

    def function(*args, **keywords):
        raise NameError("name %r is not defined" % name)

    return function


def contents(o):
    """What a container holds, as a plain value that the judge can put into its own copy."""
    if isinstance(o, dict):
        return [x for pair in tuple(dict.items(o)) for x in pair]
    if isinstance(o, bytearray):
        return bytes(o)
    if isinstance(o, (list, set)) or type(o).__name__ == "deque":
        return list(o)
    np = sys.modules.get("numpy")
    if np is not None and isinstance(o, np.ndarray):
        return np.array(o)
    return [x for pair in tuple(vars(o).items()) for x in pair]


def shared_classes(namespace):
    """Plain classes that the test's setup defines; both sides have them, so their instances can travel."""
    return {
        o: name
        for name, o in namespace.items()
        if type(o) is type and o.__module__ == MODULE and o.__base__ is object and "__slots__" not in vars(o)
    }


def last_line(error):
    """Line of the program in which an exception was raised, or None."""
    line, trace = None, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == FILENAME:
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


def seed_generators(seed):
    """Seeds `random`, and numpy's generator where numpy is loaded, alike in calibration and judging."""
    random.seed(seed)
    np = sys.modules.get("numpy")
    if np is not None:
        np.random.seed(seed % (1 << 32))


def main(fd):
    """Serves one session on a connected socket until the judge closes it."""
    Agent(fd).serve()
