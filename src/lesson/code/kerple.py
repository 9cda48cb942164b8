import torch
from torch import nn


class KerpleLog(nn.Module):
    def __init__(self, num_heads):
        super().__init__()
        # where training starts; the authors' code keeps both from falling below 0.01
        self.r1 = nn.Parameter((2 * torch.rand(num_heads)).clamp(min=1e-2))
        self.r2 = nn.Parameter(torch.rand(num_heads).clamp(min=1e-2))

    def forward(self, seq_len):
        p = torch.arange(seq_len, device=self.r1.device)
        distance = (p[:, None] - p[None, :]).abs()
        r1, r2 = self.r1[:, None, None], self.r2[:, None, None]
        return -r1 * torch.log1p(r2 * distance)  # [heads, query, key]


def kerple_attention(q, k, v, bias, causal):  # each [batch, heads, n, head_dim]
    scores = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5 + bias
    if causal:
        n = q.size(-2)
        hidden = torch.ones(n, n, dtype=torch.bool, device=q.device).triu(1)
        scores = scores.masked_fill(hidden, float("-inf"))
    return scores.softmax(dim=-1) @ v


torch.manual_seed({{seed}})
seq_len, heads, head_dim = {{seq_len}}, {{heads}}, {{head_dim}}
layer = KerpleLog(heads)  # other numbers than on the page
r1, r2 = layer.r1.data, layer.r2.data
for head, which, value in {{bias_edits}}:  # set by hand: 0 is r1, 1 is r2
    (r1, r2)[which][head] = value
p = torch.arange(seq_len)
index, bias = (p[:, None] - p[None, :]).abs(), layer(seq_len).detach()
cell = -r1[{{head}}] * torch.log1p(r2[{{head}}] * abs({{i}} - {{j}}))  # traced
print(r1, r2, cell.item())

q, k, v = torch.randn(3, 2, heads, seq_len, head_dim)
print(kerple_attention(q, k, v, bias, causal={{causal}}).shape)
