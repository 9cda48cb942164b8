import torch
from torch import nn


class LearnedPositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len=512):
        super().__init__()
        self.table = nn.Embedding(max_len, d_model)  # one row a position, and no more

    def forward(self, x):  # [batch, seq_len, d_model]
        n = x.size(1)
        if n > self.table.num_embeddings:
            raise ValueError(f"{n} tokens, but max_len is {self.table.num_embeddings}")
        return x + self.table.weight[:n]


torch.manual_seed({{seed}})
d_model, seq_len = {{d_model}}, {{seq_len}}
encoding = LearnedPositionalEncoding(d_model, max_len=seq_len)
pe = encoding.table.weight.data  # before training, and other numbers than on the page
cell = pe[{{pos}}, {{dim}}]  # traced
print(pe.shape, cell.item(), encoding(torch.randn(2, seq_len, d_model)).shape)
