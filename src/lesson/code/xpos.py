import torch
from torch import nn


class XPos(nn.Module):
    def __init__(self, head_dim, base=10000.0, pairing="interleaved", gamma=0.4, scale_base=512):
        super().__init__()
        if head_dim < 2 or head_dim % 2:
            raise ValueError(f"head_dim must be even, got {head_dim}")
        if pairing not in ("interleaved", "half"):
            raise ValueError(f"unknown pairing: {pairing}")
        self.pairing, self.scale_base = pairing, scale_base
        i = torch.arange(0, head_dim, 2, dtype=torch.float64) / head_dim
        self.register_buffer("inv_freq", base**-i, persistent=False)
        self.register_buffer("zeta", (i + gamma) / (1 + gamma), persistent=False)

    def tables(self, seq_len, key):  # cos, sin and the scale, each [seq_len, head_dim / 2]
        p = torch.arange(seq_len, dtype=torch.float64, device=self.zeta.device)[:, None]
        angle = p * self.inv_freq
        return angle.cos(), angle.sin(), self.zeta ** ((-p if key else p) / self.scale_base)

    def forward(self, x, key=False):  # [..., n, head_dim]; keys get the inverse scale
        cos, sin, scale = self.tables(x.size(-2), key)
        cos, sin = (cos * scale).to(x.dtype), (sin * scale).to(x.dtype)
        if self.pairing == "half":  # pairs (i, i + head_dim / 2)
            a, b = x.chunk(2, dim=-1)
            return torch.cat((a * cos - b * sin, a * sin + b * cos), dim=-1)
        a, b = x[..., 0::2], x[..., 1::2]  # pairs (2i, 2i + 1)
        return torch.stack((a * cos - b * sin, a * sin + b * cos), dim=-1).flatten(-2)


def xpos_attention(xpos, q, k, v, causal):  # meant for causal=True: ahead the scale grows
    q, k = xpos(q), xpos(k, key=True)  # never v
    return nn.functional.scaled_dot_product_attention(q, k, v, is_causal=causal)


seq_len, heads, head_dim = {{seq_len}}, {{heads}}, {{head_dim}}
xpos = XPos(head_dim, base={{base}}, pairing="{{pairing}}")
inv_freq, zeta = xpos.inv_freq, xpos.zeta
cos, sin, query_scale = xpos.tables(seq_len, key=False)
key_scale = xpos.tables(seq_len, key=True)[2]
cell = zeta[{{rope_pair}}] ** (({{i}} - {{j}}) / 512)  # traced
print(cos.shape, cell.item())

q, k, v = torch.randn(3, 2, heads, seq_len, head_dim)
print(xpos_attention(xpos, q, k, v, causal={{causal}}).shape)
