import torch
from torch import nn


class RotaryPositionalEncoding(nn.Module):
    def __init__(self, head_dim, max_len=2048, base=10000.0, pairing="interleaved"):
        super().__init__()
        if head_dim < 2 or head_dim % 2:
            raise ValueError(f"head_dim must be even, got {head_dim}")
        if pairing not in ("interleaved", "half"):
            raise ValueError(f"unknown pairing: {pairing}")
        self.pairing = pairing
        # float64: rounding would turn far positions by a visible angle
        inv_freq = base ** -(torch.arange(0, head_dim, 2, dtype=torch.float64) / head_dim)
        angle = torch.arange(max_len, dtype=torch.float64)[:, None] * inv_freq
        self.register_buffer("inv_freq", inv_freq.float(), persistent=False)
        self.register_buffer("cos", angle.cos().float(), persistent=False)
        self.register_buffer("sin", angle.sin().float(), persistent=False)

    def forward(self, x, offset=0):  # [..., n, head_dim]; offset: tokens decoded before
        end = offset + x.size(-2)
        if end > len(self.cos):
            raise ValueError(f"{end} positions, but max_len is {len(self.cos)}")
        cos, sin = self.cos[offset:end], self.sin[offset:end]
        if self.pairing == "half":  # pairs (i, i + head_dim / 2)
            a, b = x.chunk(2, dim=-1)
            return torch.cat((a * cos - b * sin, a * sin + b * cos), dim=-1)
        a, b = x[..., 0::2], x[..., 1::2]  # pairs (2i, 2i + 1)
        return torch.stack((a * cos - b * sin, a * sin + b * cos), dim=-1).flatten(-2)


class RoPEAttention(nn.Module):
    def __init__(self, d_model, num_heads, max_len, base=10000.0, pairing="interleaved"):
        super().__init__()
        if d_model % num_heads:
            raise ValueError(f"{num_heads} heads do not divide d_model = {d_model}")
        self.num_heads = num_heads
        self.qkv = nn.Linear(d_model, 3 * d_model)
        self.out = nn.Linear(d_model, d_model)
        self.rope = RotaryPositionalEncoding(d_model // num_heads, max_len, base, pairing)

    def forward(self, x, causal=False):
        batch, n, d_model = x.shape
        qkv = self.qkv(x).view(batch, n, 3, self.num_heads, -1)
        q, k, v = qkv.permute(2, 0, 3, 1, 4)  # each [batch, heads, n, head_dim]
        q, k = self.rope(q), self.rope(k)  # never v
        y = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=causal)
        return self.out(y.transpose(1, 2).reshape(batch, n, d_model))


d_model, seq_len, heads = {{d_model}}, {{seq_len}}, {{heads}}
layer = RoPEAttention(d_model, heads, seq_len, base={{base}}, pairing="{{pairing}}")
rope = layer.rope
inv_freq, cos, sin = rope.inv_freq, rope.cos, rope.sin
cell = ({{i}} - {{j}}) * inv_freq[{{rope_pair}}]  # traced
print(cos.shape, cell.item())
print(layer(torch.randn(2, seq_len, d_model), causal={{causal}}).shape)
