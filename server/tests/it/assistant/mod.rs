//! The assistant: over REST, over a gateway, over restarts.

pub mod inbound;
mod meanwhile;
mod menus;
mod page;
mod talking;

use crate::workshop::Backend;
use serde_json::{Value, json};

impl Backend {
    /// One message of a conversation, or the first of a new one.
    pub async fn say(&self, conversation: Option<&Value>, text: &str) -> Value {
        let mut body = json!({ "text": text });
        if let Some(conversation) = conversation {
            body["conversation_id"] = conversation["conversation_id"].clone();
        }
        self.post(200, "/assistant/messages", body).await
    }

    /// An answer to the menu of `seen`, however old that is.
    pub async fn choose(&self, seen: &Value, text: &str) -> Value {
        let body =
            json!({ "text": text, "conversation_id": seen["conversation_id"], "menu_id": seen["menu_id"] });
        self.post(200, "/assistant/messages", body).await
    }
}

fn reply(answer: &Value) -> &str {
    answer["reply"].as_str().unwrap()
}

fn tools(answer: &Value) -> Vec<&str> {
    answer["options"].as_array().unwrap().iter().filter_map(|option| option["tool"].as_str()).collect()
}
