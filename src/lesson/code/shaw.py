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
        shape = num_heads, 2 * max_rel_dist + 1, d_model // num_heads
        self.key_vectors = nn.Parameter(torch.randn(shape))  # a table for each head

    def index(self, seq_len):
        p = torch.arange(seq_len, device=self.key_vectors.device)
        distance = p[:, None] - p[None, :]  # i - j; the paper counts j - i
        return distance.clamp(-self.max_rel_dist, self.max_rel_dist) + self.max_rel_dist

    def added(self, q):  # q . (k + a) = q . k + q . a
        products = q @ self.key_vectors.transpose(-2, -1)  # one for each row, [..., n, 2R + 1]
        n = q.size(-2)
        return products.gather(-1, self.index(n).expand(*q.shape[:-1], n))

    def forward(self, x, causal=False):
        batch, n, d_model = x.shape
        qkv = self.qkv(x).view(batch, n, 3, self.num_heads, -1)
        q, k, v = qkv.permute(2, 0, 3, 1, 4)  # each [batch, heads, n, head_dim]
        scores = (q @ k.transpose(-2, -1) + self.added(q)) / q.size(-1) ** 0.5
        if causal:
            hidden = torch.ones(n, n, dtype=torch.bool, device=x.device).triu(1)
            scores = scores.masked_fill(hidden, float("-inf"))
        y = scores.softmax(dim=-1) @ v
        return self.out(y.transpose(1, 2).reshape(batch, n, d_model))


torch.manual_seed({{seed}})
d_model, seq_len, heads, R = {{d_model}}, {{seq_len}}, {{heads}}, {{max_rel_dist}}
layer = ShawAttention(d_model, heads, R)
index, key_vectors = layer.index(seq_len), layer.key_vectors.data  # other numbers than on the page
queries = torch.randn(seq_len, d_model // heads)  # of one head
row = min(max({{i}} - {{j}}, -R), R) + R
cell = queries[{{i}}] @ key_vectors[{{head}}, row] / (d_model // heads) ** 0.5  # traced
print(index, cell.item(), layer(torch.randn(2, seq_len, d_model), causal={{causal}}).shape)
