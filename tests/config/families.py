"""What the configuration classes of transformers take where a config.json says nothing.

    python tests/config/families.py > src/state/config_text/rope_classes.csv

One row a `model_type` whose class has rope parameters, with the class's defaults: model_type, hidden_size,
num_attention_heads, head_dim (empty: hidden_size / num_attention_heads), base, share of the head that rotates (empty:
all), base of layers that see a window (empty: the same), `scaled` if the class scales its frequencies by default.
Encoders of images and sound are left out: their positions have two axes. Needs transformers (5.24.0 made the committed
rows); torch is not needed.
"""

import logging
import sys

from transformers.models.auto.configuration_auto import CONFIG_MAPPING

logging.disable(logging.CRITICAL)


def width(cls):
    """The default head_dim, if it does not follow the number of heads and the width."""

    def of(**kwargs):
        try:
            return getattr(cls(**kwargs), "head_dim", None)
        except Exception:
            return None

    default, other = of(), of(hidden_size=1536, num_attention_heads=3)
    if default is None and isinstance(getattr(cls, "head_dim", None), int):
        return cls.head_dim  # differs from layer to layer
    return default if isinstance(default, int) and default == other else None


def plain(x):
    if x is None:
        return ""
    return str(int(x)) if float(x).is_integer() else repr(float(x))


def row(name):
    cls = CONFIG_MAPPING[name]
    config = cls()
    if hasattr(config, "allow_global_per_layer_attribute_access"):
        config.allow_global_per_layer_attribute_access = True
    rope = getattr(config, "rope_parameters", None)
    if not rope or not isinstance(getattr(config, "hidden_size", None), int):
        return None
    blocks = [b for b in rope.values() if isinstance(b, dict)]
    local = None
    if blocks:
        local = (rope.get("sliding_attention") or {}).get("rope_theta")
        shares = {b.get("partial_rotary_factor") for b in blocks}
        if len(shares) > 1:  # not the class's, but one kind of layer's
            rope = {k: {**b, "partial_rotary_factor": None} for k, b in rope.items() if isinstance(b, dict)}
        kinds = sorted(k for k, b in rope.items() if isinstance(b, dict) and k != "sliding_attention")
        rope = rope.get("full_attention") or rope.get("main") or (rope[kinds[0]] if kinds else blocks[0])
    part = rope.get("partial_rotary_factor") or getattr(config, "partial_rotary_factor", None)
    base = rope.get("rope_theta") or getattr(cls, "default_theta", None)
    kind = rope.get("rope_type") or rope.get("type") or "default"
    other = ("vision", "audio", "vit", "encoder", "timesfm", "codec", "mimi", "tokenizer", "mlcd", "loftr", "dinov3", "dit")
    # Zamba2 rotates only where `use_mem_rope` says so.
    if kind == "axial" or name == "zamba2" or any(word in name for word in other):
        return None
    head, apart = width(cls), getattr(config, "qk_rope_head_dim", None)
    if isinstance(apart, int) and (head is None or int(head * (part or 1)) != apart):
        head, part = apart, None  # what rotates is kept apart
    return ",".join([
        name,
        plain(config.hidden_size),
        plain(getattr(config, "num_attention_heads", None)),
        plain(head),
        plain(base),
        plain(None if part in (None, 1, 1.0) else part),
        plain(None if local == base else local),
        "" if kind == "default" else "scaled",
    ])


def main():
    for name in sorted(CONFIG_MAPPING._mapping):
        try:
            line = row(name)
        except Exception as error:
            print(f"{name}: {error!r}"[:120], file=sys.stderr)
            continue
        if line:
            print(line)


main()
