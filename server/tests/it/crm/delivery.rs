//! What the sender of scheduled messages relies on.

use super::{contact, manager, tenant};
use domain::{
    TenantId,
    channel::ChannelKind,
    crm::{Channel, ScheduledMessageIn, ScheduledMessageOut, ScheduledStatus},
};
use store::{
    Moment, WriteTx,
    crm::{
        Hold,
        scheduled_messages::{self, Claim, Due, Outcome, claim, due, finish, interrupted},
    },
};
use time::Duration;
use uuid::Uuid;

async fn find(tx: &WriteTx, tenant: TenantId, made: &ScheduledMessageOut) -> ScheduledMessageOut {
    scheduled_messages::find(tx, tenant, made.id, Hold::Free).await.unwrap().unwrap()
}

#[tokio::test]
async fn t13_a_message_is_taken_once_and_finished_once() {
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
    assert!(due(db.reader(), tenant, Moment::now(), 10).await.unwrap().is_empty(), "not yet");
    let later = Moment::now().plus(Duration::hours(2));
    let waiting = due(db.reader(), tenant, later, 10).await.unwrap().remove(0);
    assert_eq!((waiting.tenant, &waiting.message), (tenant, &made));

    let (tx, me) = (db.begin().await.unwrap(), Uuid::now_v7());
    let via = Some(ChannelKind::Webhook);
    assert!(!finish(&tx, Claim { id: made.id, attempt: 0 }, &Outcome::Sent).await.unwrap(), "nobody took it");
    let first = claim(&tx, &waiting, via, me).await.unwrap().unwrap();
    assert_eq!(claim(&tx, &waiting, via, me).await.unwrap(), None, "once");
    assert!(!scheduled_messages::cancel(&tx, tenant, made.id).await.unwrap(), "on its way");
    let again = Outcome::Again { at: later, error: "busy".to_owned() };
    assert!(finish(&tx, first, &again).await.unwrap());
    assert_eq!(claim(&tx, &waiting, via, me).await.unwrap(), None, "that was seen before the attempt");
    let waiting = Due { message: find(&tx, tenant, &made).await, ..waiting };
    assert_eq!(waiting.message.send_at, made.send_at, "its own moment stays");
    let second = claim(&tx, &waiting, via, me).await.unwrap().unwrap();
    assert!(!finish(&tx, first, &Outcome::Sent).await.unwrap(), "too late: another attempt is being made");
    assert!(finish(&tx, second, &Outcome::Sent).await.unwrap());
    let sent = find(&tx, tenant, &made).await;
    assert_eq!((sent.status, sent.attempts, sent.last_error), (ScheduledStatus::Sent, 2, None));
    assert!(sent.sent_at.is_some());
    db.commit(tx, &[]).await.unwrap();
}

#[tokio::test]
async fn t13_only_what_a_process_that_is_gone_was_sending_is_interrupted() {
    let (app, manager) = manager().await;
    let (db, tenant) = (&app.services.db, tenant(&app).await);
    let input = ScheduledMessageIn {
        contact_id: contact(&manager, "Ana").await.parse().unwrap(),
        channel: Channel::Whatsapp,
        text: "Oi".to_owned(),
        send_at: Moment::now().into(),
    };
    let running = store::processes::others(db.reader(), Uuid::nil()).await.unwrap().remove(0).id;
    let tx = db.begin().await.unwrap();
    let made = scheduled_messages::insert(&tx, tenant, &input, None).await.unwrap();
    let waiting = Due { tenant, message: made, via: None };
    let gone = Uuid::now_v7();
    for (process, left) in [(running, 0), (gone, 1)] {
        let claim = claim(&tx, &waiting, Some(ChannelKind::Whatsapp), process).await.unwrap().unwrap();
        assert_eq!(interrupted(&tx, Uuid::nil(), 10).await.unwrap().len(), left);
        assert_eq!(interrupted(&tx, process, 10).await.unwrap().len(), 0, "one's own is still at it");
        let again = Outcome::Again { at: Moment::now(), error: "x".to_owned() };
        assert!(finish(&tx, claim, &again).await.unwrap());
        if left == 0 {
            let message = scheduled_messages::find(&tx, tenant, claim.id, Hold::Free).await.unwrap().unwrap();
            assert_eq!(message.attempts, 1);
            scheduled_messages_reset(&tx).await;
        }
    }
}

async fn scheduled_messages_reset(tx: &WriteTx) {
    use sea_orm::ConnectionTrait;
    tx.execute_unprepared("UPDATE scheduled_messages SET attempts = 0").await.unwrap();
}
