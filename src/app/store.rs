//! The state of the page: one signal of requested parameters, resolved once.

use std::sync::Arc;
use std::time::Duration;

use leptos::prelude::*;
use leptos_use::use_preferred_dark;

use super::answers::{Answers, SKIPPED};
use super::guesses::Guesses;
use super::language;
use super::lasting::Lasting;
use super::parts::Part;
use super::reactive::{Reactive, effect, reactive};
use super::running::Running;
use crate::core::sound::Envelope;
use crate::figure::{of_page, page_of};
use crate::lesson::piece::Mark;
use crate::say;
use crate::state::{
    Key, Lang, Model, Notice, Page, Params, Photo, Requested, Theme, Value, decode, encode, open,
    resolve, values,
};
use crate::web;

/// Signals that every component may read. Cheap to copy.
#[derive(Clone, Copy)]
pub struct Store {
    requested: Lasting<RwSignal<Requested>>,
    /// What the address says: what is asked for, a little later while it changes often.
    written: Lasting<RwSignal<Requested>>,
    /// What was wrong with the address.
    address_notices: Lasting<RwSignal<Vec<Notice>>>,
    dismissed: Lasting<RwSignal<Vec<Notice>>>,
    /// The visitor's own image.
    pub photo: Lasting<RwSignal<Option<Photo>>>,
    /// What the requests come to, and what is wrong in combination.
    resolved: Lasting<Memo<(Params, Vec<Notice>)>>,
    /// Valid parameters.
    pub params: Lasting<Memo<Params>>,
    /// What the visitor recorded or opened, instead of the rhythm.
    pub recording: Lasting<RwSignal<Option<Arc<Envelope>>>>,
    /// The language shown.
    pub lang: Lasting<RwSignal<Lang>>,
    /// Whether the dark colours are shown.
    pub dark: Lasting<Memo<bool>>,
    /// What the visitor has answered.
    pub answers: Answers,
    /// What the visitor has put into drawings as answers.
    pub guesses: Guesses,
    /// Figures whose result is to be predicted first: figure and key of the question.
    pub questions: Lasting<RwSignal<Vec<(String, String)>>>,
    /// The headings of the page shown: ids and titles.
    pub contents: Lasting<RwSignal<Vec<(String, String)>>>,
    /// The one kind of claims that the visitor wants to see.
    pub only_claims: Lasting<RwSignal<Option<Mark>>>,
    /// What a figure of the page tells the lesson's text, with what it was computed from.
    pub difference: Lasting<RwSignal<Option<(Params, f64)>>>,
    /// What was asked for before a link of the text set something, and the link's words.
    pub before_text: Lasting<RwSignal<Option<(Requested, String)>>>,
    /// Where the other part of the program is.
    pub part: Lasting<RwSignal<Part>>,
    /// What the link of the text followed last still changes.
    running: Running,
    /// Changes when elements with live numbers may have come in.
    pub stirred: Lasting<RwSignal<u32>>,
    /// The figure that a link led to, as long as its page is not there.
    sought: Lasting<RwSignal<Option<String>>>,
}

impl Store {
    /// The state that the address asks for, kept in step with it.
    pub fn from_address() -> Self {
        let (requested, notices) = read(&web::page::query());
        let requested = Lasting::new(requested);
        let resolved = Lasting::memo(move || resolve(&requested.read(), page_of));
        let photo = Lasting::new(None);
        let recording = Lasting::new(None::<Arc<Envelope>>);
        let params = Lasting::memo(move || {
            let mut params = resolved.read().0.clone();
            params.photo = photo.get();
            params.sound.recording = recording.get();
            params
        });
        let system_dark = use_preferred_dark();
        let store = Self {
            requested,
            written: Lasting::new(requested.get_untracked()),
            address_notices: Lasting::new(notices),
            dismissed: Lasting::default(),
            photo,
            resolved,
            params,
            recording,
            lang: Lasting::new(language(&params.read_untracked())),
            dark: Lasting::memo(move || match params.read().theme {
                Theme::Dark => true,
                Theme::Light => false,
                Theme::Auto => system_dark.get(),
            }),
            answers: Answers::remembered(),
            guesses: Guesses::default(),
            questions: Lasting::default(),
            contents: Lasting::default(),
            only_claims: Lasting::new(None),
            difference: Lasting::new(None),
            before_text: Lasting::new(None),
            running: Running::default(),
            part: Lasting::new(Part::Unasked),
            stirred: Lasting::new(0),
            sought: Lasting::new(web::page::fragment()),
        };
        web::page::on_history(move |query| {
            let (requested, notices) = read(&query);
            store.leave_text();
            store.requested.set(requested);
            store.is_written();
            store.address_notices.set(notices);
            store.dismissed.set(Vec::new());
        });
        let mut first = true;
        effect(move || {
            let query = encode(&store.requested.read());
            // The first run is the address itself.
            if !std::mem::take(&mut first) {
                web::page::replace_query(query, move || store.is_written());
            }
        });
        store.follow_language();
        store
    }

    /// Shows the language asked for, once its words are here; without them the page stays in the
    /// language that it speaks, and says so.
    fn follow_language(self) {
        let mut wanted = None;
        effect(move || {
            let lang = language(&self.params.read());
            if wanted.replace(lang) == Some(lang) {
                return;
            }
            leptos::task::spawn_local(async move {
                let here = language::load(lang).await;
                let shown = self.lang.get_untracked();
                if language(&self.params.read_untracked()) != lang || shown == lang {
                    return;
                }
                if here {
                    self.lang.set(lang);
                } else {
                    let notice = Notice::new("no-words", Key::Lang.name(), lang.id(), shown.id());
                    self.address_notices.update(|all| all.push(notice));
                    self.set(vec![(Key::Lang, Value::Word(shown.id()))]);
                }
            });
        });
    }

    /// The store of the page.
    pub fn get() -> Self {
        expect_context()
    }

    /// A text of the page in the language shown.
    pub fn say(&self, key: &str) -> String {
        say!(self.lang.get(), key)
    }

    /// A text of the page that follows the language.
    pub fn word(self, key: &str) -> Reactive<String> {
        let key = key.to_owned();
        reactive(move || self.say(&key))
    }

    /// Asks for values.
    pub fn set(&self, values: Vec<(Key, Value)>) {
        for (key, _) in &values {
            self.running.leave(*key);
        }
        self.ask(values);
    }

    fn ask(&self, values: Vec<(Key, Value)>) {
        if values.is_empty() {
            return;
        }
        self.requested.update(|r| {
            for (key, value) in values {
                r.set(key, value);
            }
        });
    }

    /// Asks for what a link of the text sets; numbers run to their new values.
    pub fn set_by_text(&self, query: &str, words: String) {
        let Ok(mut values) = values(query) else {
            return;
        };
        // What another link has set is there before this one's begins: "before" is no state in between.
        self.ask(self.running.stop());
        let p = self.params.get_untracked();
        values.retain(|(key, _)| !p.locks(*key));
        self.before_text
            .set(Some((self.requested.get_untracked(), words)));
        let store = *self;
        self.running.start(values, &p, move |now| store.ask(now));
    }

    /// Takes back what a link of the text has set.
    pub fn undo(&self) {
        if let Some((before, _)) = self.before_text.get_untracked() {
            self.leave_text();
            self.requested.set(before);
        }
    }

    /// What a link of the text set can no longer be taken back, and nothing goes on being set.
    fn leave_text(&self) {
        self.before_text.set(None);
        self.running.stop();
    }

    /// Takes a model's parameters, or leaves the present model.
    pub fn choose(&self, model: Option<&'static Model>) {
        self.leave_text();
        self.requested.update(|r| r.choose(model));
    }

    /// Asks for values in place of a model and of all that scales.
    pub fn replace(&self, values: Vec<(Key, Value)>) {
        self.leave_text();
        self.requested.update(|r| {
            r.choose(None);
            Key::SCALING.iter().for_each(|k| r.clear(*k));
            r.clear(Key::Sections);
            for (key, value) in values {
                r.set(key, value);
            }
        });
    }

    /// Takes a typed text.
    ///
    /// # Errors
    /// The notice, if it was not taken as it is.
    pub fn set_text(&self, key: Key, text: &str) -> Result<(), Notice> {
        self.running.leave(key);
        let mut result = Ok(());
        self.requested.update(|r| result = r.set_text(key, text));
        result.map_err(|mut notice| {
            if notice.used.is_empty() {
                let p = self.params.get_untracked();
                let number = p.number(key).map(crate::state::number);
                notice.used = number.or_else(|| p.word(key)).unwrap_or_default();
            }
            notice
        })
    }

    /// Goes to another page, as a step in the history. A scheme that it does not show is left
    /// behind.
    pub fn go(&self, page: Page) {
        self.ask(self.running.stop());
        self.requested.update(|r| *r = on_page(r, page));
        self.address_notices.set(Vec::new());
        self.leave_text();
        web::page::push_query(&encode(&self.requested.get_untracked()));
        self.is_written();
    }

    /// Notes that the address says what is asked for.
    fn is_written(&self) {
        self.written.set(self.requested.get_untracked());
    }

    /// Goes where a link of the text leads: to a page, and there to a figure if it names one.
    pub fn follow(&self, page: &str, figure: Option<String>) {
        let Some(page) = Page::by_id(page).filter(|p| p.is_live()) else {
            return;
        };
        if self.params.read_untracked().page != page {
            self.go(page);
            web::page::to_top();
        }
        self.sought.set(figure);
        self.arrive();
    }

    /// Brings the figure sought into view, once it is there.
    pub fn arrive(&self) {
        let sought = self.sought;
        let look = move || {
            let found = sought.get_untracked().filter(|id| web::focus::has(id));
            if let Some(id) = found {
                sought.set(None);
                web::focus::go_to(&id);
            }
        };
        // After what is being put in.
        set_timeout(look, Duration::ZERO);
    }

    /// The address of another page with the parameters of the present one. Links follow the address: while a slider
    /// is dragged, nobody follows them.
    pub fn address_of(&self, page: Page) -> String {
        format!("?{}", encode(&on_page(&self.written.read(), page)))
    }

    /// Notices that the address has changed.
    pub fn track_address(&self) {
        self.written.track();
    }

    /// Everything back to its default but the page, the language and the theme.
    pub fn reset(&self) {
        self.leave_text();
        self.requested.update(|r| {
            let kept = [
                Key::Page,
                Key::Embed,
                Key::Lang,
                Key::Theme,
                Key::Present,
                Key::Lock,
                Key::Hide,
            ];
            let gone: Vec<Key> = r.keys().filter(|k| !kept.contains(k)).collect();
            gone.into_iter().for_each(|k| r.clear(k));
        });
        self.address_notices.set(Vec::new());
        self.photo.set(None);
        self.recording.set(None);
    }

    /// Whether a figure's result is still to be predicted.
    pub fn veils(&self, figure: &str) -> bool {
        let alone = self.params.read().embed.is_some();
        let open = |key: &str| self.answers.get(key).is_none();
        !alone
            && self
                .questions
                .read()
                .iter()
                .any(|(f, key)| f == figure && open(key))
    }

    /// Shows what a figure's question asks, if it is still open; says whether it was.
    pub fn show_answer(&self, figure: &str) -> bool {
        let questions = self.questions.read_untracked();
        let open = |key: &str| self.answers.get(key).is_none();
        let Some((_, key)) = questions.iter().find(|(f, key)| f == figure && open(key)) else {
            return false;
        };
        self.answers.set(key, SKIPPED);
        true
    }

    /// Whether the visitor looks at claims with another mark.
    pub fn leaves_out(&self, mark: Mark) -> bool {
        self.only_claims.get().is_some_and(|only| only != mark)
    }

    /// What a figure of the page tells the lesson's text, if it has computed it for these parameters.
    pub fn known_difference(&self, p: &Params) -> Option<f64> {
        let difference = self.difference.read_untracked();
        let (of, difference) = difference.as_ref()?;
        let figure = of_page(p.page).find(|f| f.told().is_some())?;
        let now = figure.reads(p);
        (*of == now).then_some(*difference)
    }

    /// Says that elements with live numbers may have come in.
    pub fn stir(&self) {
        self.stirred.update(|n| *n += 1);
    }

    /// A copy of what is asked for, its page written out.
    pub fn written_out(&self) -> Requested {
        let mut requested = self.requested.get_untracked();
        if requested.get(Key::Embed).is_none() {
            let page = self.params.read_untracked().page;
            requested.set(Key::Page, Value::Word(page.id()));
        }
        requested
    }

    /// Notices that have not been dismissed.
    pub fn notices(&self) -> Vec<Notice> {
        let dismissed = self.dismissed.read();
        let mut out: Vec<Notice> = Vec::new();
        let combined = self.resolved.read().1.clone();
        let all = self.address_notices.get().into_iter().chain(combined);
        for notice in all {
            if !dismissed.contains(&notice) && !out.contains(&notice) {
                out.push(notice);
            }
        }
        out
    }

    /// Takes a notice away.
    pub fn dismiss(&self, notice: Notice) {
        self.dismissed.update(|d| d.push(notice));
    }
}

/// The same requests on another page; a scheme that it does not show is left behind.
fn on_page(requested: &Requested, page: Page) -> Requested {
    let mut out = requested.clone();
    out.set(Key::Page, Value::Word(page.id()));
    if let Some(Value::Word(scheme)) = out.get(Key::Scheme)
        && !page.schemes().any(|s| s.id() == *scheme)
    {
        out.clear(Key::Scheme);
    }
    out
}

/// What an address asks for and what was wrong with it by itself.
fn read(query: &str) -> (Requested, Vec<Notice>) {
    let (requested, mut notices) = decode(query);
    let alone = notices.len();
    open(&requested, page_of, &mut notices);
    // Those in combination are told as long as they hold.
    notices.truncate(alone);
    (requested, notices)
}

/// The page and the language of the address.
pub fn opened_at() -> (Page, Lang) {
    let (requested, _) = decode(&web::page::query());
    let (params, _) = resolve(&requested, page_of);
    (params.page, language(&params))
}

fn language(p: &Params) -> Lang {
    p.lang.unwrap_or_else(browser_language)
}

fn browser_language() -> Lang {
    if web::page::language()
        .get(..2)
        .is_some_and(|l| l.eq_ignore_ascii_case("en"))
    {
        Lang::En
    } else {
        Lang::Zh
    }
}
