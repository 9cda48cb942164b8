import torch
from torch import nn


class XPos(nn.Module):
    def __init__(self, head_dim, max_len=2048, base=10000.0, pairing="interleaved"):
        super().__init__()
        if head_dim < 2 or head_dim % 2:
            raise ValueError(f"head_dim must be even, got {head_dim}")
        self.half = pairing == "half"  # pairs (i, i + head_dim / 2), else (2i, 2i + 1)
        share = torch.arange(0, head_dim, 2, dtype=torch.float64) / head_dim
        position = torch.arange(max_len, dtype=torch.float64)[:, None]
        self.inv_freq, self.zeta = base**-share, (share + 0.4) / 1.4
        self.cos, self.sin = (position * self.inv_freq).cos(), (position * self.inv_freq).sin()
        self.query_scale = self.zeta ** (position / 512)  # below 1
        self.key_scale = self.zeta ** (-position / 512)  # above 1: their product is of m - n alone

    def turn(self, x, scale):  # [..., n, head_dim]
        n = x.size(-2)
        if n > len(self.cos):
            raise ValueError(f"{n} positions, but max_len is {len(self.cos)}")
        cos, sin = (self.cos * scale)[:n], (self.sin * scale)[:n]
        a, b = x.chunk(2, dim=-1) if self.half else (x[..., 0::2], x[..., 1::2])
        a, b = a * cos - b * sin, a * sin + b * cos  # in float64: key_scale is large far out
        y = torch.cat((a, b), dim=-1) if self.half else torch.stack((a, b), dim=-1).flatten(-2)
        return y.to(x.dtype)

    def forward(self, q, k):  # never v
        return self.turn(q, self.query_scale), self.turn(k, self.key_scale)


class XPosAttention(nn.Module):
    def __init__(self, d_model, num_heads, max_len, base=10000.0, pairing="interleaved"):
        super().__init__()
        if d_model % num_heads:
            raise ValueError(f"{num_heads} heads do not divide d_model = {d_model}")
        self.num_heads = num_heads
        self.qkv, self.out = nn.Linear(d_model, 3 * d_model), nn.Linear(d_model, d_model)
        self.xpos = XPos(d_model // num_heads, max_len, base, pairing)

    def forward(self, x, causal=True):  # without a mask, keys to the right would grow
        qkv = self.qkv(x).view(*x.shape[:2], 3, self.num_heads, -1)
        q, k, v = qkv.permute(2, 0, 3, 1, 4)  # each [batch, heads, n, head_dim]
        q, k = self.xpos(q, k)
        y = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=causal)
        return self.out(y.transpose(1, 2).reshape(x.shape))


d_model, seq_len, heads = {{d_model}}, {{seq_len}}, {{heads}}
layer = XPosAttention(d_model, heads, seq_len, base={{base}}, pairing="{{pairing}}")
xpos, pair, steps = layer.xpos, {{rope_pair}}, {{i}} - {{j}}
inv_freq, zeta, cos, sin = xpos.inv_freq, xpos.zeta, xpos.cos, xpos.sin
query_scale, key_scale = xpos.query_scale, xpos.key_scale
cell = zeta[pair] ** (steps / 512) * torch.cos(steps * inv_freq[pair])  # traced
print(cell.item(), layer(torch.randn(2, seq_len, d_model), causal={{causal}}).shape)
