"""What EvalPlus knows of single tasks beside its rows, as data: inputs that JSON could not say, answers that need an oracle of their own.

EvalPlus keeps this in code that asks for the names of functions; here it is three tables, and all that judges reads the `Oracle` that
comes out of them. docs/benchmarks.md explains each entry, and where it is stricter than EvalPlus on purpose.

Tasks are named as in EvalPlus's release files, and a task is meant only where its entry point fits too: rows of another set may have the
same ids. The ids of the origin form of MBPP+ are bare numbers; `task_name` joins the two.
"""

from __future__ import annotations

from assay.records import Oracle

MBPP_PREFIX = "Mbpp/"
"""Stands before the number in the ids of MBPP+."""

HUMANEVAL_PREFIX = "HumanEval/"

FLOATS = Oracle(name="close", rtol=1e-7, atol=1e-6)
"""How answers are compared where nothing else is said: floats within numpy's default tolerance, everything else exactly."""

ARGUMENT_KINDS: dict[str, dict[int, str]] = {
    "tuple ...": {
        2: "similar_elements", 116: "tuple_to_int", 132: "tup_string", 143: "find_lists", 222: "check_type",
        261: "division_elements", 273: "substract_elements", 394: "check_distinct", 421: "concatenate_tuple",
        424: "extract_rear", 429: "and_tuples", 470: "add_pairwise", 560: "union_elements", 579: "find_dissimilar",
        596: "tuple_size", 616: "tuple_modulo", 630: "get_coordinates", 726: "multiply_elements", 740: "tuple_to_dict",
        744: "check_none", 809: "check_smaller",
    },
    "tuples ...": {
        63: "max_difference", 64: "subject_marks", 70: "get_equal", 94: "index_minimum", 120: "max_product_tuple",
        237: "check_occurences", 272: "rear_extract", 299: "max_aggregate", 400: "extract_freq", 409: "min_product_tuple",
        438: "count_bidirectional", 473: "tuple_intersection", 614: "cummulative_sum", 780: "find_combinations",
    },
    "tuple of tuples ...": {259: "maximize_elements", 445: "index_multiplication"},
    "tuple of tuples or others": {278: "count_first_elements"},
    "nested tuples ...": {580: "extract_even", 615: "average_tuple", 791: "remove_nested"},
    "tuple, same": {
        250: "count_X", 405: "check_tuplex", 446: "count_Occurrence", 720: "add_dict_to_tuple", 763: "find_min_diff",
        808: "check_K",
    },
    "tuples, same": {75: "find_tuples", 413: "extract_nth_element", 753: "min_k"},
    "same, tuple": {106: "add_lists", 750: "add_tuple"},
    "dict of tuples": {722: "filter_data"},
    "sets": {115: "empty_dit"},
    "complex": {252: "convert"},
    "float, complex": {124: "angle_complex"},
}  # fmt: skip
"""What JSON turned into lists, objects or texts: the kinds of the arguments, with `...` for all further ones -> the tasks of MBPP+ and
their entry points."""

_NOT_NONE = Oracle(name="not_none")
_SET = Oracle(name="set")


def _formula(text: str) -> Oracle:
    return Oracle(name="formula", rtol=FLOATS.rtol, atol=FLOATS.atol, formula=text)


ORACLES: dict[str, tuple[str, Oracle]] = {
    # Any order and number of these is right.
    "Mbpp/2": ("similar_elements", _SET),
    "Mbpp/7": ("find_char_long", _SET),
    "Mbpp/111": ("common_in_nested_lists", _SET),
    "Mbpp/140": ("extract_singly", _SET),
    "Mbpp/232": ("larg_nnum", _SET),
    "Mbpp/249": ("intersection_array", _SET),
    "Mbpp/579": ("find_dissimilar", _SET),
    "Mbpp/769": ("Diff", _SET),
    # The references return matches of `re`.
    "Mbpp/737": ("check_str", _NOT_NONE),
    "Mbpp/787": ("text_match_three", _NOT_NONE),
    "Mbpp/794": ("text_starta_endb", _NOT_NONE),
    # "Divisors" may be all of them, as the references have it, or without the number itself, as an assert of the prompt has it.
    "Mbpp/164": (
        "are_equivalent",
        _formula(
            "lambda a, b: (lambda own: own(a) == own(b))("
            "lambda n: sum({d for i in range(1, math.isqrt(n) + 1) if n % i == 0 for d in (i, n // i)} - {n}))"
        ),
    ),
    "Mbpp/295": (
        "sum_div",
        _formula("lambda n: sum({d for i in range(1, math.isqrt(n) + 1) if n % i == 0 for d in (i, n // i)} - {n})"),
    ),
    # The digits may be aligned at their ends too, with zeros before the shorter number.
    "Mbpp/558": (
        "digit_distance_nums",
        _formula(
            "lambda a, b: (lambda width: sum(abs(int(x) - int(y)) for x, y in zip(str(a).zfill(width), str(b).zfill(width))))("
            "max(len(str(a)), len(str(b))))"
        ),
    ),
    # The height may be that of the pyramid, where the reference takes it for that of its sides.
    "Mbpp/581": (
        "surface_Area",
        _formula("lambda edge, height: round(edge**2 + 2 * edge * math.sqrt((edge / 2) ** 2 + height**2))"),
    ),
    # Every zero of the polynomial is right, not the one only that the reference finds.
    "HumanEval/32": ("find_zero", Oracle(name="root", atol=1e-4)),
}
"""Task -> its entry point and the oracle of its answers."""

MBPPPLUS_RELEASES: dict[str, str] = {
    "2d13b383f13dba9a106630011287a98cd81cf842ec73b21b874f0d17ea488dcd": "v0.2.0",
    "1c35bedc49e15aee94119e5fe9ee79b67f979f87e2844f83111b0c2aa4162007": "v0.2.0-noextreme",
    "e3f938788d50ffc20c8f0bdb4cd749a7e8a5737cb6e98ef36aeae4022a9b86b8": "v0.2.0-originfmt",
    "f197d53bc048f12d72f258caa22884f4e8ebeaf9381048a4061cdafc91e73053": "v0.1.0",
    "9dc5519a058beefb7083cd2884815b308819a6bdd2a989d3e9448cd540d70c1c": "v0.1.0-originfmt",
    "ec5f378f392b29e725a92cd8b05b240a67a78246f571274033882e092a115293": "early-767efcc",
}
"""Digest -> version, of the releases of MBPP+ that the authors had: 378 problems in v0.2.0, 399 before it."""

HUMANEVALPLUS_RELEASES: dict[str, str] = {
    "62721c03b6972e78464b2b4d786f11bc8dce1de4fd95a75784f56022e4afb88e": "v0.1.10",
    "381774b43e8eee6754db12703d21d42a6a1203f2981ce2fb9337a35e7010355e": "v0.1.10-mini",
    "9fefe7ee3eeb792ea528b32b287b34a7a9d583dfbd9c5eb55e0b9b22ab67484e": "v0.1.10-noextreme",
    "d81c20f4adcd158f8c26d543f323675195fc54490a451ca24188f6bc8ddce9eb": "v0.1.10-originfmt",
    "5562bac0ed41eec64e79825b6ccd0eb01edf6920a3bdcedc411bba8891b64ad5": "v0.1.9",
}
"""Digest -> version, of the releases of HumanEval+ that the authors had: 164 problems in each."""


def task_name(id_: str) -> str:
    """The name of a task of MBPP+ whose id may be a bare number.

    >>> task_name("2"), task_name("Mbpp/2")
    ('Mbpp/2', 'Mbpp/2')
    """
    return MBPP_PREFIX + id_.removeprefix(MBPP_PREFIX)


def oracle_of(task: str, entry_point: str, atol: float) -> Oracle:
    """How answers to a task are compared; `atol` is its row's tolerance, 0 where it states none.

    >>> oracle_of("Mbpp/3", "is_not_prime", 0).atol, oracle_of("Mbpp/82", "volume_sphere", 1e-4).atol
    (1e-06, 0.0001)
    """
    special_entry, oracle = ORACLES.get(task, ("", FLOATS))
    if special_entry not in ("", entry_point):
        oracle = FLOATS
    return Oracle(
        name=oracle.name,
        rtol=oracle.rtol,
        atol=atol or oracle.atol,
        alternatives=oracle.alternatives,
        formula=oracle.formula,
    )
