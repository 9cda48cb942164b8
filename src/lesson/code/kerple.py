import torch
from torch import nn


class KerpleLogBias(nn.Module):
    def __init__(self, num_heads):
        super().__init__()
        start = torch.rand(num_heads, 2) * torch.tensor([2.0, 1.0])
        self.kernel = nn.Parameter(start.clamp(min=0.01))  # r1 and r2 of each head, above 0

    def forward(self, seq_len):
        p = torch.arange(seq_len, device=self.kernel.device)
        distance = (p[:, None] - p[None, :]).abs()
        r1, r2 = self.kernel[:, 0, None, None], self.kernel[:, 1, None, None]
        return -r1 * torch.log1p(r2 * distance)  # [heads, query, key]


def kerple_attention(q, k, v, bias, causal=False):  # q, k, v: [batch, heads, n, head_dim]
    scores = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5 + bias
    if causal:
        hidden = torch.ones(scores.shape[-2:], dtype=torch.bool, device=q.device).triu(1)
        scores = scores.masked_fill(hidden, float("-inf"))
    return scores.softmax(dim=-1) @ v


torch.manual_seed({{seed}})
seq_len, heads, head_dim = {{seq_len}}, {{heads}}, {{head_dim}}
layer = KerpleLogBias(heads)
kernel = layer.kernel.data  # [heads, 2]; other numbers than on the page
for head, which, value in {{bias_edits}}:  # set by hand: 0 is r1, 1 is r2
    kernel[head, which] = value
p = torch.arange(seq_len)
index, bias = (p[:, None] - p[None, :]).abs(), layer(seq_len)  # what is looked up: a distance
cell = -kernel[{{head}}, 0] * torch.log1p(kernel[{{head}}, 1] * abs({{i}} - {{j}}))  # traced
x = torch.randn(1, heads, seq_len, head_dim)
print(bias, cell.item(), kerple_attention(x, x, x, bias, causal={{causal}}).shape)
