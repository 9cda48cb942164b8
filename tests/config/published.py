"""Position fields of configurations as they are published, and what transformers computes from them.

    python tests/config/published.py > tests/config/published.json

Each entry: the repository it is modelled on, its fields about positions, and the expected scheme and layers. The fields
were written down by hand, not downloaded; the two lists of LongRoPE are made up and have only the published length.
Widths, bases and scalings come from transformers' own configuration classes and its `ROPE_INIT_FUNCTIONS`, run in float64;
where the code stands beside the weights, or layers differ, the expected pairs and bases are written by hand (`hand`) and
no frequency is compared. Needs transformers and numpy.
"""

import json
import logging
import math
import sys
import types

import numpy as np
from transformers import AutoConfig, modeling_rope_utils as rope_utils

logging.disable(logging.CRITICAL)


class Array(np.ndarray):
    def to(self, *args, **kwargs):
        return self

    float = to


def array(x):
    return np.asarray(x, dtype=np.float64).view(Array)


# Only what the functions use, in float64.
rope_utils.torch = types.SimpleNamespace(
    arange=lambda *a, **k: array(np.arange(*a)),
    tensor=lambda x, **k: array(x),
    where=lambda c, a, b: array(np.where(c, a, b)),
    clamp=lambda x, a, b: array(np.clip(x, a, b)),
    cat=lambda parts, dim=-1: array(np.concatenate(parts)),
    zeros=lambda n, **k: array(np.zeros(n)),
    int64=None, float=None, float32=None, Tensor=Array,
)

LISTS = {48: [[round(1 + i / 100, 2) for i in range(48)], [round(1 + i * 1.3, 2) for i in range(48)]],
         32: [[1.0 + i / 50 for i in range(32)], [1.0 + i for i in range(32)]]}
LLAMA3 = {"factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_max_position_embeddings": 8192, "rope_type": "llama3"}
DEEPSEEK = {"beta_fast": 32, "beta_slow": 1, "factor": 40, "original_max_position_embeddings": 4096, "type": "yarn"}


def long(pairs, **more):
    return {"short_factor": LISTS[pairs][0], "long_factor": LISTS[pairs][1], **more}


def m(model_type, hidden, heads, **more):
    return {"model_type": model_type, "hidden_size": hidden, "num_attention_heads": heads, **more}


def hand(scheme, *layers):
    """(name, pairs, base[, attention_factor])"""
    return {"scheme": scheme, "layers": [dict(zip(["name", "pairs", "base", "attention_factor"], l)) for l in layers]}


def other(scheme):
    return hand(scheme)


MODELS = [
    ("huggyllama/llama-7b", m("llama", 4096, 32, max_position_embeddings=2048), None),
    ("meta-llama/Llama-2-7b-hf", m("llama", 4096, 32, max_position_embeddings=4096, rope_scaling=None), None),
    ("codellama/CodeLlama-7b-hf", m("llama", 4096, 32, max_position_embeddings=16384, rope_theta=1000000, rope_scaling=None), None),
    ("meta-llama/Meta-Llama-3-8B", m("llama", 4096, 32, max_position_embeddings=8192, rope_theta=500000.0, rope_scaling=None), None),
    ("meta-llama/Llama-3.1-8B", m("llama", 4096, 32, max_position_embeddings=131072, rope_theta=500000.0, rope_scaling=LLAMA3), None),
    ("meta-llama/Llama-3.2-1B", m("llama", 2048, 32, head_dim=64, max_position_embeddings=131072, rope_theta=500000.0, rope_scaling={**LLAMA3, "factor": 32.0}), None),
    ("meta-llama/Llama-3.2-11B-Vision", {"model_type": "mllama", "text_config": m("mllama_text_model", 4096, 32, max_position_embeddings=131072, rope_theta=500000.0, rope_scaling=LLAMA3), "vision_config": {"model_type": "mllama_vision_model", "hidden_size": 1280}}, None),
    ("meta-llama/Llama-4-Scout-17B-16E", {"model_type": "llama4", "text_config": m("llama4_text", 5120, 40, head_dim=128, max_position_embeddings=262144, rope_theta=500000.0, attn_temperature_tuning=True, floor_scale=8192, attn_scale=0.1, no_rope_layers=[1, 1, 1, 0] * 12, rope_scaling={**LLAMA3, "factor": 16.0, "high_freq_factor": 1.0})}, None),
    ("mistralai/Mistral-7B-v0.1", m("mistral", 4096, 32, max_position_embeddings=32768, rope_theta=10000.0, sliding_window=4096), None),
    ("mistralai/Mistral-Nemo-Base-2407", m("mistral", 5120, 32, head_dim=128, max_position_embeddings=131072, rope_theta=1000000.0, sliding_window=None), None),
    ("mistralai/Mixtral-8x7B-v0.1", m("mixtral", 4096, 32, max_position_embeddings=32768, rope_theta=1000000.0, sliding_window=None), None),
    ("NousResearch/Yarn-Mistral-7b-128k", m("mistral", 4096, 32, max_position_embeddings=32768, rope_theta=10000.0, sliding_window=131072, rope_scaling={"factor": 16.0, "finetuned": True, "original_max_position_embeddings": 8192, "type": "yarn"}), None),
    ("Qwen/Qwen-7B", m("qwen", 4096, 32, kv_channels=128, rotary_pct=1.0, rotary_emb_base=10000, seq_length=8192, max_position_embeddings=32768, use_dynamic_ntk=True, use_logn_attn=True), hand("rope", ("all", 64, 1e4))),
    ("Qwen/Qwen2-7B", m("qwen2", 3584, 28, max_position_embeddings=131072, rope_theta=1000000.0, sliding_window=131072, use_sliding_window=False, max_window_layers=28), None),
    ("Qwen/Qwen2.5-7B-Instruct", m("qwen2", 3584, 28, max_position_embeddings=32768, rope_theta=1000000.0), None),
    ("Qwen/Qwen2.5-7B-Instruct (YaRN of its README)", m("qwen2", 3584, 28, max_position_embeddings=32768, rope_theta=1000000.0, rope_scaling={"factor": 4.0, "original_max_position_embeddings": 32768, "type": "yarn"}), None),
    ("Qwen/Qwen3-8B", m("qwen3", 4096, 32, head_dim=128, max_position_embeddings=40960, rope_theta=1000000, rope_scaling=None), None),
    ("Qwen/Qwen3-Next-80B-A3B-Instruct", m("qwen3_next", 2048, 16, head_dim=256, max_position_embeddings=262144, partial_rotary_factor=0.25, rope_theta=10000000, rope_scaling=None, full_attention_interval=4), None),
    ("Qwen/Qwen2-VL-7B-Instruct", m("qwen2_vl", 3584, 28, max_position_embeddings=32768, rope_theta=1000000.0, rope_scaling={"type": "mrope", "mrope_section": [16, 24, 24]}, vision_config={"depth": 32, "embed_dim": 1280, "num_heads": 16}), None),
    ("Qwen/Qwen2.5-VL-7B-Instruct", m("qwen2_5_vl", 3584, 28, max_position_embeddings=128000, rope_theta=1000000.0, rope_scaling={"type": "mrope", "mrope_section": [16, 24, 24]}), None),
    ("Qwen/Qwen3-VL-8B-Instruct", {"model_type": "qwen3_vl", "text_config": m("qwen3_vl_text", 4096, 32, head_dim=128, max_position_embeddings=262144, rope_theta=5000000, rope_scaling={"mrope_interleaved": True, "mrope_section": [24, 20, 20], "rope_type": "default"}), "vision_config": {"model_type": "qwen3_vl", "hidden_size": 1152}}, None),
    ("Qwen/Qwen3.5-27B", {"model_type": "qwen3_5", "text_config": m("qwen3_5_text", 5120, 24, head_dim=256, max_position_embeddings=262144, rope_parameters={"mrope_interleaved": True, "mrope_section": [11, 11, 10], "rope_type": "default", "rope_theta": 10000000, "partial_rotary_factor": 0.25})}, None),
    ("Qwen/Qwen2.5-Omni-7B", {"model_type": "qwen2_5_omni", "talker_config": {"hidden_size": 896, "head_dim": 128, "rope_theta": 1000000.0}, "thinker_config": {"model_type": "qwen2_5_omni_thinker", "audio_config": {"d_model": 1280}, "text_config": m("qwen2_5_omni_text", 3584, 28, max_position_embeddings=32768, rope_theta=1000000.0, rope_scaling={"type": "default", "mrope_section": [16, 24, 24], "rope_type": "default"})}}, hand("rope", ("all", 64, 1e6))),
    ("Qwen/Qwen2-Audio-7B", {"model_type": "qwen2_audio", "audio_config": {"model_type": "qwen2_audio_encoder", "d_model": 1280}, "text_config": {"model_type": "qwen2", "hidden_size": 4096, "num_attention_heads": 32, "max_position_embeddings": 8192, "rope_theta": 10000}}, None),
    ("google/gemma-2b", m("gemma", 2048, 8, head_dim=256, max_position_embeddings=8192, rope_theta=10000.0), None),
    ("google/gemma-2-9b", m("gemma2", 3584, 16, head_dim=256, max_position_embeddings=8192, rope_theta=10000.0, sliding_window=4096), None),
    ("google/gemma-3-1b-it", m("gemma3_text", 1152, 4, head_dim=256, max_position_embeddings=32768, rope_theta=1000000, rope_local_base_freq=10000, rope_scaling=None, sliding_window=512, sliding_window_pattern=6), None),
    ("google/gemma-3-4b-it", {"model_type": "gemma3", "text_config": {"hidden_size": 2560, "model_type": "gemma3_text", "rope_scaling": {"factor": 8.0, "rope_type": "linear"}, "sliding_window": 1024}, "vision_config": {"hidden_size": 1152, "model_type": "siglip_vision_model", "num_attention_heads": 16}}, None),
    ("google/gemma-3n-E4B-it", {"model_type": "gemma3n", "text_config": m("gemma3n_text", 2048, 8, head_dim=256, max_position_embeddings=32768, rope_theta=1000000.0, rope_local_base_freq=10000.0, rope_scaling=None)}, None),
    ("microsoft/phi-1_5", m("phi", 2048, 32, max_position_embeddings=2048, partial_rotary_factor=0.5, rope_theta=10000.0), None),
    ("microsoft/phi-2", m("phi", 2560, 32, max_position_embeddings=2048, partial_rotary_factor=0.4, rope_theta=10000.0), None),
    ("microsoft/Phi-3-mini-4k-instruct", m("phi3", 3072, 32, max_position_embeddings=4096, original_max_position_embeddings=4096, rope_theta=10000.0, rope_scaling=None, sliding_window=2047), None),
    ("microsoft/Phi-3-mini-128k-instruct", m("phi3", 3072, 32, max_position_embeddings=131072, original_max_position_embeddings=4096, rope_theta=10000.0, rope_scaling=long(48, type="longrope")), None),
    ("microsoft/Phi-3-mini-128k-instruct (first version)", m("phi3", 3072, 32, max_position_embeddings=131072, original_max_position_embeddings=4096, rope_theta=10000.0, rope_scaling=long(48, type="su")), hand("rope", ("all", 48, 1e4, math.sqrt(1 + math.log(32) / math.log(4096))))),
    ("microsoft/Phi-4-mini-instruct", m("phi3", 3072, 24, max_position_embeddings=131072, original_max_position_embeddings=4096, partial_rotary_factor=0.75, rope_theta=10000.0, rope_scaling=long(48, type="longrope")), None),
    ("openai-community/gpt2", {"model_type": "gpt2", "n_embd": 768, "n_head": 12, "n_ctx": 1024, "n_positions": 1024}, other("learned")),
    ("EleutherAI/gpt-j-6b", {"model_type": "gptj", "n_embd": 4096, "n_head": 16, "n_positions": 2048, "rotary": True, "rotary_dim": 64}, hand("rope", ("all", 32, 1e4))),
    ("Salesforce/codegen-350M-mono", {"model_type": "codegen", "n_embd": 1024, "n_head": 16, "n_positions": 2048, "rotary_dim": 32}, hand("rope", ("all", 16, 1e4))),
    ("EleutherAI/pythia-1b", m("gpt_neox", 2048, 8, max_position_embeddings=2048, rotary_emb_base=10000, rotary_pct=0.25), None),
    ("EleutherAI/gpt-neo-1.3B", {"model_type": "gpt_neo", "hidden_size": 2048, "num_heads": 16, "max_position_embeddings": 2048, "attention_types": [[["global", "local"], 12]]}, other("learned")),
    ("facebook/opt-1.3b", m("opt", 2048, 32, max_position_embeddings=2048), other("learned")),
    ("bigscience/bloom-560m", {"model_type": "bloom", "n_embed": 1024, "num_attention_heads": 16, "n_layer": 24, "seq_length": 2048}, other("alibi")),
    ("mosaicml/mpt-7b", {"model_type": "mpt", "d_model": 4096, "n_heads": 32, "max_seq_len": 2048, "attn_config": {"alibi": True, "alibi_bias_max": 8}, "learned_pos_emb": True}, other("alibi")),
    ("tiiuae/falcon-7b", {"model_type": "falcon", "hidden_size": 4544, "num_attention_heads": 71, "alibi": False}, None),
    ("tiiuae/falcon-rw-1b", {"model_type": "falcon", "hidden_size": 2048, "num_attention_heads": 32, "alibi": True}, other("alibi")),
    ("google-bert/bert-base-uncased", m("bert", 768, 12, max_position_embeddings=512, position_embedding_type="absolute"), other("learned")),
    ("FacebookAI/roberta-base", m("roberta", 768, 12, max_position_embeddings=514), other("learned")),
    ("FacebookAI/xlm-roberta-base", m("xlm-roberta", 768, 12, max_position_embeddings=514, position_embedding_type="absolute"), other("learned")),
    ("answerdotai/ModernBERT-base", m("modernbert", 768, 12, max_position_embeddings=8192, global_rope_theta=160000.0, local_rope_theta=10000.0, local_attention=128, global_attn_every_n_layers=3, position_embedding_type="absolute"), hand("rope", ("full_attention", 32, 160000.0), ("sliding_attention", 32, 10000.0))),
    ("microsoft/deberta-v3-base", m("deberta-v2", 768, 12, max_position_embeddings=512, max_relative_positions=-1, relative_attention=True, position_buckets=256, norm_rel_ebd="layer_norm", share_att_key=True, pos_att_type="p2c|c2p", position_biased_input=False), other("relative")),
    ("google-t5/t5-small", {"model_type": "t5", "d_model": 512, "num_heads": 8, "d_kv": 64, "n_positions": 512, "relative_attention_num_buckets": 32}, other("t5")),
    ("google/umt5-small", {"model_type": "umt5", "d_model": 512, "num_heads": 6, "d_kv": 64, "relative_attention_num_buckets": 32, "relative_attention_max_distance": 128}, other("t5")),
    ("facebook/bart-base", {"model_type": "bart", "d_model": 768, "encoder_attention_heads": 12, "max_position_embeddings": 1024}, other("learned")),
    ("openai/whisper-small", {"model_type": "whisper", "d_model": 768, "encoder_attention_heads": 12, "max_source_positions": 1500, "max_target_positions": 448}, other("sinusoidal+learned")),
    ("google/vit-base-patch16-224", m("vit", 768, 12, image_size=224), other("learned")),
    ("openai/clip-vit-base-patch32", {"model_type": "clip", "text_config": {"model_type": "clip_text_model", "hidden_size": 512, "num_attention_heads": 8, "max_position_embeddings": 77}, "vision_config": {"model_type": "clip_vision_model", "hidden_size": 768}}, other("learned")),
    ("facebook/esm2_t12_35M_UR50D", m("esm", 480, 20, max_position_embeddings=1026, position_embedding_type="rotary"), hand("rope", ("all", 12, 1e4))),
    ("allenai/longformer-base-4096", m("longformer", 768, 12, max_position_embeddings=4098, attention_window=[512] * 12), other("learned")),
    ("nomic-ai/nomic-embed-text-v1", {"model_type": "nomic_bert", "n_embd": 768, "n_head": 12, "n_positions": 8192, "rotary_emb_base": 1000, "rotary_emb_fraction": 1.0, "rotary_emb_interleaved": False, "rotary_scaling_factor": None, "rotary_emb_scale_base": None, "use_rms_norm": False, "max_trained_positions": 2048}, hand("rope", ("all", 32, 1000.0))),
    ("jinaai/jina-embeddings-v3", m("xlm-roberta", 1024, 16, max_position_embeddings=8194, position_embedding_type="rotary", rotary_emb_base=20000.0), hand("rope", ("all", 32, 2e4))),
    ("CohereForAI/c4ai-command-r-v01", m("cohere", 8192, 64, max_position_embeddings=8192, model_max_length=131072, rope_theta=8000000.0), None),
    ("CohereForAI/c4ai-command-r7b-12-2024", m("cohere2", 4096, 32, head_dim=128, max_position_embeddings=8192, rope_theta=50000, rope_scaling=None, sliding_window=4096, sliding_window_pattern=4, position_embedding_type="rope_gptj", use_gated_activation=True), hand("rope", ("all", 64, 50000.0))),
    ("stabilityai/stablelm-2-1_6b", m("stablelm", 2048, 32, max_position_embeddings=4096, partial_rotary_factor=0.25, rope_theta=10000), None),
    ("stabilityai/stablelm-3b-4e1t (epoch)", m("stablelm_epoch", 2560, 32, max_position_embeddings=4096, rope_pct=0.25, rope_theta=10000, rotary_scaling_factor=1.0), hand("rope", ("all", 10, 1e4))),
    ("bigcode/starcoder2-3b", m("starcoder2", 3072, 24, max_position_embeddings=16384, rope_theta=999999.4420358813, sliding_window=4096), None),
    ("bigcode/gpt_bigcode-santacoder", {"model_type": "gpt_bigcode", "n_embd": 2048, "n_head": 16, "n_positions": 2048}, other("learned")),
    ("deepseek-ai/deepseek-llm-7b-base", m("llama", 4096, 32, max_position_embeddings=4096, rope_theta=10000.0, rope_scaling=None), None),
    ("deepseek-ai/deepseek-coder-6.7b-base", m("llama", 4096, 32, max_position_embeddings=16384, rope_theta=100000, rope_scaling={"factor": 4.0, "type": "linear"}), None),
    ("deepseek-ai/DeepSeek-V2-Lite", m("deepseek_v2", 2048, 16, max_position_embeddings=163840, qk_nope_head_dim=128, qk_rope_head_dim=64, rope_theta=10000, rope_scaling={**DEEPSEEK, "mscale": 0.707, "mscale_all_dim": 0.707}), None),
    ("deepseek-ai/DeepSeek-V3", m("deepseek_v3", 7168, 128, max_position_embeddings=163840, qk_nope_head_dim=128, qk_rope_head_dim=64, rope_theta=10000, rope_scaling={**DEEPSEEK, "mscale": 1.0, "mscale_all_dim": 1.0}), None),
    ("moonshotai/Kimi-K2-Instruct", m("kimi_k2", 7168, 64, max_position_embeddings=131072, qk_nope_head_dim=128, qk_rope_head_dim=64, rope_theta=50000.0, rope_scaling={**DEEPSEEK, "factor": 32.0, "beta_fast": 1.0, "beta_slow": 1.0, "mscale": 1.0, "mscale_all_dim": 1.0}), hand("rope", ("all", 32, 5e4, 1.0))),
    ("THUDM/chatglm3-6b", m("chatglm", 4096, 32, kv_channels=128, seq_length=8192, original_rope=True), hand("rope", ("all", 32, 1e4))),
    ("THUDM/glm-4-9b-chat", m("chatglm", 4096, 32, kv_channels=128, seq_length=131072, rope_ratio=500, original_rope=True), hand("rope", ("all", 32, 5e6))),
    ("THUDM/GLM-4-9B-0414", m("glm4", 4096, 32, head_dim=128, max_position_embeddings=32768, partial_rotary_factor=0.5, rope_theta=10000.0), None),
    ("zai-org/GLM-4.5-Air", m("glm4_moe", 4096, 96, head_dim=128, max_position_embeddings=131072, partial_rotary_factor=0.5, rope_theta=1000000, rope_scaling=None), None),
    ("internlm/internlm2-chat-7b", m("internlm2", 4096, 32, max_position_embeddings=32768, rope_theta=1000000, rope_scaling={"factor": 2.0, "type": "dynamic"}), hand("rope", ("all", 64, 1e6))),
    ("internlm/internlm-chat-7b-v1_1", m("internlm", 4096, 32, max_position_embeddings=2048, rotary={"base": 10000, "type": "dynamic"}), hand("rope", ("all", 64, 1e4))),
    ("baichuan-inc/Baichuan2-7B-Chat", m("baichuan", 4096, 32, max_position_embeddings=4096, model_max_length=4096), hand("rope", ("all", 64, 1e4))),
    ("baichuan-inc/Baichuan2-13B-Chat", m("baichuan", 5120, 40, model_max_length=4096), other("alibi")),
    ("01-ai/Yi-34B-200K", m("llama", 7168, 56, max_position_embeddings=200000, rope_theta=5000000.0, rope_scaling=None), None),
    ("allenai/OLMo-7B-hf", m("olmo", 4096, 32, max_position_embeddings=2048, rope_theta=10000.0), None),
    ("allenai/OLMo-7B", {"model_type": "hf_olmo", "alibi": False, "d_model": 4096, "n_heads": 32, "max_sequence_length": 2048, "rope": True, "rope_full_precision": True}, hand("rope", ("all", 64, 1e4))),
    ("allenai/OLMo-2-1124-7B", m("olmo2", 4096, 32, max_position_embeddings=4096, rope_theta=500000), None),
    ("allenai/Olmo-3-1025-7B", m("olmo3", 4096, 32, max_position_embeddings=65536, rope_theta=500000, sliding_window=4096, rope_scaling={"attention_factor": 1.2079441541679836, "beta_fast": 32, "beta_slow": 1, "factor": 8.0, "original_max_position_embeddings": 8192, "rope_type": "yarn"}), hand("rope", ("full_attention", 64, 5e5, 1.2079441541679836), ("sliding_attention", 64, 5e5, 1.0))),
    ("openai/gpt-oss-20b", m("gpt_oss", 2880, 64, head_dim=64, max_position_embeddings=131072, initial_context_length=4096, rope_theta=150000, sliding_window=128, rope_scaling={"beta_fast": 32.0, "beta_slow": 1.0, "factor": 32.0, "original_max_position_embeddings": 4096, "rope_type": "yarn", "truncate": False}), None),
    ("ibm-granite/granite-3.1-8b-base", m("granite", 4096, 32, max_position_embeddings=131072, rope_theta=10000000.0, rope_scaling=None), None),
    ("ibm-granite/granite-4.0-h-tiny", m("granitemoehybrid", 1536, 12, max_position_embeddings=131072, position_embedding_type="nope", rope_theta=10000), other("none")),
    ("openbmb/MiniCPM4-8B", m("minicpm", 4096, 32, max_position_embeddings=32768, rope_theta=10000.0), hand("rope", ("all", 64, 1e4))),
    ("openbmb/MiniCPM3-4B", m("minicpm3", 2560, 40, max_position_embeddings=32768, qk_nope_head_dim=64, qk_rope_head_dim=32), hand("rope", ("all", 16, 1e4))),
    ("HuggingFaceTB/SmolLM3-3B", m("smollm3", 2048, 16, max_position_embeddings=65536, rope_theta=5000000.0, rope_scaling=None, no_rope_layers=[1, 1, 1, 0] * 9, no_rope_layer_interval=4), None),
    ("ai21labs/Jamba-v0.1", m("jamba", 4096, 32, max_position_embeddings=262144), other("none")),
    ("state-spaces/mamba-130m-hf", {"model_type": "mamba", "hidden_size": 768, "d_model": 768}, other("none")),
    ("adept/persimmon-8b-base", m("persimmon", 4096, 64, max_position_embeddings=16384, partial_rotary_factor=0.5, rope_theta=25000.0), None),
    ("nvidia/Minitron-4B-Base", m("nemotron", 3072, 24, head_dim=128, max_position_embeddings=4096, partial_rotary_factor=0.5, rope_theta=10000), None),
    ("LGAI-EXAONE/EXAONE-3.5-7.8B-Instruct", m("exaone", 4096, 32, max_position_embeddings=32768, rope_theta=1000000.0, rope_scaling=LLAMA3), None),
    ("LGAI-EXAONE/EXAONE-4.0-32B", m("exaone4", 5120, 40, head_dim=128, max_position_embeddings=131072, rope_theta=1000000, rope_scaling={**LLAMA3, "factor": 16.0}, sliding_window=4096, sliding_window_pattern="LLLG"), None),
    ("baidu/ERNIE-4.5-0.3B-PT", m("ernie4_5", 1024, 16, head_dim=128, max_position_embeddings=131072, rope_theta=500000.0), None),
    ("tencent/Hunyuan-7B-Instruct", m("hunyuan_v1_dense", 4096, 32, head_dim=128, max_position_embeddings=262144, rope_theta=10000.0, rope_scaling={"alpha": 1000.0, "beta_fast": 32, "beta_slow": 1, "factor": 1.0, "mscale": 1.0, "mscale_all_dim": 0.0, "type": "dynamic"}), hand("rope", ("all", 64, 1e4 * 1000.0 ** (128 / 126), 1.0))),
    ("facebook/chameleon-7b", {**m("chameleon", 4096, 32, max_position_embeddings=4096, rope_theta=10000.0, rope_scaling=None), "vq_config": {"model_type": "chameleon_vqgan"}}, None),
    ("mistral-community/pixtral-12b", {"model_type": "llava", "text_config": {"head_dim": 128, "hidden_size": 5120, "max_position_embeddings": 1024000, "model_type": "mistral", "rope_theta": 1000000000.0, "sliding_window": None}, "vision_config": {"head_dim": 64, "hidden_size": 1024, "model_type": "pixtral", "rope_theta": 10000.0}}, None),
    ("llava-hf/llava-1.5-7b-hf", {"model_type": "llava", "text_config": {"architectures": ["LlamaForCausalLM"], "max_position_embeddings": 4096, "model_type": "llama"}, "vision_config": {"hidden_size": 1024, "model_type": "clip_vision_model", "num_attention_heads": 16}}, None),
    ("OpenGVLab/InternVL2_5-8B", {"model_type": "internvl_chat", "llm_config": m("internlm2", 4096, 32, max_position_embeddings=32768, rope_theta=1000000, rope_scaling={"factor": 2.0, "type": "dynamic"}), "vision_config": {"hidden_size": 1024, "model_type": "intern_vit_6b"}}, hand("rope", ("all", 64, 1e6))),
    ("databricks/dbrx-base", {"model_type": "dbrx", "d_model": 6144, "n_heads": 48, "max_seq_len": 32768, "attn_config": {"clip_qkv": 8, "kv_n_heads": 8, "rope_theta": 500000}}, hand("rope", ("all", 64, 5e5))),
    ("MiniMaxAI/MiniMax-M2", m("minimax_m2", 3072, 48, head_dim=128, max_position_embeddings=196608, rope_theta=5000000, rotary_dim=64), hand("rope", ("all", 32, 5e6))),
    ("apple/OpenELM-270M", {"model_type": "openelm", "model_dim": 1280, "head_dim": 64, "max_context_length": 2048, "rope_freq_constant": 10000, "rope_max_length": 4096}, hand("rope", ("all", 32, 1e4))),
    ("meta-llama/Llama-3.2-1B params.json", {"dim": 2048, "n_heads": 32, "n_kv_heads": 8, "n_layers": 16, "rope_theta": 500000.0, "use_scaled_rope": True, "norm_eps": 1e-05}, hand("rope", ("all", 32, 5e5))),
    ("mistralai/Mistral-7B-v0.1 params.json", {"dim": 4096, "head_dim": 128, "n_heads": 32, "n_kv_heads": 8, "rope_theta": 1000000.0, "n_layers": 32}, hand("rope", ("all", 64, 1e6))),
    ("tiiuae/Falcon-H1-0.5B-Base", m("falcon_h1", 1024, 8, head_dim=64, max_position_embeddings=16384, rope_theta=100000000000.0, rope_scaling=None), None),
    ("ibm-ai-platform/Bamba-9B", m("bamba", 4096, 32, max_position_embeddings=262144, partial_rotary_factor=0.5), hand("rope", ("all", 32, 1e4))),
]


def frequencies(config, layer=None):
    block = config.rope_parameters[layer] if layer else config.rope_parameters
    kind = block["rope_type"]
    if kind == "default":
        head = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
        dim = int(head * (block.get("partial_rotary_factor") or 1.0))
        return block["rope_theta"] ** -(np.arange(0, dim, 2) / dim), 1.0
    if getattr(config, "head_dim", 0) is None:
        config.head_dim = config.hidden_size // config.num_attention_heads
    length = config.max_position_embeddings
    if kind == "dynamic":
        length = int(length * block["factor"])
    kwargs = {"layer_type": layer} if layer else {}
    return rope_utils.ROPE_INIT_FUNCTIONS[kind](config, None, seq_len=length, **kwargs)


def expected(fields):
    kwargs = {k: v for k, v in json.loads(json.dumps(fields)).items() if k not in ("model_type", "sliding_window_pattern")}
    config = AutoConfig.for_model(fields["model_type"], **kwargs).get_text_config()
    nested = [k for k, v in config.rope_parameters.items() if isinstance(v, dict)]
    layers = []
    for layer in nested or [None]:
        inv_freq, attention = frequencies(config, layer)
        block = config.rope_parameters[layer] if layer else config.rope_parameters
        layers.append({"name": layer or "all", "base": block["rope_theta"], "pairs": len(inv_freq),
                       "attention_factor": float(attention), "inv_freq": [float(x) for x in inv_freq]})
    return {"scheme": "rope", "layers": layers}


def main():
    out = []
    for source, fields, want in MODELS:
        try:
            want = want or expected(fields)
        except Exception as error:
            sys.exit(f"{source}: {error!r}")
        out.append({"source": source, "config": fields, "expected": want})
    print("[\n" + ",\n".join(json.dumps(e) for e in out) + "\n]")


main()
