import math

import torch
from torch import nn


def t5_bucket(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
    # relative_position = key - query
    if bidirectional:
        num_buckets //= 2
        offset = (relative_position > 0).long() * num_buckets
        distance = relative_position.abs()
    else:  # keys ahead are masked
        offset = 0
        distance = (-relative_position).clamp(min=0)
    exact = num_buckets // 2  # nearer distances have a bucket each
    far = torch.log(distance.clamp(min=1).double() / exact) / math.log(max_distance / exact)
    # 1e-9: a distance on the edge of a bucket belongs to it, whatever the rounding
    far = (exact + (far * (num_buckets - exact) + 1e-9).floor().long()).clamp(max=num_buckets - 1)
    return offset + torch.where(distance < exact, distance, far)


class T5RelativeBias(nn.Module):
    def __init__(self, num_heads, bidirectional=True):
        super().__init__()
        self.bidirectional = bidirectional
        self.table = nn.Embedding(32, num_heads)  # shared by the layers of a stack
        nn.init.zeros_(self.table.weight)

    def index(self, seq_len):
        p = torch.arange(seq_len, device=self.table.weight.device)
        return t5_bucket(p[None, :] - p[:, None], self.bidirectional)

    def forward(self, seq_len):
        # T5 adds it to q @ k.T, which it does not divide by sqrt(head_dim)
        return self.table(self.index(seq_len)).permute(2, 0, 1)  # [heads, query, key]


torch.manual_seed({{seed}})
seq_len, heads, causal = {{seq_len}}, {{heads}}, {{causal}}
layer = T5RelativeBias(heads, bidirectional=not causal)
table, start = layer.table.weight.data, "{{bias}}"  # [32, heads]
if start == "random":  # other numbers than on the page
    table.normal_()
elif start == "decay":  # by the first distance of each bucket
    d = torch.arange(129)
    first = torch.searchsorted(t5_bucket(-d, not causal), torch.arange(32))
    if not causal:
        first[16:] = torch.searchsorted(t5_bucket(d[1:]), torch.arange(16, 32)) + 1
    table.copy_(-torch.log1p(first)[:, None] * torch.arange(1, heads + 1) / heads)
for head, row, value in {{bias_edits}}:  # set by hand
    table[row, head] = value
index, bias = layer.index(seq_len), layer(seq_len)
cell = table[t5_bucket(torch.tensor({{j}} - {{i}}), not causal), {{head}}]  # traced
print(index, cell.item())
