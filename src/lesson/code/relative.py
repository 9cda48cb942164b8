import torch
from torch import nn


class RelativePositionBias(nn.Module):
    def __init__(self, num_heads, max_rel_dist=128):
        super().__init__()
        self.max_rel_dist = max_rel_dist
        self.table = nn.Embedding(2 * max_rel_dist + 1, num_heads)
        nn.init.zeros_(self.table.weight)

    def index(self, seq_len):
        # built for the length at hand: seq_len may be larger than max_rel_dist
        p = torch.arange(seq_len, device=self.table.weight.device)
        distance = p[:, None] - p[None, :]  # i - j: query minus key
        return distance.clamp(-self.max_rel_dist, self.max_rel_dist) + self.max_rel_dist

    def forward(self, seq_len):
        return self.table(self.index(seq_len)).permute(2, 0, 1)  # [heads, query, key]


class RelativeAttention(nn.Module):
    def __init__(self, d_model, num_heads, max_rel_dist):
        super().__init__()
        if d_model % num_heads:
            raise ValueError(f"{num_heads} heads do not divide d_model = {d_model}")
        self.num_heads = num_heads
        self.qkv = nn.Linear(d_model, 3 * d_model)
        self.out = nn.Linear(d_model, d_model)
        self.bias = RelativePositionBias(num_heads, max_rel_dist)

    def forward(self, x, causal=False):
        batch, n, d_model = x.shape
        qkv = self.qkv(x).view(batch, n, 3, self.num_heads, -1)
        q, k, v = qkv.permute(2, 0, 3, 1, 4)  # each [batch, heads, n, head_dim]
        scores = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5 + self.bias(n)
        if causal:
            hidden = torch.ones(n, n, dtype=torch.bool, device=x.device).triu(1)
            scores = scores.masked_fill(hidden, float("-inf"))
        y = scores.softmax(dim=-1) @ v
        return self.out(y.transpose(1, 2).reshape(batch, n, d_model))


torch.manual_seed({{seed}})
d_model, seq_len, heads, R = {{d_model}}, {{seq_len}}, {{heads}}, {{max_rel_dist}}
layer = RelativeAttention(d_model, heads, R)
table, start = layer.bias.table.weight.data, "{{bias}}"  # [2R + 1, heads]
if start == "random":  # other numbers than on the page
    table.normal_()
elif start == "decay":
    far = torch.arange(-R, R + 1).abs()
    table.copy_(-torch.log1p(far)[:, None] * torch.arange(1, heads + 1) / heads)
for head, row, value in {{bias_edits}}:  # set by hand
    table[row, head] = value
index, bias = layer.bias.index(seq_len), layer.bias(seq_len)
cell = table[min(max({{i}} - {{j}}, -R), R) + R, {{head}}]  # traced
print(index, cell.item(), layer(torch.randn(2, seq_len, d_model), causal={{causal}}).shape)
