//! tower-sessions in our own table. The cookie's secret is kept only as a hash: who reads the table cannot sign in.

use crate::{Database, Moment, StoreError, StoreResult, entity::sessions};
use async_trait::async_trait;
use sea_orm::{ActiveValue::Set, ColumnTrait, EntityTrait, QueryFilter, sea_query::Expr};
use sha2::{Digest, Sha256};
use time::Duration;
use tower_sessions::{
    SessionStore,
    session::{Id, Record},
    session_store,
};
use uuid::Uuid;

/// The entry of a session that names its person.
pub const SESSION_USER: &str = "user_id";
/// A session that nobody uses for this long ends.
pub const SESSION_LIFETIME: Duration = Duration::days(7);
/// However much it is used, it ends after this.
pub(crate) const LONGEST_LIFETIME: Duration = Duration::days(30);

#[derive(Clone, Debug)]
pub struct SeaOrmSessionStore(Database);

impl SeaOrmSessionStore {
    pub fn new(db: Database) -> Self {
        Self(db)
    }

    /// The hash under which a session is kept.
    pub fn secret_hash(id: Id) -> String {
        Sha256::digest(id.0.to_le_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
    }

    async fn insert(&self, record: &Record) -> StoreResult<()> {
        let now = Moment::now();
        let text = |name: &str| record.data.get(name).and_then(|value| value.as_str()).map(str::to_owned);
        let row = sessions::ActiveModel {
            id: Set(Uuid::now_v7()),
            secret_hash: Set(Self::secret_hash(record.id)),
            user_id: Set(user_of(record)),
            data: Set(encode(record)?),
            expires_at: Set(record.expiry_date.into()),
            created_at: Set(now),
            last_seen_at: Set(now),
            address: Set(text("address")),
            user_agent: Set(text("user_agent")),
        };
        let tx = self.0.begin().await?;
        sessions::Entity::insert(row).exec_without_returning(&tx).await?;
        self.0.commit(tx, &[]).await
    }

    /// Only changes a session that is still there: one that was revoked meanwhile stays dead.
    async fn update(&self, record: &Record) -> StoreResult<()> {
        let tx = self.0.begin().await?;
        sessions::Entity::update_many()
            .col_expr(sessions::Column::Data, Expr::value(encode(record)?))
            .col_expr(sessions::Column::UserId, Expr::value(user_of(record)))
            .col_expr(sessions::Column::ExpiresAt, Expr::value(Moment::from(record.expiry_date).0))
            .filter(sessions::Column::SecretHash.eq(Self::secret_hash(record.id)))
            .exec(&tx)
            .await?;
        self.0.commit(tx, &[]).await
    }

    async fn find(&self, id: Id) -> StoreResult<Option<Record>> {
        let row = sessions::Entity::find()
            .filter(sessions::Column::SecretHash.eq(Self::secret_hash(id)))
            .filter(sessions::Column::ExpiresAt.gt(Moment::now()))
            .one(self.0.reader())
            .await?;
        let Some(row) = row.filter(|row| !row.created_at.plus(LONGEST_LIFETIME).is_past()) else {
            return Ok(None);
        };
        let data = serde_json::from_str(&row.data).map_err(|error| StoreError::Corrupt(error.to_string()))?;
        Ok(Some(Record { id, data, expiry_date: row.expires_at.into() }))
    }

    async fn remove(&self, id: Id) -> StoreResult<()> {
        let tx = self.0.begin().await?;
        let secret = sessions::Column::SecretHash.eq(Self::secret_hash(id));
        sessions::Entity::delete_many().filter(secret).exec(&tx).await?;
        self.0.commit(tx, &[]).await
    }
}

fn user_of(record: &Record) -> Option<Uuid> {
    record.data.get(SESSION_USER).and_then(|value| value.as_str()).and_then(|id| id.parse().ok())
}

fn encode(record: &Record) -> StoreResult<String> {
    serde_json::to_string(&record.data).map_err(|error| StoreError::Corrupt(error.to_string()))
}

fn backend(error: StoreError) -> session_store::Error {
    session_store::Error::Backend(error.to_string())
}

#[async_trait]
impl SessionStore for SeaOrmSessionStore {
    async fn create(&self, record: &mut Record) -> session_store::Result<()> {
        // 128 random bits do not collide; should they, the unique index refuses and a new id is drawn.
        while let Err(error) = self.insert(record).await {
            match error {
                StoreError::Duplicate => record.id = Id::default(),
                other => return Err(backend(other)),
            }
        }
        Ok(())
    }

    async fn save(&self, record: &Record) -> session_store::Result<()> {
        self.update(record).await.map_err(backend)
    }

    async fn load(&self, id: &Id) -> session_store::Result<Option<Record>> {
        self.find(*id).await.map_err(backend)
    }

    async fn delete(&self, id: &Id) -> session_store::Result<()> {
        self.remove(*id).await.map_err(backend)
    }
}
