import math  # only: yarn llama3 longrope
import torch
from torch import nn


def frequencies(head_dim, base):  # inv_freq, and the factor of cos and sin
    if head_dim < 2 or head_dim % 2:
        raise ValueError(f"head_dim must be even, got {head_dim}")
    s, L = {{factor}}, {{orig_len}}  # only: linear ntk dynamic yarn llama3 longrope
    s = s * max({{target_len}}, L) / L - (s - 1)  # only: dynamic
    base = base * s ** (head_dim / (head_dim - 2))  # only: ntk dynamic
    inv_freq = base ** -(torch.arange(0, head_dim, 2, dtype=torch.float64) / head_dim)
    return inv_freq / s, 1.0  # only: linear
    def pair_of(turns):  # the pair that turns so often within L  # only: yarn
        return head_dim * math.log(L / (turns * 2 * math.pi)) / (2 * math.log(base))  # only: yarn
    low, high = pair_of({{beta_fast}}), pair_of({{beta_slow}})  # only: yarn
    low, high = max(math.floor(low), 0), min(math.ceil(high), head_dim - 1)  # only: yarn-whole
    low, high = max(low, 0), min(high, head_dim - 1)  # only: yarn-exact
    pair = torch.arange(head_dim // 2)  # only: longrope
    share = ((torch.arange(head_dim // 2) - low) / (high - low or 0.001)).clamp(0, 1)  # only: yarn
    many, few, turns = {{high_freq_factor}}, {{low_freq_factor}}, inv_freq * L / (2 * math.pi)  # only: llama3
    share = ((many - turns) / (many - few)).clamp(0, 1) if many > few else 1.0 * (turns < few)  # only: llama3
    t = pair / (head_dim // 2 - 1) if head_dim > 2 else 1.0 + pair  # only: longrope
    more = (s - 1) * t**2 * (3 - 2 * t) * ({{target_len}} > L)  # a list made up  # only: longrope
    factor = {{attention_factor}} or math.sqrt(1 + math.log(s) / math.log(L))  # only: longrope
    return inv_freq * (1 - share + share / s), 1.0  # only: llama3
    return inv_freq * (1 - share + share / s), {{attention_factor}} or 0.1 * math.log(s) + 1  # only: yarn
    return inv_freq / (1 + more), factor  # only: longrope
    return inv_freq, 1.0  # only: none ntk dynamic


class RotaryPositionalEncoding(nn.Module):
    def __init__(self, head_dim, max_len=2048, base=10000.0, pairing="interleaved"):
        super().__init__()
        self.half = pairing == "half"  # pairs (i, i + head_dim / 2), else (2i, 2i + 1)
        inv_freq, factor = frequencies(head_dim, base)
        angle = torch.arange(max_len, dtype=torch.float64)[:, None] * inv_freq  # float32 is off
        self.register_buffer("inv_freq", inv_freq.float(), persistent=False)
        self.register_buffer("cos", (angle.cos() * factor).float(), persistent=False)
        self.register_buffer("sin", (angle.sin() * factor).float(), persistent=False)

    def forward(self, x, offset=0):  # [..., n, head_dim]; offset: tokens decoded before
        end = offset + x.size(-2)
        if end > len(self.cos):
            raise ValueError(f"{end} positions, but max_len is {len(self.cos)}")
        cos, sin = self.cos[offset:end], self.sin[offset:end]
        a, b = x.chunk(2, dim=-1) if self.half else (x[..., 0::2], x[..., 1::2])
        a, b = a * cos - b * sin, a * sin + b * cos
        return torch.cat((a, b), dim=-1) if self.half else torch.stack((a, b), dim=-1).flatten(-2)


class RoPEAttention(nn.Module):
    def __init__(self, d_model, num_heads, max_len, base=10000.0, pairing="interleaved"):
        super().__init__()
        if d_model % num_heads:
            raise ValueError(f"{num_heads} heads do not divide d_model = {d_model}")
        self.num_heads = num_heads
        self.qkv, self.out = nn.Linear(d_model, 3 * d_model), nn.Linear(d_model, d_model)
        self.rope = RotaryPositionalEncoding(d_model // num_heads, max_len, base, pairing)

    def forward(self, x, causal=False):
        qkv = self.qkv(x).view(*x.shape[:2], 3, self.num_heads, -1)
        q, k, v = qkv.permute(2, 0, 3, 1, 4)  # [batch, heads, n, head_dim]; in the notes n is 2nd
        q, k = self.rope(q), self.rope(k)  # never v
        y = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=causal)
        return self.out(y.transpose(1, 2).reshape(x.shape))


d_model, seq_len, heads = {{d_model}}, {{seq_len}}, {{heads}}
layer = RoPEAttention(d_model, heads, seq_len, base={{base}}, pairing="{{pairing}}")
inv_freq, cos, sin = layer.rope.inv_freq, layer.rope.cos, layer.rope.sin
cell = ({{i}} - {{j}}) * inv_freq[{{rope_pair}}]  # traced
print(cell.item(), layer(torch.randn(2, seq_len, d_model), causal={{causal}}).shape)
