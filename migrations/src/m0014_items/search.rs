//! The words of items (G14), apart from the items: found by them first, read after.
//!
//! Both databases have one list for everybody, and every entry names its owner, so that a search looks at nothing but
//! the owner's own. SQLite: FTS5 without a copy of the text. PostgreSQL: a table without `tenant_id`, because the index
//! of a table with row-level security is not used for `@@` (the operator is not leakproof). It holds words and numbers
//! only; the rows that they lead to stand behind the wall.
//!
//! Case and accents are folded before (`store`); PostgreSQL also stems Portuguese.

use sea_orm_migration::{prelude::*, sea_orm::DbBackend};

pub async fn create(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let statements = match manager.get_database_backend() {
        DbBackend::Sqlite => SQLITE,
        _ => POSTGRES,
    };
    for statement in statements {
        manager.get_connection().execute_unprepared(statement).await?;
    }
    Ok(())
}

const SQLITE: &[&str] = &[
    "CREATE VIRTUAL TABLE items_words USING fts5(
        owner, title, text, content='', contentless_delete=1, prefix='2 3',
        tokenize='unicode61 remove_diacritics 2')",
    "CREATE TRIGGER items_words_insert AFTER INSERT ON items WHEN new.deleted_at IS NULL BEGIN
        INSERT INTO items_words(rowid, owner, title, text)
        VALUES (new.seq, 'o' || hex(new.tenant_id) || hex(new.owner_id), new.search_title, new.search_text);
    END",
    "CREATE TRIGGER items_words_delete AFTER DELETE ON items BEGIN
        DELETE FROM items_words WHERE rowid = old.seq;
    END",
    "CREATE TRIGGER items_words_update AFTER UPDATE OF search_title, search_text, deleted_at ON items BEGIN
        DELETE FROM items_words WHERE rowid = old.seq;
        INSERT INTO items_words(rowid, owner, title, text)
        SELECT new.seq, 'o' || hex(new.tenant_id) || hex(new.owner_id), new.search_title, new.search_text
        WHERE new.deleted_at IS NULL;
    END",
];

const POSTGRES: &[&str] = &[
    "CREATE TABLE items_words (seq bigint PRIMARY KEY, owner text NOT NULL, words tsvector NOT NULL)",
    "CREATE INDEX items_words_words ON items_words USING gin (words)",
    "CREATE INDEX items_words_owner ON items_words (owner, seq)",
    // As written, for beginnings of words; and by their stems.
    "CREATE FUNCTION index_item_words() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE said text;
    BEGIN
        IF TG_OP <> 'INSERT' THEN
            DELETE FROM items_words WHERE seq = OLD.seq;
        END IF;
        IF TG_OP <> 'DELETE' AND NEW.deleted_at IS NULL THEN
            said := left(NEW.search_title || ' ' || NEW.search_text, 200000);
            INSERT INTO items_words (seq, owner, words) VALUES (
                NEW.seq, NEW.tenant_id::text || NEW.owner_id::text,
                to_tsvector('simple', said) || to_tsvector('portuguese', said));
        END IF;
        RETURN NULL;
    END $$",
    "CREATE TRIGGER items_words_of_items
        AFTER INSERT OR DELETE OR UPDATE OF search_title, search_text, deleted_at ON items
        FOR EACH ROW EXECUTE FUNCTION index_item_words()",
];
