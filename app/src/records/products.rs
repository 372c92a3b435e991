//! Products.

use super::{Asked, Desk, parts};
use crate::{
    api::{
        described::{FieldKind, Given, choice, field},
        records::{CellKind, RecordForm, RecordKind, RecordList, RecordRow},
    },
    texts::Texts,
};
use domain::{
    ProductId, ServiceResult,
    crm::{ProductIn, ProductOut, ProductPatch, ProductQuery},
};

pub const FIELDS: &[&str] = &["name", "sku", "description", "price", "currency", "is_active"];

pub async fn list(desk: &Desk<'_>, asked: Asked) -> ServiceResult<RecordList> {
    let t = desk.t;
    let is_active = match asked.status.as_str() {
        "on" => Some(true),
        "off" => Some(false),
        _ => None,
    };
    let query = ProductQuery { limit: None, cursor: asked.cursor(), is_active, q: asked.q() };
    let list = desk.crm.list_products(&desk.visitor.tenant_permit()?, query).await?;
    let states = vec![choice("on", t.product_on()), choice("off", t.product_off())];
    Ok(RecordList {
        columns: [t.crm_sku(), t.crm_price(), t.crm_status(), t.crm_updated()].map(str::to_owned).into(),
        rows: list.data.into_iter().map(|product| row(t, product)).collect(),
        next_cursor: list.next_cursor,
        filter: parts::filter(t, t.crm_status(), &asked.status, states),
        has_search: true,
    })
}

fn row(t: Texts, product: ProductOut) -> RecordRow {
    let (tone, state) =
        if product.is_active { (CellKind::On, t.product_on()) } else { (CellKind::Plain, t.product_off()) };
    RecordRow {
        href: Some(format!("{}/{}", RecordKind::Products.path(), product.id)),
        cells: vec![
            parts::text(product.sku.unwrap_or_default()),
            parts::number(parts::money(t, product.price_cents, &product.currency)),
            parts::state(tone, state),
            parts::moment(Some(&product.updated_at)),
        ],
        title: product.name,
        detail: product.description.map(|text| text.chars().take(120).collect()).unwrap_or_default(),
    }
}

pub async fn form(desk: &Desk<'_>, id: Option<ProductId>) -> ServiceResult<RecordForm> {
    let product = match id {
        None => None,
        Some(id) => Some(desk.crm.find_product(&desk.visitor.tenant_permit()?, id).await?),
    };
    let (t, product) = (desk.t, product.as_ref());
    let text = |of: fn(&ProductOut) -> Option<String>| product.and_then(of).unwrap_or_default();
    let price = product.map(|product| parts::amount(t, product.price_cents)).unwrap_or_default();
    let currency = product.map_or_else(|| "BRL".to_owned(), |product| product.currency.clone());
    let is_active = product.is_none_or(|product| product.is_active);
    let fields = vec![
        field(FieldKind::Line, "name", t.crm_name(), text(|p| Some(p.name.clone()))).required(),
        field(FieldKind::Line, "sku", t.crm_sku(), text(|p| p.sku.clone())),
        field(FieldKind::Money, "price", t.crm_price(), price).required(),
        field(FieldKind::Line, "currency", t.crm_currency(), currency).required().hint(t.crm_currency_hint()),
        field(FieldKind::Paragraph, "description", t.crm_description(), text(|p| p.description.clone())),
        field(FieldKind::Check, "is_active", t.product_is_active(), if is_active { "true" } else { "" }),
    ];
    Ok(RecordForm {
        title: text(|p| Some(p.name.clone())),
        seen_version: product.map_or(0, |product| product.version),
        fields,
        facts: product
            .map(|product| vec![parts::fact(t.crm_created(), &product.created_at)])
            .unwrap_or_default(),
        is_open: true,
        related: Vec::new(),
        takes_notes: false,
    })
}

pub async fn save(
    desk: &Desk<'_>,
    id: Option<ProductId>,
    given: Given,
    seen: Option<i64>,
) -> ServiceResult<String> {
    let required = || domain::FieldError::new("price", domain::FieldCode::Required);
    let input = ProductIn {
        name: given.required("name")?,
        sku: given.text("sku"),
        description: given.text("description"),
        price_cents: given.cents("price")?.ok_or_else(required)?,
        currency: given.required("currency")?.trim().to_uppercase(),
        is_active: given.is_checked("is_active"),
    };
    let Some(id) = id else {
        return Ok(desk.crm.create_product(&desk.visitor.tenant_permit()?, input).await?.id.to_string());
    };
    let patch = ProductPatch {
        name: Some(input.name),
        sku: Some(input.sku),
        description: Some(input.description),
        price_cents: Some(input.price_cents),
        currency: Some(input.currency),
        is_active: Some(input.is_active),
    };
    Ok(desk.crm.update_product(&desk.visitor.tenant_permit()?, id, patch, seen).await?.id.to_string())
}
