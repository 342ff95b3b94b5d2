"""Logs of inspect_ai: `.eval`, a zip archive with an entry for each sample, and `.json`, one document.

A sample is the model's whole answer, a chat text; several epochs of a problem are its samples in order. Taken is what
inspect scores: `output.completion`, or else the text of the first choice. A sample that ended without an answer is a bad
row: the model was not asked, so it can't have failed.
"""

from __future__ import annotations

import re
from typing import IO, TYPE_CHECKING, Any

from assay.errors import DataError
from assay.jsonrows import as_object, decode_text, json_kind
from assay.order import natural_key
from assay.store.foreign.archive import Archive
from assay.store.foreign.found import Found
from assay.store.sample_rows import BadSample, shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_ENTRY = re.compile(r"samples/(?P<id>.*)_epoch_(?P<epoch>[0-9]{1,9})(?P<form>\.json|/sample\.json)", re.DOTALL)
_HEADERS = frozenset({"header.json", "_journal/start.json", "start.json"})
_ATTACHMENT = "attachment://"


def is_log(document: Mapping[str, Any]) -> bool:
    """Whether a JSON object is a log of inspect."""
    return isinstance(document.get("eval"), dict) and document.keys() >= {"version", "status"}


def read_archive(handle: IO[bytes], path: str) -> Iterator[Found]:
    """The samples of an `.eval` log, one entry at a time, by problem and epoch; a place is the entry's name.

    Raises:
        DataError: It is no log, damaged, without samples, or unpacks to more than is believable.
    """
    archive = Archive(handle, path)
    names = archive.names()
    entries = _entries(names)
    if not entries and not _HEADERS.intersection(names):
        hint = "of zip archives only inspect's logs (.eval) are read"
        raise DataError("a zip archive, but no log of inspect", path=path, hint=hint)
    if not entries:
        raise _without_samples(path)
    for name in entries:
        try:
            sample = as_object(decode_text(archive.read(name)), constants=True)
            _require_name(sample, name)
            yield Found(name, _row(sample))
        except ValueError as error:
            yield Found(name, error)


def _entries(names: list[str]) -> list[str]:
    """The names of samples' entries by problem and epoch. A sample may be there whole and in pieces: the whole one counts."""
    found: dict[tuple[str, int], str] = {}
    for name in names:
        if match := _ENTRY.fullmatch(name):
            key = match["id"], int(match["epoch"])
            if match["form"] == ".json" or key not in found:
                found[key] = name
    return [found[key] for key in sorted(found, key=lambda key: (natural_key(key[0]), key[1]))]


def _require_name(sample: Mapping[str, Any], name: str) -> None:
    # An entry's name is unique in the archive, so no sample can be counted twice under two names.
    expected = f"samples/{sample.get('id')}_epoch_{sample.get('epoch')}"
    if not name.startswith((f"{expected}.json", f"{expected}/")):
        raise BadSample(
            f"the entry holds another sample: id {shown(sample.get('id'))}, epoch {shown(sample.get('epoch'))}"
        )


def read_log(document: Mapping[str, Any], path: str) -> Iterator[Found]:
    """The samples of a `.json` log by epoch; a place is `samples[3]`.

    Raises:
        DataError: It holds no samples.
    """
    samples = document.get("samples")
    if not isinstance(samples, list) or not samples:
        raise _without_samples(path)
    seen: set[tuple[str, object]] = set()
    for number, sample in sorted(enumerate(samples), key=lambda pair: _epoch(pair[1])):
        try:
            if not isinstance(sample, dict):
                raise BadSample(f"not an object but {json_kind(sample)}")
            _require_new(sample, seen)
            yield Found(f"samples[{number}]", _row(sample))
        except ValueError as error:
            yield Found(f"samples[{number}]", error)


def _require_new(sample: Mapping[str, Any], seen: set[tuple[str, object]]) -> None:
    key = repr(sample.get("id")), _epoch(sample)
    if key in seen:
        raise BadSample(f"the sample {shown(sample.get('id'))} of epoch {key[1]} is given twice")
    seen.add(key)


def _epoch(sample: object) -> int:
    epoch = sample.get("epoch") if isinstance(sample, dict) else None
    return epoch if isinstance(epoch, int) else 0


def _without_samples(path: str) -> DataError:
    return DataError(
        "the log holds no samples", path=path, hint="was it written with --no-log-samples, or only its header?"
    )


def _row(sample: Mapping[str, Any]) -> dict[str, Any]:
    if "id" not in sample:
        raise BadSample("'id' is missing")
    if type(sample.get("epoch")) is not int:
        raise BadSample(f"'epoch' must be a whole number, not {json_kind(sample.get('epoch'))}")
    output = sample.get("output")
    if not isinstance(output, dict):
        raise BadSample(f"'output' must be an object, not {json_kind(output)}")
    row = {"task_id": sample["id"], "text": _answer(sample, output), "epoch": sample["epoch"]}
    return row | _particulars(output)


def _answer(sample: Mapping[str, Any], output: Mapping[str, Any]) -> str:
    text = output.get("completion") or _first_choice(output)
    if text is None:
        raise BadSample(f"no answer of a model{_why(sample, output)}")
    if not isinstance(text, str):
        raise BadSample(f"'completion' must be a text, not {json_kind(text)}")
    return _attached(text, sample) if text.startswith(_ATTACHMENT) else text


def _first_choice(output: Mapping[str, Any]) -> object:
    match output.get("choices"):
        case [{"message": {"content": str(text)}}, *_]:
            return text
        case [{"message": {"content": list(parts)}}, *_]:
            texts = [part["text"] for part in parts if isinstance(part, dict) and part.get("type") == "text"]
            return "\n".join(texts) if all(isinstance(text, str) for text in texts) else texts
        case _:
            return None


def _why(sample: Mapping[str, Any], output: Mapping[str, Any]) -> str:
    match sample.get("error"), output.get("error"):
        case ({"message": str(reason)}, _) | (_, str(reason)):
            return f": the sample ended with {shown(reason)}"
        case _:
            return ""


def _attached(text: str, sample: Mapping[str, Any]) -> str:
    attachments = sample.get("attachments")
    found = attachments.get(text.removeprefix(_ATTACHMENT)) if isinstance(attachments, dict) else None
    if not isinstance(found, str):
        raise BadSample(f"the answer is kept apart, as {shown(text)}, and is not there")
    return found


def _particulars(output: Mapping[str, Any]) -> dict[str, Any]:
    """What our rows have fields for: model, reason to stop, tokens."""
    found: dict[str, Any] = {"model": output.get("model")}
    match output.get("choices"):
        case [{"stop_reason": reason}, *_]:
            found["finish_reason"] = reason
    match output.get("usage"):
        case {"input_tokens": tokens_in, "output_tokens": tokens_out}:
            found |= {"tokens_in": tokens_in, "tokens_out": tokens_out}
    return {name: value for name, value in found.items() if type(value) in (str, int)}
