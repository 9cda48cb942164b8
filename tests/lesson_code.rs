//! The PyTorch panels as the page shows them: Python compiles them and, where torch is there, runs
//! them at chosen and at random legal addresses; their arrays are compared with the core's.
//! `PYTHON` names the interpreter. What is not run for want of torch is counted as ignored.

mod addresses;
#[path = "lesson_code/case.rs"]
mod case;
#[path = "lesson_code/cases.rs"]
mod cases;
#[path = "lesson_code/python.rs"]
mod python;

use std::process::ExitCode;

use addresses::Dice;
use case::{Case, params};
use cases::CASES;
use libtest_mimic::{Arguments, Failed, Trial};
use posenc_lab::core::encoding::rope_scaling::Remedy;
use posenc_lab::core::encoding::{SCHEMES, Scheme, Topic};
use posenc_lab::lesson::code::{CODE, TRACED, fill, fill_text};
use posenc_lab::state::Page;
use python::{difference, python};
use serde_json::{Value as Json, json};

const TOLERANCE: f64 = 1e-5;
/// Random addresses of each panel.
const RANDOM: usize = 16;
/// No array of a random address is wider or longer.
const LIMIT: i64 = 120;

/// A panel at an address.
struct Run {
    id: &'static str,
    query: String,
    case: Case,
    /// What Python says of it.
    answer: Json,
}

impl Run {
    fn new(id: &'static str, query: String) -> Self {
        let p = params(&query);
        let case = Case::new(id, &query, &p).unwrap_or_else(|e| panic!("{id}, {query}: {e}"));
        let answer = Json::Null;
        Self {
            id,
            query,
            case,
            answer,
        }
    }

    fn sent(&self) -> Json {
        let code = fill(self.id, &params(&self.query)).expect("a panel");
        let traced = code.lines().find(|l| l.ends_with(TRACED));
        json!({
            "id": self.id,
            "traced": traced.unwrap_or_default(),
            "code": code,
            "after": self.case.after,
            "given": self.case.given,
            "refused": self.case.refused,
            "names": self.case.want.keys().collect::<Vec<_>>(),
        })
    }

    /// What is wrong with the arrays of the answer.
    fn wrong(&self) -> Vec<String> {
        let at = format!("{}, {}", self.id, self.query);
        if let Some(error) = self.answer["error"].as_str() {
            return vec![format!("{at}: {error}")];
        }
        let off = |(name, want): (&String, &Json)| {
            let told = match difference(&self.answer["arrays"][name], want) {
                Ok(d) if d <= TOLERANCE => return None,
                Ok(d) => format!("off by {d:e}"),
                Err(error) => error,
            };
            Some(format!("{at}: {name}: {told}"))
        };
        self.case.want.iter().filter_map(off).collect()
    }
}

/// The page of a panel, and what its addresses have in common.
fn place(id: &str) -> (Page, String) {
    if let Some(scheme) = Scheme::by_id(id) {
        return (Page::of_scheme(id), format!("&scheme={}", scheme.id()));
    }
    match id {
        "order" => (Page::Order, "&scheme=none".to_owned()),
        "context" => (Page::Context, String::new()),
        "grid" | "mrope" => (Page::Multimodal, String::new()),
        _ => panic!("where does the panel {id} stand?"),
    }
}

/// Every panel at its own and at random addresses; each scaling is among those of the panels
/// that it changes.
fn runs() -> Vec<Run> {
    let mut dice = Dice::new(1);
    let mut out: Vec<Run> = CASES
        .iter()
        .map(|(id, q)| Run::new(id, (*q).to_owned()))
        .collect();
    for (id, _) in CODE {
        let (page, fixed) = place(id);
        for k in 0..RANDOM {
            let scaled = matches!(*id, "rope" | "context").then(|| {
                let remedy = Remedy::ALL[k % Remedy::ALL.len()];
                format!("&scaling={}", remedy.id())
            });
            let fixed = format!("{fixed}{}", scaled.unwrap_or_default());
            out.push(Run::new(id, dice.query(page, &fixed, LIMIT)));
        }
    }
    out
}

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let mut trials = vec![
        Trial::test("templates_are_whole", templates_are_whole),
        Trial::test("holes", holes),
    ];
    let mut runs = if arguments.list { Vec::new() } else { runs() };
    let sent: Vec<Json> = runs.iter().map(Run::sent).collect();
    let answer = (!arguments.list).then(|| python(&json!(sent))).flatten();
    let torch = answer.as_ref().and_then(|a| a["torch"].as_str());
    match (&answer, torch) {
        (_, Some(version)) => eprintln!("lesson_code: torch {version}"),
        (Some(_), None) => eprintln!("lesson_code: torch is absent: panels are only compiled"),
        (None, _) => eprintln!("lesson_code: python3 is absent"),
    }
    for (at, run) in runs.iter_mut().enumerate() {
        run.answer = answer
            .as_ref()
            .map_or(Json::Null, |a| a["answers"][at].clone());
    }
    let errors: Vec<String> = runs
        .iter()
        .filter_map(|r| {
            Some(format!(
                "{}, {}: {}",
                r.id,
                r.query,
                r.answer["error"].as_str()?
            ))
        })
        .collect();
    trials.push(
        Trial::test("panels_compile", move || told(errors)).with_ignored_flag(answer.is_none()),
    );
    for (id, _) in CODE {
        let wrong: Vec<String> = runs
            .iter()
            .filter(|r| r.id == *id)
            .flat_map(Run::wrong)
            .collect();
        let trial = Trial::test(
            format!("panel_{id}_computes_what_the_page_shows"),
            move || told(wrong),
        );
        trials.push(trial.with_ignored_flag(torch.is_none()));
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn told(wrong: Vec<String>) -> Result<(), Failed> {
    if wrong.is_empty() {
        Ok(())
    } else {
        Err(wrong.join("\n").into())
    }
}

fn templates_are_whole() -> Result<(), Failed> {
    for (id, template) in CODE {
        assert_eq!(template.matches(TRACED).count(), 1, "{id}");
        for remedy in Remedy::ALL {
            let p = params(&format!("page=rope&scaling={}", remedy.id()));
            let filled = fill(id, &p).expect("a panel");
            assert!(filled.lines().count() <= 60, "{id} is long");
            assert!(
                filled.lines().all(|l| l.chars().count() <= 100),
                "{id} is wide"
            );
            assert!(!filled.contains("{{"), "{id} has an unknown hole");
            assert!(!filled.contains("# only"), "{id}");
            assert!(!filled.contains("\n\n\n\n"), "{id} has a gap");
            let traced = filled.lines().find(|l| l.ends_with(TRACED));
            assert!(traced.is_some_and(|l| l.starts_with("cell = ")), "{id}");
        }
        assert!(CASES.iter().filter(|(of, _)| of == id).count() >= 3, "{id}");
    }
    for scheme in SCHEMES.iter().filter(|s| s.topic() != Topic::Nothing) {
        let there = CODE.iter().any(|(id, _)| *id == scheme.id());
        assert!(there, "no panel of {}", scheme.id());
    }
    assert_eq!(fill("nope", &params("")), None);
    Ok(())
}

fn holes() -> Result<(), Failed> {
    let p = params("page=rope&d_model=24&heads=2&dim=19&causal=1&pairing=half&base=10000&shift=-3");
    let text = "{{head_dim}} {{rope_pair}} {{causal}} '{{pairing}}' {{base}} {{shift}} {{nope}} {{";
    assert_eq!(fill_text(text, &p), "12 1 True 'half' 10000 -3 {{nope}} {{");
    let p = params("page=order&text_a=\"{{seed}}\" \\&text_b=我爱中国&causal=0");
    let text = "{{tokens_b}} {{causal}} {{scheme}} {{text_a}}";
    assert_eq!(
        fill_text(text, &p),
        r#"["我", "爱", "中国"] False none {{text_a}}"#
    );
    assert!(
        fill_text("{{tokens_a}}", &p).contains("seed"),
        "kept as text"
    );
    Ok(())
}
