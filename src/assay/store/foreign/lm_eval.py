"""lm-evaluation-harness's sample logs (`--log_samples`): a row a document, with all responses and what a filter made of them.

What a text is can be told without the task's name. A text that the filter has changed is what lm-eval itself would run: a
whole program. A response that it has left alone continues the prompt where the request ended with the document's own
prompt; otherwise it is an answer in which code is looked for (lm-eval runs such an answer as it is, fences and all).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from assay.errors import DataError
from assay.jsonrows import decode_row, json_kind
from assay.store.foreign.found import Found
from assay.store.sample_rows import ID_FIELDS, BadSample, shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from assay.store.sample_source import Line

_FIELDS = frozenset({"doc_id", "doc", "resps"})


def is_log_row(row: Mapping[str, Any]) -> bool:
    """Whether a row is one of lm-eval's sample logs."""
    return row.keys() >= _FIELDS


def read_sample_log(lines: Iterable[Line], path: str) -> Iterator[Found]:
    """The responses of all rows; a place is `line 3`, or `line 3, response 2` where there are several.

    Raises:
        DataError: Rows come from several filters, so that each response would count more than once.
    """
    log = _Log(path)
    for line in lines:
        try:
            row = decode_row(line.data, constants=True)
            log.require_new(row, line.number)
            answer = _answer(row)
        except ValueError as error:
            yield Found(f"line {line.number}", error)
            continue
        several = len(answer.texts) > 1
        for number, text in enumerate(answer.texts, 1):
            place = f"line {line.number}, response {number}" if several else f"line {line.number}"
            yield Found(place, {"task_id": answer.problem, answer.field: text, "doc_id": row["doc_id"]})


class _Log:
    """What must be the same for all rows, or different."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._filters: dict[str, int] = {}
        self._documents: dict[int | str, int] = {}

    def require_new(self, row: Mapping[str, Any], line: int) -> None:
        if not is_log_row(row):
            missing = ", ".join(sorted(map(repr, _FIELDS - row.keys())))
            raise BadSample(f"not a row of lm-eval's sample log: {missing} is missing")
        self._require_one_filter(row, line)
        document = row["doc_id"]
        if not isinstance(document, int | str):
            raise BadSample(f"'doc_id' must be a whole number, not {json_kind(document)} ({shown(document)})")
        first = self._documents.setdefault(document, line)
        if first != line:
            raise BadSample(f"the document {shown(document)} is there already, in line {first}")

    def _require_one_filter(self, row: Mapping[str, Any], line: int) -> None:
        self._filters.setdefault(str(row.get("filter")), line)
        if len(self._filters) > 1:
            (one, at), (other, there) = self._filters.items()
            message = f"rows of two filters, {shown(one)} in line {at} and {shown(other)} in line {there}"
            hint = f"each would count every response again: keep one, jq -c 'select(.filter == \"{one}\")'"
            raise DataError(message, path=self._path, hint=hint)


class _Answer(NamedTuple):
    """The texts of a row, what they are, and the problem that they answer."""

    problem: object
    field: str
    texts: list[str]


def _answer(row: Mapping[str, Any]) -> _Answer:
    document = row["doc"]
    if not isinstance(document, dict):
        raise BadSample(f"'doc' must be an object, not {json_kind(document)}")
    named = [document[field] for field in ID_FIELDS if field in document]
    if not named:
        raise BadSample("'doc' has neither 'task_id' nor 'problem_id'")
    responses = _texts(row, "resps")
    made = None if row.get("filtered_resps") is None else _texts(row, "filtered_resps")
    if made is not None and made != responses[: len(made)]:
        return _Answer(named[0], "solution", made)
    return _Answer(named[0], "completion" if _continues(row, document) else "text", responses)


def _texts(row: Mapping[str, Any], field: str) -> list[str]:
    """The texts of the only request: a row of several is of a task that chooses among given answers."""
    requests = row[field]
    if not isinstance(requests, list) or len(requests) != 1:
        kind = f"a list of {len(requests)}" if isinstance(requests, list) else json_kind(requests)
        raise BadSample(f"{field!r} must hold the responses to one request, not {kind}")
    texts = requests[0] if isinstance(requests[0], list) else requests
    wrong = [text for text in texts if not isinstance(text, str)]
    if wrong or not texts:
        raise BadSample(f"{field!r} must hold texts, not {json_kind(wrong[0]) if wrong else 'nothing'}")
    return [text for text in texts if isinstance(text, str)]


def _continues(row: Mapping[str, Any], document: Mapping[str, Any]) -> bool:
    prompt, sent = document.get("prompt"), _sent(row.get("arguments"))
    return isinstance(prompt, str) and bool(prompt.strip()) and sent.rstrip().endswith(prompt.rstrip())


def _sent(arguments: object) -> str:
    """The text that was sent to the model, as far as it is there: rows have been written in two ways."""
    match arguments:
        case {"gen_args_0": {"arg_0": str(text)}} | [[str(text), *_], *_]:
            return text
        case _:
            return ""
