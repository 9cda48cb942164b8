import torch
from torch import nn


class ShawAttention(nn.Module):
    def __init__(self, d_model, num_heads, max_rel_dist):
        super().__init__()
        if d_model % num_heads:
            raise ValueError(f"{num_heads} heads do not divide d_model = {d_model}")
        self.num_heads, self.max_rel_dist = num_heads, max_rel_dist
        self.qkv = nn.Linear(d_model, 3 * d_model)
        self.out = nn.Linear(d_model, d_model)
        # one vector for each clipped offset, added to the keys
        rows = 2 * max_rel_dist + 1
        self.key_vectors = nn.Parameter(torch.randn(num_heads, rows, d_model // num_heads))

    def index(self, seq_len):
        p = torch.arange(seq_len, device=self.key_vectors.device)
        offset = p[:, None] - p[None, :]  # i - j; the paper counts j - i
        return offset.clamp(-self.max_rel_dist, self.max_rel_dist) + self.max_rel_dist

    def forward(self, x, causal=False):
        batch, n, d_model = x.shape
        qkv = self.qkv(x).view(batch, n, 3, self.num_heads, -1)
        q, k, v = qkv.permute(2, 0, 3, 1, 4)  # each [batch, heads, n, head_dim]
        # q.(k + a) = q.k + q.a: one product a row of the table, then picked for each key
        products = q @ self.key_vectors.transpose(-2, -1)  # [batch, heads, n, rows]
        added = products.gather(-1, self.index(n).expand(batch, self.num_heads, n, n))
        scores = (q @ k.transpose(-2, -1) + added) / q.size(-1) ** 0.5
        if causal:
            hidden = torch.ones(n, n, dtype=torch.bool, device=x.device).triu(1)
            scores = scores.masked_fill(hidden, float("-inf"))
        y = scores.softmax(dim=-1) @ v
        return self.out(y.transpose(1, 2).reshape(batch, n, d_model))


torch.manual_seed({{seed}})
d_model, seq_len, heads, R = {{d_model}}, {{seq_len}}, {{heads}}, {{max_rel_dist}}
layer = ShawAttention(d_model, heads, R)  # other vectors than on the page
index = layer.index(seq_len)  # which vector each key gets
cell = index[{{i}}, {{j}}]  # traced
print(index, cell.item(), layer(torch.randn(2, seq_len, d_model), causal={{causal}}).shape)
