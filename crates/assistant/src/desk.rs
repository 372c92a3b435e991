//! Where turns of conversations are handed in to be written. Those who wait at the same time share one commit, as calls
//! of tools do (ADR 0018): a menu is durable before it is shown, and costs a small part of a durable write.

use domain::{ErrorCode, ServiceError, ServiceResult};
use store::{
    Database,
    assistant::{Turn, write_all},
};
use tokio::sync::{mpsc, oneshot};

const MOST_IN_ONE: usize = 256;
const QUEUE: usize = 4_096;

type Handed = (Turn, oneshot::Sender<ServiceResult<bool>>);

pub(crate) struct Desk(mpsc::Sender<Handed>);

impl Desk {
    pub(crate) fn start(db: &Database) -> Self {
        let (queue, handed) = mpsc::channel(QUEUE);
        tokio::spawn(write(db.clone(), handed));
        Self(queue)
    }

    /// Answers when it is durable; false, when somebody else moved the conversation first.
    pub(crate) async fn write(&self, turn: Turn) -> ServiceResult<bool> {
        let (reply, answer) = oneshot::channel();
        let closed = || ServiceError::new(ErrorCode::Unavailable, "The server is stopping.");
        self.0.send((turn, reply)).await.map_err(|_| closed())?;
        answer.await.map_err(|_| closed())?
    }
}

/// Runs as long as somebody can hand something in.
async fn write(db: Database, mut handed: mpsc::Receiver<Handed>) {
    let mut waiting = Vec::with_capacity(MOST_IN_ONE);
    while handed.recv_many(&mut waiting, MOST_IN_ONE).await > 0 {
        let (turns, replies): (Vec<Turn>, Vec<_>) = waiting.drain(..).unzip();
        match commit(&db, turns).await {
            // Whoever gave up meanwhile does not mind.
            Ok(written) => written.into_iter().zip(replies).for_each(|(is_in_time, reply)| {
                let _ = reply.send(Ok(is_in_time));
            }),
            Err(error) => replies.into_iter().for_each(|reply| {
                let _ = reply.send(Err(error.clone()));
            }),
        }
    }
}

async fn commit(db: &Database, turns: Vec<Turn>) -> ServiceResult<Vec<bool>> {
    let tx = db.begin().await?;
    let written = write_all(&tx, turns).await?;
    db.commit(tx, &[]).await?;
    Ok(written)
}
