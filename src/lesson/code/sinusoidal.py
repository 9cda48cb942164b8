import torch
from torch import nn


class AbsolutePositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len=512, base=10000.0, layout="interleaved"):
        super().__init__()
        if d_model < 2 or d_model % 2:
            raise ValueError(f"d_model must be even, got {d_model}")
        if layout not in ("interleaved", "concatenated", "t2t"):
            raise ValueError(f"unknown layout: {layout}")
        if layout == "t2t" and d_model == 2:
            raise ValueError("the t2t layout needs a d_model of at least 4")
        half = d_model // 2
        # float64: rounding would turn far positions by a visible angle
        i = torch.arange(half, dtype=torch.float64)
        frequencies = base ** -(i / (half - 1) if layout == "t2t" else 2 * i / d_model)
        angle = torch.arange(max_len, dtype=torch.float64)[:, None] * frequencies
        sin, cos = angle.sin(), angle.cos()  # [max_len, d_model / 2]
        if layout == "interleaved":  # sin, cos, sin, cos, ...
            pe = torch.stack((sin, cos), dim=-1).flatten(1)
        else:  # all sines, then all cosines
            pe = torch.cat((sin, cos), dim=-1)
        self.register_buffer("frequencies", frequencies.float(), persistent=False)
        self.register_buffer("pe", pe.float(), persistent=False)

    def forward(self, x):  # [batch, seq_len, d_model]
        if x.size(1) > len(self.pe):
            raise ValueError(f"{x.size(1)} tokens, but max_len is {len(self.pe)}")
        return x + self.pe[: x.size(1)]


d_model, seq_len = {{d_model}}, {{seq_len}}
encoding = AbsolutePositionalEncoding(
    d_model, max_len=seq_len, base={{base}}, layout="{{layout}}"
)
frequencies, pe = encoding.frequencies, encoding.pe
cell = pe[{{pos}}, {{dim}}]  # traced
print(pe.shape, cell.item())

x = torch.randn(2, seq_len, d_model)
print(encoding(x * d_model**0.5).shape)  # the paper scales token vectors first
