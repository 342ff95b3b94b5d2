"""Who answers: a problem becomes a prompt, a model is asked, and its answers become rows of a sample file."""

from assay.models.asking import Answer, Model, Question, Reply, draw_seed, row_of
from assay.models.canned import Replay
from assay.models.catalogue import CANNED, MODELS, REPLAY, ModelInfo, ModelSettings, model_kinds, open_model, split_name
from assay.models.own_style import read_style
from assay.models.prices import Price, read_price
from assay.models.prompting import Endpoint, Message, Prompt, PromptStyle, altered, render
from assay.models.prompts import STYLES, default_style, find_style
from assay.models.shots import choose_shots, require_place, warnings_about

__all__ = [
    "CANNED",
    "MODELS",
    "REPLAY",
    "STYLES",
    "Answer",
    "Endpoint",
    "Message",
    "Model",
    "ModelInfo",
    "ModelSettings",
    "Price",
    "Prompt",
    "PromptStyle",
    "Question",
    "Replay",
    "Reply",
    "altered",
    "choose_shots",
    "default_style",
    "draw_seed",
    "find_style",
    "model_kinds",
    "open_model",
    "read_price",
    "read_style",
    "render",
    "require_place",
    "row_of",
    "split_name",
    "warnings_about",
]
