//! What the assistant says, in both languages. The Portuguese of the menu is the requirement's own (G8).

use domain::Language;

#[derive(Clone, Copy, Debug)]
pub struct Texts(pub Language);

macro_rules! texts {
    ($($name:ident = $pt:literal, $en:literal;)+) => {
        impl Texts {
            $(pub fn $name(self) -> &'static str {
                match self.0 {
                    Language::PtBr => $pt,
                    Language::En => $en,
                }
            })+
        }
    };
}

texts! {
    received = "Recebi sua mensagem. O que deseja fazer?", "I got your message. What would you like to do?";
    cancel = "Cancelar", "Cancel";
    cancelled = "Cancelado. Nada foi salvo.", "Cancelled. Nothing was saved.";
    nothing_to_cancel = "Não há nada para cancelar.", "There is nothing to cancel.";
    expired = "Esta escolha expirou e nada foi feito. Envie a mensagem de novo.",
        "This choice has expired and nothing was done. Send the message again.";
    expired_but_saved = "Esta escolha expirou. O item continua salvo, sem os detalhes.",
        "This choice has expired. The item stays saved, without details.";
    cancelled_but_saved = "Cancelado. O item continua salvo, sem os detalhes.",
        "Cancelled. The item stays saved, without details.";
    not_understood = "Não entendi. Responda com o número, o nome ou o emoji de uma opção.",
        "I did not understand. Answer with the number, the name or the emoji of an option.";
    only_one = "Escolha só uma opção por vez.", "Choose one option at a time.";
    which_address = "Qual é o endereço? Envie o link completo, ou “cancelar”.",
        "What is the address? Send the whole link, or “cancel”.";
    no_address = "Não encontrei um link nessa mensagem. Envie o endereço completo, ou “cancelar”.",
        "I found no link in that message. Send the whole address, or “cancel”.";
    which_title = "Qual é o título? Se souber, inclua o ano. Ou envie “cancelar”.",
        "What is the title? Add the year if you know it. Or send “cancel”.";
    no_title = "Isso não parece um título. Envie só o título, em uma linha, ou “cancelar”.",
        "That does not look like a title. Send just the title, on one line, or “cancel”.";
    number_as_title = "Se for esse o título, envie-o com o ano, por exemplo “300 (2006)”. Ou envie “cancelar”.",
        "If that is the title, send it with its year, for example “300 (2006)”. Or send “cancel”.";
    none_of_these = "Nenhum destes", "None of these";
    without_details = "Tudo bem: fica salvo sem os detalhes.", "All right: it stays saved without details.";
    still_running = "Ainda estou cuidando da sua escolha anterior. Um momento.",
        "I am still working on your last choice. One moment.";
    kept_for_later = "Recebi. Ainda estou cuidando da escolha anterior; logo em seguida cuido desta mensagem.",
        "Got it. I am still working on the last choice; this message comes right after.";
    too_many_waiting = "Já há mensagens demais na fila, e esta não foi guardada. Espere um momento e envie de novo.",
        "Too many messages are waiting already, and this one was not kept. Wait a moment and send it again.";
    chosen_elsewhere = "Outra resposta chegou primeiro, de outro aparelho. Esta não foi usada.",
        "Another answer came first, from another device. This one was not used.";
    other_menu = "Essa resposta era para um menu que não está mais aberto, e não foi usada.",
        "That answer was for a menu that is no longer open, and it was not used.";
    note_saved = "Nota salva. 💡", "Note saved. 💡";
    details_later = "Os detalhes vêm em seguida.", "The details will follow.";
    no_key = "Faltam os detalhes do TMDB: não há chave configurada. Tento de novo mais tarde.",
        "The details from TMDB are missing: no key is configured. I will try again later.";
    try_later = "Faltam os detalhes: não consegui buscá-los agora. Tento de novo mais tarde.",
        "The details are missing: I could not get them now. I will try again later.";
    unknown_title = "Não encontrei os detalhes: ninguém conhece esse título por lá.",
        "I found no details: nobody there knows that title.";
    no_preview = "Não há prévia: a página não a oferece ou não pode ser aberta daqui.",
        "There is no preview: the page has none, or it cannot be opened from here.";
    waits = "Uma segunda pessoa precisa aprovar antes.", "A second person has to approve it first.";
    not_allowed = "Você não pode usar esta opção aqui.", "You may not use this option here.";
    unknown_sender = "Ainda não sei de quem é este número. Abra a página Assistente, peça um código e envie-o aqui.",
        "I do not know yet whose number this is. Open the page Assistant, ask for a code and send it here.";
    linked = "Pronto: este número agora é seu. Envie qualquer coisa para salvar.",
        "Done: this number is yours now. Send anything to save it.";
}

impl Texts {
    pub fn no_such_number(self, number: u64) -> String {
        match self.0 {
            Language::PtBr => format!("Não há a opção {number}."),
            Language::En => format!("There is no option {number}."),
        }
    }

    pub fn already_decided(self, outcome: &str) -> String {
        match self.0 {
            Language::PtBr => format!("Isso já estava decidido, e nada mais foi feito. {outcome}"),
            Language::En => format!("That was decided already, and nothing else was done. {outcome}"),
        }
    }

    pub fn now_the_next(self, message: &str) -> String {
        match self.0 {
            Language::PtBr => format!("Agora, a mensagem “{message}”."),
            Language::En => format!("Now the message “{message}”."),
        }
    }

    pub fn switched_off(self, label: &str) -> String {
        match self.0 {
            Language::PtBr => format!("“{label}” não está mais disponível: foi desativada."),
            Language::En => format!("“{label}” is no longer available: it was switched off."),
        }
    }

    pub fn which_one(self, title: &str) -> String {
        match self.0 {
            Language::PtBr => format!("Salvei “{title}”. Encontrei vários com esse nome. Qual deles?"),
            Language::En => format!("I saved “{title}”. I found several by that name. Which one?"),
        }
    }

    pub fn saved(self, icon: &str, title: &str) -> String {
        match self.0 {
            Language::PtBr => format!("Salvo: {icon} {title}."),
            Language::En => format!("Saved: {icon} {title}."),
        }
    }

    pub fn already_saved(self, title: &str) -> String {
        match self.0 {
            Language::PtBr => format!("Já estava salvo: {title}."),
            Language::En => format!("It was saved already: {title}."),
        }
    }

    pub fn failed(self, why: &str) -> String {
        match self.0 {
            Language::PtBr => format!("Não deu certo: {why}"),
            Language::En => format!("That did not work: {why}"),
        }
    }

    pub fn too_often(self, seconds: u64) -> String {
        match self.0 {
            Language::PtBr => format!("Muitas chamadas agora. Tente de novo em {seconds} s."),
            Language::En => format!("Too many calls right now. Try again in {seconds} s."),
        }
    }
}
