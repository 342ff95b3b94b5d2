"""Values on their way over the border: what of the test's goes out as a copy or a number, what of the candidate's comes in as a stand-in.

Both sides number the objects that they keep: `remotes` are the candidate's, by its handle; `locals` are the test's own callables and
other things that can't be copied, by the number under which the candidate may call them back.

Runs inside the jailed judge process: standard library only.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any, NamedTuple

from assay.judge.exceptions import EXCEPTIONS, exception_class
from assay.judge.proxies import HOMES, KINDS, Holder, Remote, valued
from assay.judge.wire import codec

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_HANDLES = 200_000
_WIDE = {"f": ("float64", 8), "c": ("complex128", 16)}
"""Python's own kinds of numbers with a fraction: by numpy's letter its name for them, and their bytes."""

_LEAF: bytes = codec.encode(("ok", None))[:-1]
_LEAVES = tuple(codec.leaf(leaf)[:1] for leaf in (None, True, False, 0, 0.0, ""))
"""A reply that begins so, and then so, can name no container of the arguments and tells of no change to them."""


class Arguments(NamedTuple):
    """Encoded arguments: the bytes, the mutable containers among them in their numbering, and whether all of it is plain data."""

    data: bytes
    mutables: list[Any]
    plain: bool


class Values:
    """Encodes what goes to one agent and decodes what comes from it.

    Numbers of numpy that are narrower than Python's own (float16, float32, complex64) come in as numbers of Python's width: a test's number
    is rounded to the width of what it is compared with, so that a float16 equals all that is near it, and an infinite one all that is
    large. Types that the reference gives too stay what they are: there the tests may be made for them.

    `mentions` counts how often an object of the agent's was named in what came in.

    Args:
        holder: The session that stand-ins talk to.
        narrow: Names of such types that stay; None lets all stay and notes them in `narrow`.
    """

    def __init__(self, holder: Holder, narrow: frozenset[str] | None = frozenset()) -> None:
        self._holder = holder
        self._kept = narrow
        self.narrow: set[str] = set()
        self.classes: dict[type, str] = {}
        self.locals: list[object] = []
        self._local_numbers: dict[int, int] = {}
        self._remotes: dict[int, Any] = {}
        self._exception_handles: dict[type, int] = {}
        self.origins: dict[int, str] = {}
        self._plain = True
        self.mentions = 0

    # -- out

    def arguments(self, args: tuple[object, ...], keywords: dict[str, object]) -> Arguments:
        """The arguments of a call."""
        encoder = self._encoder()
        self._plain = True
        data = encoder.encode((args, tuple(keywords.items())))
        return Arguments(data, encoder.mutables, self._plain)

    def encode(self, value: object) -> bytes:
        """Any message."""
        data: bytes = self._encoder().encode(value)
        return data

    def _encoder(self) -> Any:
        return codec.Encoder(opaque=self._opaque, classes=self.classes, homes=HOMES)

    def _opaque(self, o: object) -> bytes:
        if codec.is_builtin(o):
            # By name: a builtin called back *here* would run in the judge with the candidate's arguments, and `eval` is one.
            named: bytes = codec.builtin(o.__name__)  # type: ignore[attr-defined] # a builtin function has a name
            return named
        self._plain = False
        handle = self._handle(o)
        data: bytes = codec.callback(self._local(o)) if handle is None else codec.reference(handle)
        return data

    def _handle(self, o: object) -> int | None:
        """The candidate's number of one of its objects, None for the test's own."""
        if isinstance(o, Remote):
            return o._assay_handle
        if type(o) in HOMES:
            return int(o.__dict__["_remote"]._assay_handle)
        return self._exception_handles.get(o) if isinstance(o, type) else None

    def _local(self, o: object) -> int:
        number = self._local_numbers.get(id(o))
        if number is None:
            number = self._local_numbers[id(o)] = len(self.locals)
            self.locals.append(o)
        return number

    def handle_of(self, cls: type) -> int:
        """The candidate's number of a class that is known here; a number that it never gives where it has none."""
        return self._exception_handles.get(cls, (1 << 32) - 1)

    # -- in

    def decode(self, data: bytes, known: Sequence[Any] = ()) -> Any:
        """A message of the agent's; `known` are the containers that its references may name.

        Raises:
            CodecError: If it is none.
        """
        decoder = codec.Decoder(
            on_handle=self._on_handle,
            on_reference=self.locals.__getitem__,
            on_valued=valued,
            on_instance=self._blank,
            known=known,
        )
        decoder.on_numbers = self._on_numbers
        return decoder.decode(data)

    def _on_numbers(self, flat: Any) -> Any:
        wide = _WIDE.get(flat.dtype.kind)
        if wide is None or flat.dtype.itemsize >= wide[1]:
            return flat
        if self._kept is None:
            self.narrow.add(flat.dtype.name)
            return flat
        return flat if flat.dtype.name in self._kept else flat.astype(wide[0])

    def copies(self, arguments: bytes) -> tuple[Any, list[Any]]:
        """Fresh copies of encoded arguments, and the mutable containers among them in their numbering."""
        decoder = codec.Decoder(
            on_reference=self._remotes.__getitem__, on_callback=self.locals.__getitem__, on_instance=self._blank
        )
        decoder.takes_builtins = True
        args, _ = decoder.decode(arguments)
        return args, decoder.mutables

    def _blank(self, name: str) -> Any:
        return object.__new__(next(cls for cls, known in self.classes.items() if known == name))

    def _on_handle(self, number: int, kind: str, name: str, detail: str) -> Any:
        self.mentions += 1
        known = self._remotes.get(number)
        if known is None:
            if len(self._remotes) >= MAX_HANDLES:
                raise codec.CodecError("too many objects")
            if kind == "exception":
                known = exception_class(name[:100] or "Exception", EXCEPTIONS.get(detail, Exception))
                self._exception_handles[known] = number
            else:
                known = KINDS.get(kind, Remote)(self._holder, number, kind, name[:100])
                if detail:
                    self.origins[number] = f"{detail}:{name}"
            self._remotes[number] = known
        return known


def open_plain(frame: bytes, arguments: bytes) -> tuple[Any, Any]:
    """`(value, arguments after the call)` of a reply that holds plain data only; the second is None where nothing changed.

    Raises:
        CodecError: If it is anything else: an exception, or an answer with an object in it.
    """
    if frame.startswith(_LEAF) and (frame[len(_LEAF) :][:1] in _LEAVES or codec.MET not in frame):
        return codec.decode(frame)[1], None
    decoder = codec.Decoder()
    decoder.takes_builtins = True
    args, _ = decoder.decode(arguments)
    reply = codec.Decoder(known=decoder.mutables).decode(frame)
    if type(reply) is not tuple or len(reply) not in (2, 3) or reply[0] != "ok":
        raise codec.CodecError("no answer")
    if len(reply) == 2:
        return reply[1], None
    apply_changes(decoder.mutables, reply[2])
    return reply[1], args


def apply_changes(mutables: Sequence[Any], changes: Any) -> None:
    """Puts new contents into containers, given as `(number, content)` each.

    Raises:
        IndexError, TypeError, ValueError: If they don't fit.
    """
    for number, content in changes:
        refill(mutables[number], content)
    for o in mutables:
        if type(o).__module__ == "solution":  # an instance of a class of the setup's
            _check_attributes(o)


def _check_attributes(o: object) -> None:
    try:
        codec.check_attributes(o)
    except codec.CodecError as error:
        raise ValueError(str(error)) from None


def refill(container: Any, content: Any) -> None:
    """Puts new contents into a container in place.

    Raises:
        TypeError, ValueError: If they don't fit it.
    """
    if type(container) in (bytearray, array):
        container[:] = content
    elif isinstance(container, dict):
        pairs = dict(zip(content[::2], content[1::2], strict=True))
        container.clear()
        container.update(pairs)
    elif isinstance(container, list):
        container[:] = content
    elif isinstance(container, set):
        fresh = set(content)
        container.clear()
        container.update(fresh)
    elif hasattr(container, "maxlen"):
        container.clear()
        container.extend(content)
    elif hasattr(container, "dtype"):
        container[...] = content
    else:
        state = vars(container)
        state.clear()
        state.update(zip(content[::2], content[1::2], strict=True))
