//! Full-text search of products: words are found without regard to case and accents.
//!
//! SQLite: an FTS5 table over the rows, kept by triggers. PostgreSQL: a generated tsvector with a GIN index; accents
//! are folded by a function of ours, because `unaccent` is an extension that not every installation may load.

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
    "CREATE VIRTUAL TABLE products_words USING fts5(
        name, sku, description, content='products', content_rowid='seq', tokenize='unicode61 remove_diacritics 2')",
    "CREATE TRIGGER products_words_insert AFTER INSERT ON products BEGIN
        INSERT INTO products_words(rowid, name, sku, description)
        VALUES (new.seq, new.name, new.sku, new.description);
    END",
    "CREATE TRIGGER products_words_delete AFTER DELETE ON products BEGIN
        INSERT INTO products_words(products_words, rowid, name, sku, description)
        VALUES ('delete', old.seq, old.name, old.sku, old.description);
    END",
    "CREATE TRIGGER products_words_update AFTER UPDATE OF name, sku, description ON products BEGIN
        INSERT INTO products_words(products_words, rowid, name, sku, description)
        VALUES ('delete', old.seq, old.name, old.sku, old.description);
        INSERT INTO products_words(rowid, name, sku, description)
        VALUES (new.seq, new.name, new.sku, new.description);
    END",
];

const POSTGRES: &[&str] = &[
    // Signs become spaces, so that PAO-001 is two words and not a word and a negative number.
    "CREATE FUNCTION alcada_words(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
        SELECT lower(translate(coalesce(value, ''),
            'áàâãäåÁÀÂÃÄÅéèêëÉÈÊËíìîïÍÌÎÏóòôõöÓÒÔÕÖúùûüÚÙÛÜçÇñÑýÿÝ-_./\\:;,@#&+*=|<>()[]{}\"''!?%~^',
            'aaaaaaAAAAAAeeeeEEEEiiiiIIIIoooooOOOOOuuuuUUUUcCnNyyY                              '))
    $$",
    "ALTER TABLE products ADD COLUMN words tsvector GENERATED ALWAYS AS (
        setweight(to_tsvector('simple', alcada_words(name)), 'A') ||
        setweight(to_tsvector('simple', alcada_words(sku)), 'A') ||
        setweight(to_tsvector('simple', alcada_words(description)), 'D')) STORED",
    "CREATE INDEX products_words ON products USING gin (words)",
];
