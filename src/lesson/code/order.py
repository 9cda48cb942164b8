import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed({{seed}})
torch.set_default_dtype(torch.float64)  # so that equal means equal to about 15 digits

d_model, heads, causal = {{d_model}}, {{heads}}, {{causal}}
tokens_a = {{tokens_a}}
tokens_b = {{tokens_b}}

# No encoding, whatever the figure shows: one vector a token, the same wherever it stands.
vectors = {t: torch.randn(d_model) for t in sorted({*tokens_a, *tokens_b})}
layers = nn.ModuleList(
    nn.MultiheadAttention(d_model, heads, bias=False) for _ in range({{layers}})
)


@torch.no_grad()
def encode(tokens, position=0.0):
    h = torch.stack([vectors[t] for t in tokens]) + position
    hidden = None
    if causal:  # a query sees itself and what stands before it
        hidden = torch.ones(len(tokens), len(tokens), dtype=torch.bool).triu(1)
    for layer in layers:
        x = F.layer_norm(h, (d_model,))
        h = h + layer(x, x, x, attn_mask=hidden, need_weights=False)[0]
    return h


def by_token(tokens):  # the k-th occurrence of a token meets the k-th occurrence
    return sorted(range(len(tokens)), key=tokens.__getitem__)


def max_difference(a, b):
    return (a[by_token(tokens_a)] - b[by_token(tokens_b)]).abs().max().item()


if sorted(tokens_a) != sorted(tokens_b):
    raise ValueError("the sentences must have the same tokens")
a, b = encode(tokens_a), encode(tokens_b)
cell = max_difference(a, b)  # traced
print("no encoding:", cell)

position = torch.randn(len(tokens_a), d_model)  # one vector a position
print("position added:", max_difference(encode(tokens_a, position), encode(tokens_b, position)))
