//! Positions of three numbers (t, h, w) for sequences of text, images, video and audio.
//!
//! Multimodal RoPE of Qwen2-VL (Wang et al. 2024, arXiv 2409.12191, §2.1): text has t = h = w; the
//! tokens of an image share t and count rows in h and columns in w; what follows starts at the
//! largest id so far + 1. Qwen2.5-VL (arXiv 2502.13923, §2.1.2) lets t of a video follow real time;
//! Qwen3-VL (arXiv 2511.21631) gives each frame a t of its own and deals the axes out over the
//! frequencies; Qwen2.5-Omni (arXiv 2503.20215, §2.2) puts audio on the same clock (TMRoPE).
//!
//! | file | what it holds |
//! |---|---|
//! | `block` | a sequence as blocks, and the ids of its tokens under each version |
//! | `media` | what placeholders of a prompt stand for |
//! | `prompt` | the ids of token lists with placeholders, as a model's processor makes them |
//! | `omni` | the same with audio, also audio within video |
//! | `sections` | which axis turns which frequency; cos, sin and the rotation |
//! | `modality` | a bias by the kinds of query and key |

mod block;
mod ids;
mod media;
mod modality;
mod omni;
mod prompt;
mod sections;

pub use block::{Block, IDS_PER_SECOND, Version, position_ids, total_tokens};
pub use ids::{Grid, PositionIds, frame_times};
pub use media::{Audio, Media, Row};
pub use modality::{MODALITIES, Modality, ModalityBias};
pub use omni::omni_index;
pub use prompt::rope_index;
pub use sections::{MRope, Sections};
