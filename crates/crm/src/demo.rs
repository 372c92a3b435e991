//! Demo data: a bakery with customers, deals, tasks, products and conversations. Nobody in it exists. Safe to repeat:
//! what is there is left as it is.

mod rows;

use domain::{
    ContactId, PipelineId, TenantId,
    crm::{
        Channel, ContactIn, ConversationIn, DealIn, DealStatus, MessageIn, PipelineIn, PipelineOut,
        ProductIn, Stage, TaskIn,
    },
};
use rows::{CONTACTS, CONVERSATIONS, DEALS, PIPELINES, PRODUCTS};
use store::{
    Moment, StoreResult, WriteTx,
    crm::{Hold, contacts, conversations, deals, messages, pipelines, products, tasks},
};
use time::Duration;

pub async fn demo(tx: &WriteTx, tenant: TenantId) -> StoreResult<()> {
    let mut funnels = Vec::new();
    for (name, stages) in PIPELINES {
        funnels.push(pipeline(tx, tenant, name, stages).await?.id);
    }
    for row in CONTACTS {
        contact(tx, tenant, row).await?;
    }
    for row in DEALS {
        deal(tx, tenant, &funnels, row).await?;
    }
    for row in PRODUCTS {
        product(tx, tenant, row).await?;
    }
    for row in CONVERSATIONS {
        conversation(tx, tenant, row).await?;
    }
    Ok(())
}

async fn pipeline(
    tx: &WriteTx,
    tenant: TenantId,
    name: &str,
    stages: &[(&str, &str)],
) -> StoreResult<PipelineOut> {
    if let Some(known) = pipelines::find_by_name(tx, tenant, name).await? {
        return Ok(known);
    }
    let stage = |(slug, name): &(&str, &str)| Stage { slug: (*slug).to_owned(), name: (*name).to_owned() };
    let input = PipelineIn { name: name.to_owned(), stages: stages.iter().map(stage).collect() };
    pipelines::insert(tx, tenant, &input).await
}

async fn contact(tx: &WriteTx, tenant: TenantId, row: &rows::Contact) -> StoreResult<()> {
    if contacts::find_named(tx, tenant, row.key, Hold::Free).await?.is_some() {
        return Ok(());
    }
    let input = ContactIn {
        name: row.name.to_owned(),
        email: Some(format!("{}@example.com", row.key)),
        phone: Some(row.phone.to_owned()),
        status: row.status,
        tags: row.tags.iter().map(|tag| (*tag).to_owned()).collect(),
        notes: row.notes.map(str::to_owned),
        external_id: Some(row.key.to_owned()),
    };
    let made = contacts::insert(tx, tenant, &input).await?;
    if let Some(title) = row.task {
        task(tx, tenant, made.id, title).await?;
    }
    Ok(())
}

async fn task(tx: &WriteTx, tenant: TenantId, contact: ContactId, title: &str) -> StoreResult<()> {
    let input = TaskIn {
        title: title.to_owned(),
        due_at: Some(Moment::now().plus(Duration::days(3)).into()),
        contact_id: Some(contact),
        ..TaskIn::default()
    };
    tasks::insert(tx, tenant, &input, "demo").await?;
    Ok(())
}

async fn deal(tx: &WriteTx, tenant: TenantId, funnels: &[PipelineId], row: &rows::Deal) -> StoreResult<()> {
    let known = deals::find_named(tx, tenant, row.key, Hold::Free).await?.is_some();
    let Some(pipeline_id) = funnels.get(row.pipeline).copied().filter(|_| !known) else {
        return Ok(());
    };
    let contact = contacts::find_named(tx, tenant, row.contact, Hold::Free).await?;
    let input = DealIn {
        title: row.title.to_owned(),
        contact_id: contact.map(|contact| contact.id),
        pipeline_id,
        stage: None,
        value_cents: row.value_cents,
        currency: "BRL".to_owned(),
        status: DealStatus::Open,
        external_id: Some(row.key.to_owned()),
    };
    deals::insert(tx, tenant, &input, row.stage).await?;
    Ok(())
}

async fn product(
    tx: &WriteTx,
    tenant: TenantId,
    (sku, name, price_cents, description): &(&str, &str, i64, &str),
) -> StoreResult<()> {
    if products::find_by_sku(tx, tenant, sku).await?.is_some() {
        return Ok(());
    }
    let input = ProductIn {
        name: (*name).to_owned(),
        sku: Some((*sku).to_owned()),
        description: Some((*description).to_owned()),
        price_cents: *price_cents,
        currency: "BRL".to_owned(),
        is_active: true,
    };
    products::insert(tx, tenant, &input).await?;
    Ok(())
}

async fn conversation(tx: &WriteTx, tenant: TenantId, row: &rows::Conversation) -> StoreResult<()> {
    if conversations::find_named(tx, tenant, row.key, Hold::Free).await?.is_some() {
        return Ok(());
    }
    let contact = contacts::find_named(tx, tenant, row.contact, Hold::Free).await?;
    let input = ConversationIn {
        contact_id: contact.as_ref().map(|contact| contact.id),
        channel: Channel::Whatsapp,
        status: row.status,
        subject: Some(row.subject.to_owned()),
        external_id: Some(row.key.to_owned()),
        ..ConversationIn::default()
    };
    let made = conversations::insert(tx, tenant, &input, None).await?;
    for (direction, author, text) in row.messages {
        let message = MessageIn { direction: *direction, text: (*text).to_owned(), ..MessageIn::default() };
        messages::insert(tx, tenant, made.id, &message, author).await?;
    }
    Ok(())
}
