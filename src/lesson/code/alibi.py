import torch


def alibi_slopes(num_heads):
    def of_power(n):  # 2^(-8h/n) for h = 1..n
        return [2 ** (-8 * h / n) for h in range(1, n + 1)]

    # any other number of heads: every other slope of the next power of two follows
    power = 1 << (num_heads.bit_length() - 1)
    return torch.tensor(of_power(power) + of_power(2 * power)[::2][: num_heads - power])


def alibi_attention(q, k, v, causal):  # each [batch, heads, n, head_dim]
    n = q.size(-2)
    p = torch.arange(n, device=q.device)
    distance = (p[:, None] - p[None, :]).abs()
    slopes = alibi_slopes(q.size(1)).to(q.device)
    scores = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5 - slopes[:, None, None] * distance
    if causal:  # keys ahead are hidden, not penalised
        hidden = torch.ones(n, n, dtype=torch.bool, device=q.device).triu(1)
        scores = scores.masked_fill(hidden, float("-inf"))
    return scores.softmax(dim=-1) @ v


seq_len, heads, head_dim = {{seq_len}}, {{heads}}, {{head_dim}}
p = torch.arange(seq_len)
index = (p[:, None] - p[None, :]).abs()  # nothing to learn
slopes = alibi_slopes(heads)
bias = -slopes[:, None, None] * index  # [heads, query, key]
cell = -slopes[{{head}}] * abs({{i}} - {{j}})  # traced
print(slopes, cell.item())

q, k, v = torch.randn(3, 2, heads, seq_len, head_dim)
print(alibi_attention(q, k, v, causal={{causal}}).shape)
