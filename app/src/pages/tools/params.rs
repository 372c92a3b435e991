//! The parameters of a tool twice: as a form for people, and as the JSON Schema that is sent. Both are always in step.

use crate::{
    api::tools::fields::{PARAM_KINDS, Param},
    browser,
    components::{effect, text_area},
    form::{Choice, Group},
    texts::Texts,
};
use leptos::prelude::*;

const ROWS: &str = "param-rows";

#[derive(Clone, Copy)]
struct Editor {
    rows: RwSignal<Vec<Param>>,
    /// The text is no JSON at the moment: the form waits.
    is_broken: RwSignal<bool>,
    area: StoredValue<String>,
}

impl Editor {
    fn text(self) -> String {
        browser::field_text(&self.area.get_value()).unwrap_or_default()
    }

    /// The text was changed, by hand or by a button: the rows follow.
    fn follow(self) {
        let params = browser::read_params(&self.text());
        self.is_broken.set(params.is_none());
        if let Some(params) = params {
            self.rows.set(params);
        }
    }

    /// A row was changed: the text follows.
    fn write(self) {
        self.put(browser::write_params(ROWS, &self.text(), None));
    }

    fn put(self, text: Option<String>) {
        if let Some(text) = text {
            browser::set_field_text(&self.area.get_value(), &text);
        }
    }

    /// A button changed the text: it counts as typed, and the rows follow.
    fn type_in(self, text: Option<String>) {
        if let Some(text) = text {
            browser::type_in(&self.area.get_value(), &text);
        }
    }
}

pub fn params_editor(t: Texts, group: Group, text: Option<String>, params: Vec<Param>) -> AnyView {
    let id = group.id("parameters");
    let editor = Editor {
        rows: RwSignal::new(params),
        is_broken: RwSignal::new(false),
        area: StoredValue::new(id.clone()),
    };
    let area = text_area("input area mono", "16", id, group.name("parameters"), text.unwrap_or_default());
    let area = view! { <div on:input=move |_| editor.follow()>{area}</div> }.into_any();
    // Something may have been typed before the page was alive.
    effect(move || editor.follow());
    effect(move || browser::show_params(ROWS, &editor.rows.get()));
    view! {
        <div class="params">
            <fieldset class="param-form only-with-scripts" disabled=move || editor.is_broken.get()>
                <legend class="field-label">{t.params_form()}</legend>
                <p class="field-error" role="status">{move || editor.is_broken.get().then(|| t.params_broken())}</p>
                <div id=ROWS class="param-rows" on:input=move |_| editor.write()>
                    {move || rows(t, editor)}
                </div>
                <button type="button" class="button" on:click=move |_| add(t, editor)>{t.param_add()}</button>
            </fieldset>
            {group.labelled("parameters", t.tool_schema(), t.tool_schema_hint().to_owned(), area)}
        </div>
    }
    .into_any()
}

fn add(t: Texts, editor: Editor) {
    editor.type_in(browser::add_param(&editor.text(), t.param_word()));
}

fn remove(editor: Editor, at: u32) {
    editor.type_in(browser::write_params(ROWS, &editor.text(), Some(at)));
}

fn rows(t: Texts, editor: Editor) -> Vec<AnyView> {
    (0u32..).zip(editor.rows.get()).map(|(at, param)| row(t, editor, at, param)).collect()
}

/// None of these fields has a name: only the schema is sent.
fn row(t: Texts, editor: Editor, at: u32, param: Param) -> AnyView {
    let other = Choice::new("", t.param_other(), param.kind.is_empty());
    let kinds = PARAM_KINDS.map(|kind| Choice::new(kind, t.param_kind(kind), kind == param.kind));
    let odd = param.has_odd_choices;
    let label = |of: &str| format!("{of}: {}", param.name);
    let (name_label, kind_label) = (label(t.param_name()), label(t.tool_type()));
    let (text_label, choices_label) = (label(t.description()), label(t.param_choices()));
    let (needed_label, remove_label) = (label(t.param_required()), label(t.remove()));
    let name = param.name.clone();
    view! {
        <div class="param" data-param=name data-odd=odd.then_some("")>
            <input class="input mono" type="text" data-part="name" aria-label=name_label value=param.name spellcheck="false"/>
            <select class="select" data-part="kind" aria-label=kind_label>
                {Choice::options(kinds.into_iter().chain([other]).collect())}
            </select>
            <label class="param-needed">
                <input type="checkbox" data-part="required" aria-label=needed_label checked=param.is_required/>
                {t.param_required()}
            </label>
            <button type="button" class="button button-quiet-danger" aria-label=remove_label on:click=move |_| remove(editor, at)>
                {t.remove()}
            </button>
            <input
                class="input param-wide"
                type="text"
                data-part="description"
                aria-label=text_label
                placeholder=t.description()
                value=param.description
            />
            <input
                class="input param-wide"
                type="text"
                data-part="choices"
                aria-label=choices_label
                placeholder=if odd { t.param_choices_odd() } else { t.param_choices_hint() }
                disabled=odd
                value=param.choices
            />
        </div>
    }
    .into_any()
}
