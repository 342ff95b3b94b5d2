"""Plain values as bytes: strict, tagged, non-executing. The same file is loaded by path on both sides of the border.

Why it exists: `pickle` and `marshal` run or trust what they read, and JSON loses types. Here every value is a tag byte and its
content; the decoder builds exact builtin, standard-library and numpy *value* types and nothing else. It looks up no class by name.

Kept true:
- `decode(encode(v)) == v` for plain values, with types, aliasing and cycles of mutable containers kept.
- Any bytes at all decode to a value or raise `CodecError`, in time and memory bounded by their length (`MAX_DEPTH` bounds nesting).
- Encoder and decoder are iterative, so depth never meets the recursion limit.
- Integers travel as bytes (no limit of 4,300 digits), floats as their 8 bytes.

What is not plain goes through a hook: `opaque(value)` returns the bytes of a handle (`handle()`, `callback()`) or raises.
Mutable containers are numbered in the order in which they are met; `Encoder.mutables` and `Decoder.mutables` hold them in that order, so
that both sides can speak of "the third container of this message".
"""

import array
import collections
import datetime
import decimal
import fractions
import re
import struct
import sys
import types

MAX_DEPTH = 200_000
MAX_DECIMAL = 20_000
KINDS = ("object", "class", "exception", "iterator", "callable", "module", "iterable")

_U32 = struct.Struct("<I")
_I64 = struct.Struct("<q")
_F64 = struct.Struct("<d")
_2F64 = struct.Struct("<2d")
_LITTLE = sys.byteorder == "little"
_I64_MIN, _I64_MAX = -(1 << 63), (1 << 63) - 1
_INT, _FLOAT, _STR = frozenset((int,)), frozenset((float,)), frozenset((str,))
_FAST_LANE = 8
_VIEWS = (type({}.keys()), type({}.values()), type({}.items()))
_NUMPY_KINDS = "biufcSU"
_DTYPE = re.compile("[<>|=]?[%s][0-9]{1,6}" % _NUMPY_KINDS)
_FACTORIES = {t.__name__: t for t in (int, float, str, list, dict, set, tuple, bool)}
BUILTIN_TYPES = {
    t.__name__: t
    for t in (int, float, complex, bool, str, bytes, bytearray, list, tuple, set, frozenset, dict, range, object, type(None), type)
}
VALUE_BASES = (int, float, complex, str, bytes, tuple, frozenset, list, dict, set, bytearray, collections.deque)
OVERRIDES = ("__add__", "__sub__", "__mul__", "__truediv__", "__matmul__", "__neg__", "__abs__", "__str__")
_STDLIB = ("collections", "decimal", "fractions", "datetime", "enum", "builtins", "http", "signal", "socket")


class CodecError(Exception):
    """The bytes are not a value of this encoding, or the value has no encoding."""


def _numpy():
    """The numpy module if this process has loaded it, else None: a value of numpy's can't exist before."""
    return sys.modules.get("numpy")


def _text(value):
    data = value.encode("utf-8", "surrogatepass")
    return _U32.pack(len(data)) + data


def handle(number, kind, name, detail=""):
    """Bytes of a handle: object `number` of the other side, of one of `KINDS`, with a name to show and a detail (exception base)."""
    return b"h" + _U32.pack(number) + bytes((KINDS.index(kind),)) + _text(name) + _text(detail)


def reference(number):
    """Bytes that name object `number` of the receiving side (a handle going home)."""
    return b"H" + _U32.pack(number)


def callback(number):
    """Bytes of a callable that stays with the sender and is called back by `number`."""
    return b"k" + _U32.pack(number)


class Encoder:
    """Encodes values of one message.

    Args:
        opaque: Called with a value that is not plain; returns the bytes of a handle or raises CodecError.
        known: Mutable containers that the other side already has, in its numbering; they are sent as references.
        valued: Whether instances of candidate-defined subclasses of value types carry a handle beside the copied content.
        classes: Classes that both sides have from the test's setup, with their names; instances travel as name and `__dict__`.
        homes: Types whose instances always go through `opaque`, whatever they derive from.
    """

    def __init__(self, opaque=None, known=(), valued=False, classes=(), homes=()):
        self.opaque = opaque
        self.homes = homes
        self.classes = dict(classes)
        self.mutables = list(known)
        self.numbers = {id(o): n for n, o in enumerate(self.mutables)}
        self.valued = valued
        self.has_sets = False

    def encode(self, value):
        """The bytes of `value`.

        Raises:
            CodecError: If something in it is not plain and there is no hook, or it is too large.
        """
        out = []
        try:
            self._run(out, value)
        except (OverflowError, struct.error) as error:
            raise CodecError("too large: %s" % error) from None
        return b"".join(out)

    def _run(self, out, value):
        stack = [iter((value,))]
        push, append, numbers = stack.append, out.append, self.numbers
        while stack:
            for o in stack[-1]:
                t = type(o)
                if t is int:
                    if _I64_MIN <= o <= _I64_MAX:
                        append(b"i" + _I64.pack(o))
                    else:
                        data = o.to_bytes(o.bit_length() // 8 + 1, "little", signed=True)
                        append(b"I" + _U32.pack(len(data)) + data)
                elif t is str:
                    append(b"s" + _text(o))
                elif t is list:
                    n = numbers.get(id(o))
                    if n is not None:
                        append(b"r" + _U32.pack(n))
                        continue
                    self._number(o)
                    items = tuple(o)
                    if self._lane(append, items):
                        continue
                    append(b"[" + _U32.pack(len(items)))
                    push(iter(items))
                    break
                elif t is tuple:
                    append(b"(" + _U32.pack(len(o)))
                    push(iter(o))
                    break
                elif t is bool:
                    append(b"T" if o else b"F")
                elif o is None:
                    append(b"N")
                elif t is float:
                    append(b"f" + _F64.pack(o))
                elif t is dict:
                    if self._pairs(append, push, o, b"{"):
                        break
                else:
                    items = self._other(append, o, t)
                    if items is not None:
                        push(iter(items))
                        break
            else:
                stack.pop()

    def _number(self, o):
        self.numbers[id(o)] = len(self.mutables)
        self.mutables.append(o)

    @staticmethod
    def _lane(append, items):
        """Writes a long list of one plain type in one piece; False where it isn't one."""
        if len(items) < _FAST_LANE:
            return False
        kinds = frozenset(map(type, items))
        if kinds == _INT:
            try:
                data = array.array("q", items)
            except OverflowError:
                return False
            tag = b"L"
        elif kinds == _FLOAT:
            data, tag = array.array("d", items), b"D"
        elif kinds == _STR:
            texts = [s.encode("utf-8", "surrogatepass") for s in items]
            append(b"U" + _U32.pack(len(texts)) + array_u32(map(len, texts)) + b"".join(texts))
            return True
        else:
            return False
        if not _LITTLE:
            data.byteswap()
        append(tag + _U32.pack(len(items)) + data.tobytes())
        return True

    def _pairs(self, append, push, o, head):
        n = self.numbers.get(id(o))
        if n is not None:
            append(b"r" + _U32.pack(n))
            return False
        self._number(o)
        flat = [x for pair in tuple(dict.items(o)) for x in pair]
        append(head + _U32.pack(len(flat)))
        push(iter(flat))
        return True

    def _other(self, append, o, t):
        """Writes the head of a less common value; returns its parts still to be written, or None."""
        if t in (set, frozenset):
            return self._set(append, o, t, tuple(o))
        if t is bytes:
            append(b"b" + _U32.pack(len(o)) + o)
        elif t is complex:
            append(b"c" + _2F64.pack(o.real, o.imag))
        elif t is range:
            append(b"g")
            return (o.start, o.stop, o.step)
        elif t is slice:
            append(b"l")
            return (o.start, o.stop, o.step)
        elif o is Ellipsis:
            append(b".")
        elif o is NotImplemented:
            append(b"!")
        elif t is bytearray or t is collections.deque:
            return self._buffer(append, o, t)
        elif t in _MAPPINGS:
            return self._mapping(append, o, t)
        elif t in _STAMPS:
            return _stamp(append, o, t)
        elif t is type and BUILTIN_TYPES.get(o.__name__) is o:
            append(b"y" + _text(o.__name__))
        else:
            return self._rare(append, o, t)
        return None

    def _set(self, append, o, t, items):
        self.has_sets = True
        if t is set:
            n = self.numbers.get(id(o))
            if n is not None:
                append(b"r" + _U32.pack(n))
                return None
            self._number(o)
        append((b"S" if t is set else b"Z") + _U32.pack(len(items)))
        return items

    def _buffer(self, append, o, t):
        n = self.numbers.get(id(o))
        if n is not None:
            append(b"r" + _U32.pack(n))
            return None
        self._number(o)
        if t is bytearray:
            append(b"B" + _U32.pack(len(o)) + bytes(o))
            return None
        items = tuple(o)
        append(b"q" + _U32.pack(0xFFFFFFFF if o.maxlen is None else o.maxlen) + _U32.pack(len(items)))
        return items

    def _mapping(self, append, o, t):
        n = self.numbers.get(id(o))
        if n is not None:
            append(b"r" + _U32.pack(n))
            return None
        self._number(o)
        flat = [x for pair in tuple(t.items(o)) for x in pair]
        if t is collections.defaultdict:
            factory = o.default_factory
            name = factory.__name__ if isinstance(factory, type) and _FACTORIES.get(factory.__name__) is factory else ""
            append(b"e" + _text(name) + _U32.pack(len(flat)))
        else:
            append((b"O" if t is collections.OrderedDict else b"C") + _U32.pack(len(flat)))
        return flat

    def _rare(self, append, o, t):
        if t in _VIEWS:
            items = tuple(o)
            if t is _VIEWS[1]:
                append(b"[" + _U32.pack(len(items)))
                self._number(list(items))
                return items
            return self._set(append, None, frozenset, items) if _hashable(items) else self._items(append, items)
        if t in (collections.UserList, collections.UserDict, collections.UserString):
            return (o.data,)
        if t is array.array:
            return (o.tolist(),)
        if t is types.MappingProxyType:
            return (dict(o),)
        np = _numpy()
        if np is not None and isinstance(o, (np.generic, np.ndarray)):
            return self._array(append, o, np)
        if t in self.homes:
            return self._hook(append, o)
        if t in self.classes:
            return self._instance(append, o, t)
        if isinstance(o, VALUE_BASES):
            return self._subclass(append, o, t)
        return self._hook(append, o)

    def _instance(self, append, o, t):
        n = self.numbers.get(id(o))
        if n is not None:
            append(b"r" + _U32.pack(n))
            return None
        self._number(o)
        append(b"o" + _text(self.classes[t]))
        return (object.__getattribute__(o, "__dict__"),)

    def _items(self, append, items):
        self._number(list(items))
        append(b"[" + _U32.pack(len(items)))
        return items

    def _array(self, append, o, np):
        if isinstance(o, np.generic):
            if o.dtype.kind not in _NUMPY_KINDS:
                return self._hook(append, o)
            a = np.asarray(o)
            append(b"n" + _text(a.dtype.str) + _U32.pack(a.nbytes) + a.tobytes())
            return None
        n = self.numbers.get(id(o))
        if n is not None:
            append(b"r" + _U32.pack(n))
            return None
        a = np.asarray(o).view(np.ndarray)
        if a.dtype.kind in _NUMPY_KINDS:
            self._number(o)
            data = np.ascontiguousarray(a).tobytes()
            append(b"a" + _text(a.dtype.str) + _shape(a) + _U32.pack(len(data)) + data)
            return None
        if a.dtype.kind != "O":
            return self._hook(append, o)
        self._number(o)
        items = a.ravel().tolist()
        append(b"A" + _shape(a) + _U32.pack(len(items)))
        return items

    def _subclass(self, append, o, t):
        """A subclass of a value type is copied by its *base* content, whatever the subclass says about itself."""
        base = next(b for b in VALUE_BASES if isinstance(o, b))
        if self.valued and self.opaque is not None and t.__module__ not in _STDLIB:
            n = self.numbers.get(id(o))
            if n is not None:
                append(b"r" + _U32.pack(n))
                return None
            changed = [name for name in OVERRIDES if getattr(t, name, None) is not getattr(base, name, None)]
            append(b"v" + self.opaque(o) + _text(" ".join(changed)))
        return self._base(append, o, base)

    def _base(self, append, o, base):
        if base is list:
            return self._again(append, o, b"[", tuple(list.__iter__(o)))
        if base is dict:
            return self._again(append, o, b"{", [x for pair in tuple(dict.items(o)) for x in pair])
        if base is set:
            self.has_sets = True
            return self._again(append, o, b"S", tuple(set.__iter__(o)))
        if base is bytearray:
            return (bytearray(bytearray.__iter__(o)),)
        if base is collections.deque:
            return (collections.deque(collections.deque.__iter__(o)),)
        return (_BASE_VALUE[base](o),)

    def _again(self, append, o, head, items):
        n = self.numbers.get(id(o))
        if n is not None:
            append(b"r" + _U32.pack(n))
            return None
        self._number(o)
        append(head + _U32.pack(len(items)))
        return items

    def _hook(self, append, o):
        if self.opaque is None:
            raise CodecError("not a plain value: %s" % type(o).__name__)
        append(self.opaque(o))
        return None


_BASE_VALUE = {
    int: lambda o: int.__add__(o, 0),
    float: lambda o: _F64.unpack(_F64.pack(float.__float__(o)))[0],
    complex: lambda o: complex.__add__(o, 0j),
    str: lambda o: "".join(str.__iter__(o)),
    bytes: lambda o: bytes(bytes.__iter__(o)),
    tuple: lambda o: tuple(tuple.__iter__(o)),
    frozenset: lambda o: frozenset(frozenset.__iter__(o)),
}
_MAPPINGS = (collections.OrderedDict, collections.Counter, collections.defaultdict)
_STAMPS = (decimal.Decimal, fractions.Fraction, datetime.datetime, datetime.date, datetime.time, datetime.timedelta, datetime.timezone)


def array_u32(numbers):
    """Little-endian 32-bit unsigned integers as bytes."""
    data = array.array("I", numbers)
    if not _LITTLE:
        data.byteswap()
    return data.tobytes()


def _hashable(items):
    try:
        frozenset(items)
    except TypeError:
        return False
    return True


def _shape(a):
    return bytes((a.ndim,)) + b"".join(_U32.pack(n) for n in a.shape)


def _stamp(append, o, t):
    if t is decimal.Decimal:
        append(b"m" + _text(str(o)))
    elif t is fractions.Fraction:
        append(b"/")
        return (o.numerator, o.denominator)
    elif t is datetime.timedelta:
        append(b"d")
        return (o.days, o.seconds, o.microseconds)
    elif t is datetime.timezone:
        append(b"z")
        return (o.utcoffset(None),)
    elif t is datetime.date:
        append(b"t")
        return (o.year, o.month, o.day)
    elif t is datetime.time:
        append(b"u")
        return (o.hour, o.minute, o.second, o.microsecond, o.fold, _zone(o.tzinfo, o.utcoffset()))
    else:
        append(b"w")
        return (o.year, o.month, o.day, o.hour, o.minute, o.second, o.microsecond, o.fold, _zone(o.tzinfo, o.utcoffset()))
    return None


def _zone(tzinfo, offset):
    """The time zone as a fixed offset: named zones keep their instant and lose their name."""
    if tzinfo is None or offset is None:
        return None
    return tzinfo if type(tzinfo) is datetime.timezone else datetime.timezone(offset)


class _Frame:
    """A container whose parts are being read: `fill(parts)` finishes it."""

    __slots__ = ("fill", "left", "parts")

    def __init__(self, left, fill):
        self.left = left
        self.parts = []
        self.fill = fill


class Decoder:
    """Decodes values of one message; builds exact plain types only.

    Args:
        on_handle: Called as `(number, kind, name, detail)` for a handle of the other side.
        on_reference: Called as `(number)` for one of our own objects that comes home.
        on_callback: Called as `(number)` for a callable that stays with the sender.
        on_valued: Called as `(base value, handle, overridden operators)` for a value with a handle beside it.
        on_instance: Called as `(class name)`; returns a bare instance, whose `__dict__` is then filled.
        known: Mutable containers that references may name, in the sender's numbering.

    A hook that is None refuses its kind of value.
    """

    def __init__(self, on_handle=None, on_reference=None, on_callback=None, on_valued=None, on_instance=None, known=()):
        self.on_handle = on_handle
        self.on_reference = on_reference
        self.on_callback = on_callback
        self.on_valued = on_valued
        self.on_instance = on_instance
        self.mutables = list(known)
        self.has_sets = False

    def decode(self, data):
        """The value that `data` encodes, all of it.

        Raises:
            CodecError: For anything else.
        """
        try:
            return self._decode(data)
        except CodecError:
            raise
        except (ArithmeticError, AttributeError, LookupError, MemoryError, RecursionError, TypeError, ValueError, struct.error) as error:
            raise CodecError("%s: %s" % (type(error).__name__, error)) from None

    def _decode(self, data):
        self.data, self.at = data, 0
        stack = [_Frame(1, None)]
        top = stack[0]
        readers = _READERS
        while True:
            while top.left:
                top.left -= 1
                tag = data[self.at]
                self.at += 1
                got = readers[tag](self)
                if type(got) is _Frame:
                    if len(stack) >= MAX_DEPTH:
                        raise CodecError("nested too deeply")
                    stack.append(got)
                    top = got
                else:
                    top.parts.append(got)
            if len(stack) == 1:
                break
            done = stack.pop()
            value = done.fill(done.parts)
            top = stack[-1]
            top.parts.append(value)
        if self.at != len(data):
            raise CodecError("%d bytes left over" % (len(data) - self.at))
        return top.parts[0]

    # -- pieces

    def _u32(self):
        at = self.at
        self.at = at + 4
        return _U32.unpack_from(self.data, at)[0]

    def _count(self):
        """A number of parts; each part takes at least one byte, so that a lie about it can't cost memory."""
        n = self._u32()
        if n > len(self.data) - self.at:
            raise CodecError("count beyond the data")
        return n

    def _bytes(self, n):
        at = self.at
        if n > len(self.data) - at:
            raise CodecError("cut short")
        self.at = at + n
        return self.data[at : at + n]

    def text(self):
        """A length and that many bytes of UTF-8."""
        return bytes(self._bytes(self._u32())).decode("utf-8", "surrogatepass")

    def _new(self, o):
        self.mutables.append(o)
        return o

    # -- readers, one a tag

    def read_none(self):
        return None

    def read_true(self):
        return True

    def read_false(self):
        return False

    def read_ellipsis(self):
        return Ellipsis

    def read_not_implemented(self):
        return NotImplemented

    def read_small(self):
        at = self.at
        self.at = at + 8
        return _I64.unpack_from(self.data, at)[0]

    def read_big(self):
        return int.from_bytes(self._bytes(self._u32()), "little", signed=True)

    def read_float(self):
        at = self.at
        self.at = at + 8
        return _F64.unpack_from(self.data, at)[0]

    def read_complex(self):
        return complex(*_2F64.unpack(self._bytes(16)))

    def read_bytes(self):
        return bytes(self._bytes(self._u32()))

    def read_bytearray(self):
        return self._new(bytearray(self._bytes(self._u32())))

    def read_ints(self):
        return self._lane("q", 8)

    def read_floats(self):
        return self._lane("d", 8)

    def _lane(self, code, size):
        a = array.array(code)
        a.frombytes(self._bytes(self._u32() * size))
        if not _LITTLE:
            a.byteswap()
        return self._new(a.tolist())

    def read_texts(self):
        n = self._count()
        lengths = array.array("I")
        lengths.frombytes(self._bytes(n * 4))
        if not _LITTLE:
            lengths.byteswap()
        out = self._new([])
        for length in lengths:
            out.append(bytes(self._bytes(length)).decode("utf-8", "surrogatepass"))
        return out

    def read_list(self):
        o = self._new([])

        def fill(parts):
            o.extend(parts)
            return o

        return _Frame(self._count(), fill)

    def read_tuple(self):
        return _Frame(self._count(), tuple)

    def read_set(self):
        self.has_sets = True
        o = self._new(set())

        def fill(parts):
            o.update(parts)
            return o

        return _Frame(self._count(), fill)

    def read_frozenset(self):
        self.has_sets = True
        return _Frame(self._count(), frozenset)

    def read_deque(self):
        limit = self._u32()
        o = self._new(collections.deque(maxlen=None if limit == 0xFFFFFFFF else limit))

        def fill(parts):
            o.extend(parts)
            return o

        return _Frame(self._count(), fill)

    def _dict(self, o):
        self._new(o)
        n = self._count()
        if n % 2:
            raise CodecError("a key without a value")

        def fill(parts):
            dict.update(o, zip(parts[::2], parts[1::2]))
            return o

        return _Frame(n, fill)

    def read_dict(self):
        return self._dict({})

    def read_ordered(self):
        o = self._new(collections.OrderedDict())
        n = self._count()
        if n % 2:
            raise CodecError("a key without a value")

        def fill(parts):
            o.update(zip(parts[::2], parts[1::2]))
            return o

        return _Frame(n, fill)

    def read_counter(self):
        return self._dict(collections.Counter())

    def read_defaultdict(self):
        name = self.text()
        return self._dict(collections.defaultdict(_FACTORIES[name] if name else None))

    def read_range(self):
        return _Frame(3, lambda p: range(*_ints(p)))

    def read_slice(self):
        return _Frame(3, lambda p: slice(*p))

    def read_decimal(self):
        text = self.text()
        if len(text) > MAX_DECIMAL:
            raise CodecError("decimal too long")
        return decimal.Decimal(text)

    def read_fraction(self):
        return _Frame(2, lambda p: fractions.Fraction(*_ints(p)))

    def read_timedelta(self):
        return _Frame(3, lambda p: datetime.timedelta(*_ints(p)))

    def read_timezone(self):
        return _Frame(1, lambda p: datetime.timezone(*p))

    def read_date(self):
        return _Frame(3, lambda p: datetime.date(*_ints(p)))

    def read_time(self):
        return _Frame(6, lambda p: datetime.time(*_ints(p[:4]), tzinfo=p[5], fold=p[4]))

    def read_datetime(self):
        return _Frame(9, lambda p: datetime.datetime(*_ints(p[:7]), tzinfo=p[8], fold=p[7]))

    def read_type(self):
        return BUILTIN_TYPES[self.text()]

    def read_known(self):
        return self.mutables[self._u32()]

    def _dtype(self):
        np = _numpy()
        if np is None:
            raise CodecError("numpy is not loaded here")
        text = self.text()
        if _DTYPE.fullmatch(text) is None:
            raise CodecError("refused dtype")
        return np, np.dtype(text)

    def read_scalar(self):
        np, dtype = self._dtype()
        return np.frombuffer(self._bytes(self._u32()), dtype=dtype, count=1)[0]

    def _dims(self):
        return tuple(self._u32() for _ in range(self._bytes(1)[0]))

    def read_array(self):
        np, dtype = self._dtype()
        shape = self._dims()
        return self._new(np.frombuffer(self._bytes(self._u32()), dtype=dtype).reshape(shape).copy())

    def read_objects(self):
        np = _numpy()
        if np is None:
            raise CodecError("numpy is not loaded here")
        shape = self._dims()
        n = self._count()
        o = self._new(np.empty(n, dtype=object).reshape(shape))

        def fill(parts):
            flat = o.reshape(-1)
            for i, part in enumerate(parts):
                flat[i] = part
            return o

        return _Frame(n, fill)

    def read_handle(self):
        if self.on_handle is None:
            raise CodecError("a handle where plain data was asked for")
        number, kind = self._u32(), KINDS[self._bytes(1)[0]]
        return self.on_handle(number, kind, self.text(), self.text())

    def read_reference(self):
        if self.on_reference is None:
            raise CodecError("a reference where plain data was asked for")
        return self.on_reference(self._u32())

    def read_callback(self):
        if self.on_callback is None:
            raise CodecError("a callback where plain data was asked for")
        return self.on_callback(self._u32())

    def read_valued(self):
        if self.on_valued is None or self.data[self.at] != ord("h"):
            raise CodecError("a value with a handle where plain data was asked for")
        self.at += 1
        remote, changed = self.read_handle(), self.text().split()
        return _Frame(1, lambda p: self.on_valued(p[0], remote, changed))

    def read_instance(self):
        if self.on_instance is None:
            raise CodecError("an instance where plain data was asked for")
        o = self._new(self.on_instance(self.text()))

        def fill(parts):
            if type(parts[0]) is not dict:
                raise CodecError("an instance without a __dict__")
            # Not update(): the dict is numbered as a container of its own, and must be the instance's, or changes would miss it.
            object.__setattr__(o, "__dict__", parts[0])
            return o

        return _Frame(1, fill)


def _ints(parts):
    for part in parts:
        if type(part) is not int:
            raise CodecError("an integer was expected")
    return parts


def _refuse(decoder):
    raise CodecError("unknown tag %r" % decoder.data[decoder.at - 1])


_TAGS = {
    "N": Decoder.read_none, "T": Decoder.read_true, "F": Decoder.read_false, ".": Decoder.read_ellipsis, "!": Decoder.read_not_implemented,
    "i": Decoder.read_small, "I": Decoder.read_big, "f": Decoder.read_float, "c": Decoder.read_complex, "s": Decoder.text, "b": Decoder.read_bytes,
    "B": Decoder.read_bytearray, "L": Decoder.read_ints, "D": Decoder.read_floats, "U": Decoder.read_texts, "[": Decoder.read_list, "(": Decoder.read_tuple,
    "S": Decoder.read_set, "Z": Decoder.read_frozenset, "q": Decoder.read_deque, "{": Decoder.read_dict, "O": Decoder.read_ordered, "C": Decoder.read_counter,
    "e": Decoder.read_defaultdict, "g": Decoder.read_range, "l": Decoder.read_slice, "m": Decoder.read_decimal, "/": Decoder.read_fraction,
    "d": Decoder.read_timedelta, "z": Decoder.read_timezone, "t": Decoder.read_date, "u": Decoder.read_time, "w": Decoder.read_datetime, "y": Decoder.read_type,
    "r": Decoder.read_known, "n": Decoder.read_scalar, "a": Decoder.read_array, "A": Decoder.read_objects, "h": Decoder.read_handle, "H": Decoder.read_reference,
    "k": Decoder.read_callback, "v": Decoder.read_valued, "o": Decoder.read_instance,
}  # fmt: skip
_READERS = tuple(_TAGS.get(chr(tag), _refuse) for tag in range(256))


def encode(value):
    """The bytes of a plain value.

    >>> decode(encode([1, (2.5, None), {"a": {3}}]))
    [1, (2.5, None), {'a': {3}}]
    """
    return Encoder().encode(value)


def decode(data):
    """The plain value that `data` encodes.

    >>> decode(b"?")  # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
    CodecError: unknown tag 63
    """
    return Decoder().decode(data)
