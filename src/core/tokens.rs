//! From a sentence to tokens, the same natively and in the browser (so not `Intl.Segmenter`).

use unicode_segmentation::UnicodeSegmentation;

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TokenKind {
    /// One Unicode grapheme a token, white space dropped.
    Char,
    /// Spaces and `/` separate; runs of Han characters by the longest word of a short list, else
    /// single characters; other scripts by word boundaries.
    #[default]
    Word,
}

/// Most tokens that a sentence may have.
pub const MAX_TOKENS: usize = 64;

/// Words that the toy tokenizer knows; anything else written in Han characters is split.
const WORDS: &[&str] = &[
    "中国",
    "我们",
    "你们",
    "他们",
    "她们",
    "老师",
    "学生",
    "学习",
    "喜欢",
    "北京",
    "上海",
    "今天",
    "明天",
    "昨天",
    "妈妈",
    "爸爸",
    "朋友",
    "苹果",
    "世界",
    "和平",
    "位置",
    "编码",
    "模型",
    "语言",
    "注意力",
    "机器学习",
    "人工智能",
    "不是",
    "没有",
    "什么",
    "因为",
    "所以",
    "现在",
    "时间",
    "大学",
    "孩子",
    "小猫",
    "小狗",
    "猫咪",
    "咬人",
];

/// The tokens of `text`, all of them.
pub fn tokenize(text: &str, kind: TokenKind) -> Vec<String> {
    match kind {
        TokenKind::Char => text
            .graphemes(true)
            .filter(|g| !g.trim().is_empty())
            .map(str::to_owned)
            .collect(),
        TokenKind::Word => text
            .split(|c: char| c.is_whitespace() || c == '/')
            .flat_map(words)
            .collect(),
    }
}

/// A sentence that [`tokenize`] takes apart into these tokens again, where they are of its making.
pub fn joined(tokens: &[String], kind: TokenKind) -> String {
    match kind {
        TokenKind::Char => tokens.concat(),
        TokenKind::Word => tokens.join(" / "),
    }
}

fn words(piece: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut han = String::new();
    // Word boundaries put each Han character in a piece of its own and keep Latin words whole.
    for part in piece.split_word_bounds() {
        if part.chars().all(is_han) {
            han.push_str(part);
            continue;
        }
        split_han(&han, &mut out);
        han.clear();
        out.push(part.to_owned());
    }
    split_han(&han, &mut out);
    out
}

/// Longest match from the left in the word list, else one character.
fn split_han(run: &str, out: &mut Vec<String>) {
    let mut rest = run;
    while let Some(first) = rest.chars().next() {
        let len = WORDS
            .iter()
            .filter(|w| rest.starts_with(**w))
            .map(|w| w.len())
            .max()
            .unwrap_or(first.len_utf8());
        let (word, tail) = rest.split_at(len);
        out.push(word.to_owned());
        rest = tail;
    }
}

/// Han ideographs: the unified blocks, extension A, compatibility and the supplementary planes,
/// and the iteration mark.
fn is_han(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}'
        | '\u{20000}'..='\u{3FFFF}' | '々' | '〇')
}

/// For each token of `a`, the place in `b` where its same occurrence stands (k-th with k-th), if
/// `b` has it.
pub fn occurrences(a: &[String], b: &[String]) -> Vec<Option<usize>> {
    let mut free: Vec<Option<&String>> = b.iter().map(Some).collect();
    a.iter()
        .map(|token| {
            let at = free.iter().position(|t| *t == Some(token))?;
            free[at] = None;
            Some(at)
        })
        .collect()
}

/// [`occurrences`] for all tokens; `None` if the two are no permutation of each other.
pub fn matching(a: &[String], b: &[String]) -> Option<Vec<usize>> {
    if a.len() != b.len() {
        return None;
    }
    occurrences(a, b).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        tokenize(text, TokenKind::Word)
    }

    #[test]
    fn the_default_sentences_by_word_and_by_character() {
        assert_eq!(words("我爱中国"), ["我", "爱", "中国"]);
        assert_eq!(words("中国爱我"), ["中国", "爱", "我"]);
        assert_eq!(
            tokenize("我爱 中国", TokenKind::Char),
            ["我", "爱", "中", "国"]
        );
    }

    #[test]
    fn separators_latin_and_graphemes() {
        assert_eq!(words("dog bites/man"), ["dog", "bites", "man"]);
        assert_eq!(words("我love中国"), ["我", "love", "中国"]);
        let family = "👩‍👩‍👧e\u{301}";
        assert_eq!(tokenize(family, TokenKind::Char), ["👩‍👩‍👧", "e\u{301}"]);
        assert!(words(" / ").is_empty());
    }

    #[test]
    fn occurrences_are_matched_in_order() {
        let t = |s: &str| tokenize(s, TokenKind::Char);
        assert_eq!(matching(&t("aba"), &t("baa")), Some(vec![1, 0, 2]));
        assert_eq!(matching(&t("ab"), &t("aa")), None);
        assert_eq!(matching(&t("ab"), &t("abc")), None);
    }

    #[test]
    fn tokens_in_another_order_are_a_sentence_with_just_these_tokens() {
        for (text, kind) in [
            ("我爱中国", TokenKind::Word),
            ("我爱中国", TokenKind::Char),
            ("the cat bit the dog, 猫咪咬人", TokenKind::Word),
            ("né à l'école", TokenKind::Word),
            ("👩‍👩‍👧 e\u{301} ab", TokenKind::Char),
        ] {
            let mut tokens = tokenize(text, kind);
            tokens.reverse();
            assert_eq!(tokenize(&joined(&tokens, kind), kind), tokens, "{text}");
        }
    }
}
