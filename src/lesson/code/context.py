import math

import torch


def scaled_inv_freq(head_dim, base, scaling, factor, orig_len, seq_len,
                    beta_fast=32, beta_slow=1, low_freq_factor=1, high_freq_factor=4,
                    truncate=True, attention_factor=None):
    """inv_freq [head_dim / 2], and the attention factor that multiplies cos and sin."""
    if head_dim < 2 or head_dim % 2 or factor < 1:
        raise ValueError(f"head_dim must be even and factor at least 1: {head_dim}, {factor}")
    exponent = torch.arange(0, head_dim, 2, dtype=torch.float64) / head_dim
    inv_freq, pair = base ** -exponent, torch.arange(head_dim // 2, dtype=torch.float64)
    turns = inv_freq * orig_len / (2 * math.pi)  # of each pair in training
    if scaling == "none":
        return inv_freq, 1.0
    if scaling == "linear":  # position interpolation: all alike
        return inv_freq / factor, 1.0
    if scaling in ("ntk", "dynamic"):  # another base
        if head_dim == 2:
            raise ValueError("NTK-aware scaling is undefined at head_dim 2")
        if scaling == "dynamic":  # by the present length, as transformers has it
            factor = factor * max(seq_len, orig_len) / orig_len - (factor - 1)
        return (base * factor ** (head_dim / (head_dim - 2))) ** -exponent, 1.0
    if scaling == "yarn":  # a ramp over pairs
        def pair_of(turns):
            return head_dim * math.log(orig_len / (turns * 2 * math.pi)) / (2 * math.log(base))
        low, high = pair_of(beta_fast), pair_of(beta_slow)
        if truncate:
            low, high = math.floor(low), math.ceil(high)
        low, high = max(low, 0), min(high, head_dim - 1)
        share = ((pair - low) / (high - low or 0.001)).clamp(0, 1)
        own = 0.1 * math.log(factor) + 1
        return inv_freq * (1 - share + share / factor), attention_factor or own
    if scaling == "llama3":  # a ramp over turns
        width = high_freq_factor - low_freq_factor  # 0: a step
        ramp = (high_freq_factor - turns) / width if width else turns < low_freq_factor
        share = torch.as_tensor(ramp, dtype=torch.float64).clamp(0, 1)
        return inv_freq * (1 - share + share / factor), 1.0
    if scaling == "longrope":  # real lists are searched for; this one is made up
        t = pair / (len(pair) - 1) if len(pair) > 1 else torch.ones_like(pair)
        long = 1 + (factor - 1) * t**2 * (3 - 2 * t)
        divisor = long if seq_len > orig_len else torch.ones_like(long)
        own = math.sqrt(1 + math.log(factor) / math.log(orig_len))
        return inv_freq / divisor, attention_factor or own
    raise ValueError(f"unknown scaling: {scaling}")


inv_freq, attention_factor = scaled_inv_freq(
    head_dim={{head_dim}}, base={{base}}, scaling="{{scaling}}", factor={{factor}},
    orig_len={{orig_len}}, seq_len={{target_len}}, beta_fast={{beta_fast}}, beta_slow={{beta_slow}},
    low_freq_factor={{low_freq_factor}}, high_freq_factor={{high_freq_factor}},
    truncate={{truncate}}, attention_factor={{attention_factor}},
)
angle = torch.arange({{seq_len}}, dtype=torch.float64)[:, None] * inv_freq  # float64, then rounded
cos, sin = (angle.cos() * attention_factor).float(), (angle.sin() * attention_factor).float()
cell = ({{target_len}} - 1) * inv_freq[{{rope_pair}}]  # traced
print(inv_freq, attention_factor, cos.shape, cell.item())
