"""Make a tiny vision model with random weights: a real architecture, a tokenizer made on the spot, nothing downloaded.

What it says is noise. But the real server loads it, shows it pictures and films and holds it to a JSON schema, as it
would with a large one of the same family, and that is what tests need. Run it with the engine's Python:

    ~/.local/share/playsuite/engines/vllm/bin/python scripts/make_tiny_model.py qwen3-vl FOLDER
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import (
    PreTrainedTokenizerFast,
    Qwen3_5Config,
    Qwen3_5ForConditionalGeneration,
    Qwen3VLConfig,
    Qwen3VLForConditionalGeneration,
)

SEED = 0
VOCABULARY = 384
"""The special tokens, all bytes and 120 words; the sample text has more than these to learn."""
LONGEST_TEXT = 131072
"""Tokens a prompt may have: a film of five minutes takes tens of thousands."""

END_OF_TEXT, END_OF_MESSAGE = "<|endoftext|>", "<|im_end|>"
VISION_START, VISION_END, IMAGE, VIDEO = "<|vision_start|>", "<|vision_end|>", "<|image_pad|>", "<|video_pad|>"
SPECIAL = [END_OF_TEXT, "<|im_start|>", END_OF_MESSAGE, VISION_START, VISION_END, "<|vision_pad|>", IMAGE, VIDEO]

SAMPLE_TEXT = [
    "Observation: the player stands near a platform. Reasoning: press space to jump. Action: press('space')",
    "press hold move click scroll wait up down left right enter escape shift control mouse key seconds",
    '{"gameplay_happened":true,"milestones":[{"t_sec":1,"field":"player_control_evident","on_screen":"x"}]}',
]
"""What the tokenizer learns its words from; all other text is spelled in bytes."""

CHAT_TEMPLATE = r"""
{%- for message in messages %}
    {{- '<|im_start|>' + message.role + '\n' }}
    {%- if message.content is string %}
        {{- message.content }}
    {%- else %}
        {%- for part in message.content %}
            {%- if part.type in ('image', 'image_url') %}
                {{- '<|vision_start|><|image_pad|><|vision_end|>' }}
            {%- elif part.type in ('video', 'video_url') %}
                {{- '<|vision_start|><|video_pad|><|vision_end|>' }}
            {%- else %}
                {{- part.text }}
            {%- endif %}
        {%- endfor %}
    {%- endif %}
    {{- '<|im_end|>\n' }}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|im_start|>assistant\n' }}
{%- endif %}
"""

TEXT = {
    "vocab_size": VOCABULARY,
    "hidden_size": 128,
    "intermediate_size": 256,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "max_position_embeddings": LONGEST_TEXT,
}
VISION = {
    "depth": 2,
    "hidden_size": 64,
    "intermediate_size": 128,
    "num_heads": 2,
    "patch_size": 16,
    "spatial_merge_size": 2,
    "temporal_patch_size": 2,
    "out_hidden_size": 128,
    "num_position_embeddings": 256,
}
ROTARY = {"rope_type": "default", "mrope_interleaved": True, "mrope_section": [6, 5, 5]}
"""The sections add up to half of the rotated part of a head."""


def qwen3_vl(tokens: dict[str, int]) -> torch.nn.Module:
    """Build a Qwen3-VL: plain attention, and vision features handed to deeper layers."""
    text = TEXT | {
        "num_hidden_layers": 2,
        "head_dim": 32,
        "rope_theta": 5e6,
        "rope_scaling": ROTARY,
        "tie_word_embeddings": True,
    }
    vision = VISION | {"deepstack_visual_indexes": [0]}
    config = Qwen3VLConfig(text_config=text, vision_config=vision, tie_word_embeddings=True, **tokens)
    return Qwen3VLForConditionalGeneration(config)


def qwen3_5(tokens: dict[str, int]) -> torch.nn.Module:
    """Build a Qwen3.5: three layers of linear attention for one of full attention."""
    text = TEXT | {
        "num_hidden_layers": 4,
        "layer_types": ["linear_attention"] * 3 + ["full_attention"],
        "head_dim": 64,
        "linear_key_head_dim": 64,
        "linear_value_head_dim": 64,
        "linear_num_key_heads": 2,
        "linear_num_value_heads": 4,
        "rope_parameters": ROTARY | {"rope_theta": 1e7, "partial_rotary_factor": 0.5},
    }
    config = Qwen3_5Config(text_config=text, vision_config=VISION | {"deepstack_visual_indexes": []}, **tokens)
    return Qwen3_5ForConditionalGeneration(config)


ARCHITECTURES = {"qwen3-vl": qwen3_vl, "qwen3.5": qwen3_5}


def make_tokenizer() -> PreTrainedTokenizerFast:
    """Train a byte-level tokenizer that knows the family's special tokens."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=VOCABULARY, special_tokens=SPECIAL, initial_alphabet=alphabet, show_progress=False
    )
    tokenizer.train_from_iterator(SAMPLE_TEXT * 20, trainer)
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        eos_token=END_OF_MESSAGE,
        pad_token=END_OF_TEXT,
        additional_special_tokens=SPECIAL[1:],
        chat_template=CHAT_TEMPLATE,
        model_max_length=LONGEST_TEXT,
    )


def make(architecture: str, folder: Path) -> None:
    """Write a whole model to `folder`, as a hub would give it out; the same one each time."""
    tokenizer = make_tokenizer()
    number = tokenizer.convert_tokens_to_ids
    torch.manual_seed(SEED)
    model = ARCHITECTURES[architecture](
        {
            "image_token_id": number(IMAGE),
            "video_token_id": number(VIDEO),
            "vision_start_token_id": number(VISION_START),
            "vision_end_token_id": number(VISION_END),
        }
    ).to(torch.bfloat16)
    model.generation_config.eos_token_id = number(END_OF_MESSAGE)
    model.generation_config.pad_token_id = number(END_OF_TEXT)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    _write_processors(folder)


def _write_processors(folder: Path) -> None:
    """Say how pictures and films become patches; sizes are in pixels, of all frames of a film together."""
    common = {
        "processor_class": "Qwen3VLProcessor",
        "patch_size": VISION["patch_size"],
        "temporal_patch_size": VISION["temporal_patch_size"],
        "merge_size": VISION["spatial_merge_size"],
        "image_mean": [0.5, 0.5, 0.5],
        "image_std": [0.5, 0.5, 0.5],
    }
    image = {"image_processor_type": "Qwen2VLImageProcessorFast", "size": _size(65536, 16777216)}
    video = {"video_processor_type": "Qwen3VLVideoProcessor", "size": _size(4096, 25165824), "fps": 2}
    (folder / "preprocessor_config.json").write_text(json.dumps(common | image))
    (folder / "video_preprocessor_config.json").write_text(json.dumps(common | video))


def _size(smallest: int, largest: int) -> dict[str, int]:
    return {"shortest_edge": smallest, "longest_edge": largest}


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("architecture", choices=sorted(ARCHITECTURES))
    parser.add_argument("folder", type=Path, help="made if it is not there")
    arguments = parser.parse_args()
    make(arguments.architecture, arguments.folder)


if __name__ == "__main__":
    main()
