//! Every name that is known to concern positions, under whichever family's spelling.

use What::*;

/// What a field tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    Hidden,
    Heads,
    HeadDim,
    /// Width of a head in the layers that see everything, where it differs.
    GlobalHeadDim,
    /// How many dimensions of a head rotate.
    Rotated,
    /// The rotated part of a head that is kept apart (MLA).
    RotatedApart,
    Share,
    Base,
    /// Base of the layers that see a window.
    LocalBase,
    /// Base of DeepSeek V4's compressed layers.
    CompressedBase,
    BaseTimes,
    MaxLen,
    OrigLen,
    Kind,
    OldKind,
    Factor,
    Alpha,
    AttentionFactor,
    AttentionTimes,
    BetaFast,
    BetaSlow,
    Mscale,
    MscaleAllDim,
    Truncate,
    LowFreq,
    HighFreq,
    ShortList,
    LongList,
    ShortMscale,
    LongMscale,
    Sections,
    SectionsInTurn,
    /// Meta's switch for Llama 3.1's scaling, its factor and its upper bound.
    MetaScaled,
    MetaFactor,
    MetaHigh,
    Alibi,
    /// A word that names the scheme.
    Scheme,
    /// Whether there is RoPE at all.
    Rope,
    /// Whether there is none although its fields are there.
    NoRope,
    ModelType,
    /// About positions, and nothing that this page computes.
    Aside,
}

/// Where a name means this.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Where {
    /// Beside the rope parameters.
    Top,
    /// Within them.
    Block,
    Both,
}

/// One known name.
pub(super) struct Name {
    pub name: &'static str,
    pub what: What,
    pub place: Where,
    /// Its explanation, `config.field.<about>`.
    pub about: &'static str,
}

macro_rules! names {
    ($($place:ident { $($what:ident $about:literal: $($name:literal)+;)+ })+) => {
        &[$($($(Name { name: $name, what: $what, place: Where::$place, about: $about },)+)+)+]
    };
}

/// Names of one meaning in the order in which they count.
pub(super) static NAMES: &[Name] = names! {
    Top {
        Hidden "hidden_size": "hidden_size" "n_embd" "d_model" "dim" "model_dim";
        Heads "num_attention_heads": "num_attention_heads" "n_head" "n_heads" "num_heads";
        HeadDim "head_dim": "head_dim" "kv_channels" "attention_head_dim" "attention_head_size" "head_size" "d_kv";
        GlobalHeadDim "global_head_dim": "global_head_dim";
        RotatedApart "qk_rope_head_dim": "qk_rope_head_dim";
        LocalBase "local_base": "rope_local_base_freq" "local_rope_theta" "swa_rope_theta";
        CompressedBase "local_base": "compress_rope_theta";
        BaseTimes "rope_ratio": "rope_ratio";
        MetaScaled "use_scaled_rope": "use_scaled_rope";
        MetaFactor "rope_scaling_factor": "rope_scaling_factor";
        MetaHigh "high_freq_factor": "rope_high_freq_factor";
        Alibi "alibi": "alibi" "use_alibi";
        Scheme "position_embedding_type": "position_embedding_type" "position_embeddings_type" "position_encoding_type" "pos_emb_type";
        Rope "rope": "rope" "rotary" "use_rope" "use_mem_rope" "use_rotary" "use_rotary_embeddings" "rotary_embeddings";
        NoRope "mla_use_nope": "mla_use_nope" "use_nope";
        ModelType "model_type": "model_type";
        MaxLen "max_position_embeddings": "max_position_embeddings" "n_positions" "max_sequence_length" "max_seq_len" "n_ctx" "seq_length" "model_max_length" "max_context_length" "max_trained_positions";
    }
    Both {
        Rotated "rotary_dim": "rotary_dim" "rotary_ndims" "rotary_emb_dim" "rope_dim";
        Share "partial_rotary_factor": "partial_rotary_factor" "rotary_pct" "rope_pct" "rotary_percent" "rotary_percentage" "rope_percent" "rotary_emb_fraction" "rotary_emb_pct" "partial_rotary_ratio";
        Base "rope_theta": "rope_theta" "global_rope_theta" "rotary_emb_base" "rope_base" "rotary_base" "rope_embedding_base" "rotary_embedding_base" "rope_freq_constant" "rope_freq_base" "freq_base" "rotary_theta";
        OrigLen "original_max_position_embeddings": "original_max_position_embeddings" "original_max_position_embedding" "original_context_length" "old_context_len" "original_max_seq_len";
        Sections "mrope_section": "mrope_section" "mrope_sections";
        SectionsInTurn "mrope_interleaved": "mrope_interleaved";
    }
    Block {
        Base "rope_theta": "base" "theta";
        MaxLen "max_position_embeddings": "max_position_embeddings";
        SectionsInTurn "mrope_interleaved": "interleaved";
        Kind "rope_type": "rope_type";
        OldKind "type": "type";
        Factor "factor": "factor" "scaling_factor";
        Alpha "alpha": "alpha";
        AttentionFactor "attention_factor": "attention_factor";
        AttentionTimes "attn_factor": "attn_factor";
        BetaFast "beta_fast": "beta_fast";
        BetaSlow "beta_slow": "beta_slow";
        Mscale "mscale": "mscale";
        MscaleAllDim "mscale_all_dim": "mscale_all_dim";
        Truncate "truncate": "truncate";
        LowFreq "low_freq_factor": "low_freq_factor";
        HighFreq "high_freq_factor": "high_freq_factor";
        ShortList "short_factor": "short_factor";
        LongList "long_factor": "long_factor";
        ShortMscale "short_mscale": "short_mscale";
        LongMscale "long_mscale": "long_mscale";
    }
    Both {
        Aside "window": "sliding_window" "use_sliding_window" "max_window_layers" "sliding_window_pattern" "_sliding_window_pattern" "attention_chunk_size" "sliding_window_size" "attention_window" "local_attention" "window_size" "attention_window_size";
        Aside "layer_kinds": "layer_types" "global_attn_every_n_layers" "attention_types" "attention_layers" "hybrid_layer_pattern" "full_attention_interval" "swa_layers";
        Aside "nope_layers": "no_rope_layers" "no_rope_layer_interval" "nope_layer_interval" "use_irope";
        Aside "temperature": "llama_4_scaling_beta" "attn_temperature_tuning" "attn_scale" "floor_scale" "use_logn_attn" "logn_list";
        Aside "buckets": "relative_attention_num_buckets" "relative_attention_max_distance" "relative_attention" "pos_att_type" "max_relative_positions" "position_buckets" "position_biased_input" "max_relative_position" "share_att_key" "norm_rel_ebd" "has_relative_attention_bias" "left_max_position_embeddings" "right_max_position_embeddings";
        Aside "alibi": "alibi_bias_max" "alibi_num_heads";
        Aside "pairing": "rope_interleave" "rope_interleaved" "rotary_emb_interleaved" "rope_is_neox_style" "original_rope" "rotary_interleaved" "rope_neox";
        Aside "mrope_other": "xdrope_section" "position_id_per_seconds" "tokens_per_second" "rope_3d" "use_3d_rope" "temporal_patch_size" "freq_allocation";
        Aside "aside": "finetuned" "use_dynamic_ntk" "rope_full_precision" "rotary_emb_scale_base" "learned_pos_emb" "use_learned_positional_embeddings" "sinusoidal_pos_embds" "sinusoidal_embeddings" "scale_embedding" "max_source_positions" "max_target_positions" "position_encoding_2d" "max_2d_position_embeddings" "original_max_context" "rope_max_length" "rotary_value";
    }
};

/// What a name means in a place.
pub(super) fn find(name: &str, in_block: bool, alone: bool) -> Option<&'static Name> {
    NAMES.iter().find(|n| {
        n.name == name
            && match n.place {
                Where::Both => true,
                Where::Top => !in_block || alone,
                Where::Block => in_block || alone,
            }
    })
}

/// Whether an unknown name is about positions all the same.
pub(super) fn sounds(name: &str) -> bool {
    let name = name.to_lowercase();
    let parts = [
        "rope",
        "rotary",
        "position",
        "alibi",
        "relative_att",
        "ntk",
        "yarn",
        "sliding_window",
        "context_len",
        "seq_len",
        "pos_emb",
        "pos_enc",
        "timescale",
        "chunk_attention",
    ];
    parts.iter().any(|p| name.contains(p))
        && !name.contains("nope_head_dim")
        && !name.contains("property")
}

/// Whether an unknown name could change the frequencies.
pub(super) fn turns(name: &str) -> bool {
    let name = name.to_lowercase();
    ["rope", "rotary", "ntk", "yarn"]
        .iter()
        .any(|p| name.contains(p))
        && !name.contains("nope_head_dim")
}
