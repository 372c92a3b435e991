//! What the sender of scheduled messages relies on.

use super::{contact, manager, tenant};
use domain::crm::{Channel, ScheduledMessageIn, ScheduledStatus};
use store::{
    Moment,
    crm::{
        Hold,
        scheduled_messages::{self, Outcome, claim, due, fail_stuck, finish},
    },
};
use time::Duration;

#[tokio::test]
async fn a_message_is_taken_once_and_finished_once() {
    let (app, manager) = manager().await;
    let (db, tenant) = (&app.services.db, tenant(&app).await);
    let input = ScheduledMessageIn {
        contact_id: contact(&manager, "Ana").await.parse().unwrap(),
        channel: Channel::Whatsapp,
        text: "Oi".to_owned(),
        send_at: Moment::now().plus(Duration::hours(1)).into(),
    };
    let tx = db.begin().await.unwrap();
    let made = scheduled_messages::insert(&tx, tenant, &input, None).await.unwrap();
    db.commit(tx, &[]).await.unwrap();
    assert!(due(db.reader(), Moment::now(), 10).await.unwrap().is_empty(), "not yet");
    let later = Moment::now().plus(Duration::hours(2));
    let waiting = due(db.reader(), later, 10).await.unwrap();
    assert_eq!((waiting.len(), waiting[0].tenant, &waiting[0].message), (1, tenant, &made));

    let tx = db.begin().await.unwrap();
    assert!(!finish(&tx, made.id, Outcome::Sent).await.unwrap(), "nobody took it");
    assert!(claim(&tx, made.id).await.unwrap());
    assert!(!claim(&tx, made.id).await.unwrap(), "once");
    assert!(!scheduled_messages::cancel(&tx, tenant, made.id).await.unwrap(), "on its way");
    let again = Outcome::Again { at: later, error: "busy".to_owned() };
    assert!(finish(&tx, made.id, again).await.unwrap());
    assert!(claim(&tx, made.id).await.unwrap());
    assert!(finish(&tx, made.id, Outcome::Sent).await.unwrap());
    let sent = scheduled_messages::find(&tx, tenant, made.id, Hold::Free).await.unwrap().unwrap();
    assert_eq!((sent.status, sent.attempts, sent.last_error), (ScheduledStatus::Sent, 2, None));
    assert!(sent.sent_at.is_some());
    db.commit(tx, &[]).await.unwrap();
}

#[tokio::test]
async fn what_was_interrupted_fails_and_is_not_sent_again() {
    let (app, manager) = manager().await;
    let (db, tenant) = (&app.services.db, tenant(&app).await);
    let input = ScheduledMessageIn {
        contact_id: contact(&manager, "Ana").await.parse().unwrap(),
        channel: Channel::Whatsapp,
        text: "Oi".to_owned(),
        send_at: Moment::now().into(),
    };
    let tx = db.begin().await.unwrap();
    let made = scheduled_messages::insert(&tx, tenant, &input, None).await.unwrap();
    assert!(claim(&tx, made.id).await.unwrap());
    assert_eq!(fail_stuck(&tx, Moment::now().plus(Duration::hours(-1))).await.unwrap(), 0, "still at it");
    assert_eq!(fail_stuck(&tx, Moment::now().plus(Duration::hours(1))).await.unwrap(), 1);
    let failed = scheduled_messages::find(&tx, tenant, made.id, Hold::Free).await.unwrap().unwrap();
    assert_eq!(failed.status, ScheduledStatus::Failed);
    db.commit(tx, &[]).await.unwrap();
    assert!(due(db.reader(), Moment::now(), 10).await.unwrap().is_empty());
}
