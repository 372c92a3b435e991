// Contacts, deals, tasks, products, conversations and scheduled messages: one pattern, each with its own fields.

import type { Page } from '@playwright/test';
import { inAMonth } from '../fixtures/ahead';
import { alive } from '../fixtures/alive';
import type { Texts } from '../fixtures/catalogue';
import { askButton, confirm } from '../fixtures/frame';
import type { Installation, Person } from '../fixtures/installation';
import { expect, test } from '../fixtures/journey';
import { ALL_MODES, WITH_AND_WITHOUT_SCRIPTS } from '../fixtures/modes';

const PAYLOAD = `"><script>window.__xss=1</script><img src=x onerror="window.__xss=1">`;
const KINDS = ['contacts', 'pipeline', 'pipelines', 'tasks', 'products', 'conversations', 'scheduled'];

async function ownerOf(site: Installation): Promise<Person> {
  return site.person({ role: 'owner', tenant: await site.tenant(site.unique('Oficina')) });
}

async function save(page: Page, t: Texts): Promise<void> {
  // The word of an earlier save may still stand there: the answer to this one is awaited.
  const answered = page.waitForResponse((response) => response.request().method() === 'POST');
  await page.getByRole('region', { name: t('record_details') }).getByRole('button', { name: t('save') }).click();
  await answered;
  await expect(page.getByRole('status').filter({ hasText: t('saved') }).first()).toBeVisible();
  await alive(page);
}

for (const mode of ALL_MODES) {
  test.describe(mode.title, () => {
    test.use(mode.use);

    test('T13 a contact is made, found, changed and deleted', async ({ open, console, site, t }) => {
      console.expectRefusal(422, 404);
      const page = await open('/contacts', { as: await ownerOf(site) });
      await expect(page.getByText(t('record_empty.Contacts'))).toBeVisible();
      await page.getByRole('link', { name: t('record_new.Contacts') }).click();
      await expect(page).toHaveURL('/contacts/new');
      await alive(page);
      await page.getByLabel(t('crm_name'), { exact: true }).fill('Ana Souza');
      await page.getByLabel(t('crm_phone')).fill('123');
      await page.getByRole('button', { name: t('save') }).click();
      await expect(page.getByRole('alert')).toContainText(t('crm_phone'));
      await alive(page);
      await page.getByLabel(t('crm_name'), { exact: true }).fill('Ana Souza');
      await page.getByLabel(t('crm_phone')).fill('+55 (11) 98888-7777');
      await page.getByLabel(t('crm_tags')).fill('vip, atacado');
      await page.getByLabel(t('crm_notes')).fill('Primeira linha\nsegunda <b>linha</b> & mais');
      await save(page, t);
      await expect(page).toHaveURL(/\/contacts\/[0-9a-f-]{36}$/);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Ana Souza');
      await expect(page.getByLabel(t('crm_phone'))).toHaveValue('+5511988887777');
      await expect(page.getByLabel(t('crm_notes'))).toHaveValue('Primeira linha\nsegunda <b>linha</b> & mais');

      await page.getByLabel(t('crm_status')).selectOption('customer');
      await page.getByLabel(t('crm_notes')).fill('');
      await save(page, t);
      await page.goto('/contacts?q=ana');
      await alive(page);
      const row = page.getByRole('row', { name: 'Ana Souza' });
      await expect(row).toContainText(t('contact_status.Customer'));
      await expect(row).toContainText('vip, atacado');
      await page.getByRole('combobox', { name: t('crm_status') }).selectOption('lost');
      await page.getByRole('button', { name: t('search'), exact: true }).click();
      await expect(page).toHaveURL(/status=lost/);
      await expect(page.getByText(t('record_nothing_title'))).toBeVisible();
      await alive(page);

      await page.goto('/contacts');
      await alive(page);
      await page.getByRole('link', { name: 'Ana Souza' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Ana Souza');
      await alive(page);
      await expect(page.getByLabel(t('crm_notes'))).toHaveValue('');
      await confirm(page, t('delete'), 'Ana Souza', t('record_delete_title', 'Ana Souza'));
      await expect(page).toHaveURL('/contacts');
      await expect(page.getByText(t('record_empty.Contacts'))).toBeVisible();
      await alive(page);
    });

    test('a task has its time in the zone of the person', async ({ open, site, t }) => {
      const owner = await ownerOf(site);
      const contact = await site.api<{ id: string }>(owner, 'POST', '/contacts', { name: 'Ana Souza' });
      const page = await open(`/contacts/${contact.id}`, { as: owner });
      await page.getByRole('link', { name: t('record_new.Tasks') }).click();
      await expect(page).toHaveURL(`/tasks/new?contact=${contact.id}`);
      await alive(page);
      await expect(page.getByLabel(t('crm_contact'))).toHaveValue(contact.id);
      await page.getByLabel(t('crm_title'), { exact: true }).fill('Ligar para a Ana');
      await page.getByLabel(t('crm_due')).fill('2027-03-10T15:30');
      await page.getByLabel(t('crm_assignee')).selectOption({ label: owner.name });
      await save(page, t);
      await expect(page.getByLabel(t('crm_due'))).toHaveValue('2027-03-10T15:30');
      const { data } = await site.api<{ data: { due_at: string; contact_id: string }[] }>(owner, 'GET', '/tasks');
      // São Paulo is three hours behind UTC; a browser without scripts says UTC beside the field.
      expect(data[0]!.due_at).toBe(mode.javaScriptEnabled ? '2027-03-10T18:30:00Z' : '2027-03-10T15:30:00Z');
      expect(data[0]!.contact_id).toBe(contact.id);
      await page.goto('/tasks');
      await alive(page);
      await expect(page.getByRole('row', { name: 'Ligar para a Ana' })).toContainText('Ana Souza');
      await page.goto(`/contacts/${contact.id}`);
      await expect(page.getByRole('region', { name: t('crm_tasks') })).toContainText('Ligar para a Ana');
      await alive(page);
    });

    test('T13 a product is changed, and what was not changed stays', async ({ open, site, t }) => {
      const owner = await ownerOf(site);
      const product = { name: 'Pão de queijo', sku: 'PQ-1', price_cents: 650 };
      const { id } = await site.api<{ id: string }>(owner, 'POST', '/products', product);
      const page = await open('/products', { as: owner });
      await page.getByRole('link', { name: 'Pão de queijo' }).click();
      await expect(page).toHaveURL(`/products/${id}`);
      await alive(page);
      await expect(page.getByLabel(t('crm_sku'))).toHaveValue('PQ-1');
      await page.getByLabel(t('crm_name'), { exact: true }).fill('Pão de queijo grande');
      await page.getByLabel(t('crm_price')).fill('1.234,50');
      await save(page, t);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Pão de queijo grande');
      const kept = await site.api<{ name: string; price_cents: number; sku: string }>(owner, 'GET', `/products/${id}`);
      expect(kept).toMatchObject({ name: 'Pão de queijo grande', price_cents: 123_450, sku: 'PQ-1' });
      await page.goto('/products');
      await alive(page);
      const row = page.getByRole('row', { name: 'Pão de queijo grande' });
      await expect(row).toContainText(t('deal_status.Open') === 'Open' ? 'BRL 1,234.50' : 'R$ 1.234,50');
    });

    test('stages, then a deal that moves through them', async ({ open, site, t }) => {
      const page = await open('/pipelines/new', { as: await ownerOf(site) });
      await page.getByLabel(t('crm_name'), { exact: true }).fill('Vendas');
      await page.getByLabel(t('crm_stages')).fill('Novo\nProposta enviada\nfechado: Fechado');
      await save(page, t);
      await expect(page.getByLabel(t('crm_stages'))).toHaveValue(
        'novo: Novo\nproposta-enviada: Proposta enviada\nfechado: Fechado',
      );
      await page.goto('/pipeline/new');
      await alive(page);
      await page.getByLabel(t('crm_title'), { exact: true }).fill('Bolo de casamento');
      await page.getByLabel(t('crm_stage'), { exact: true }).selectOption({ label: 'Vendas · Novo' });
      await page.getByLabel(t('crm_value')).fill('1.234,50');
      await save(page, t);
      await expect(page).toHaveURL(/\/pipeline\/[0-9a-f-]{36}/);
      await page.getByLabel(t('crm_stage'), { exact: true }).selectOption({ label: 'Vendas · Proposta enviada' });
      await save(page, t);
      await page.goto('/pipeline');
      await alive(page);
      const row = page.getByRole('row', { name: 'Bolo de casamento' });
      await expect(row).toContainText('Proposta enviada');
      await expect(row).toContainText(t('deal_status.Open') === 'Open' ? 'BRL 1,234.50' : 'R$ 1.234,50');
    });
  });
}

for (const mode of WITH_AND_WITHOUT_SCRIPTS) {
  test.describe(mode.title, () => {
    test.use(mode.use);

    test('a conversation takes notes, a message waits and is cancelled', async ({ open, site, t }) => {
      const owner = await ownerOf(site);
      await site.api(owner, 'POST', '/contacts', { name: 'Ana Souza', phone: '+5511988887777' });
      const page = await open('/conversations/new', { as: owner });
      await page.getByLabel(t('crm_subject')).fill('Encomenda de sábado');
      await page.getByLabel(t('crm_contact')).selectOption({ label: 'Ana Souza' });
      await save(page, t);
      await page.getByRole('textbox', { name: t('record_note') }).fill('Cliente prefere ligação.');
      await page.getByRole('button', { name: t('record_note_submit') }).click();
      const said = page.getByRole('table', { name: t('crm_messages') });
      await expect(said).toContainText('Cliente prefere ligação.');
      await expect(said).toContainText(t('message_direction.Note'));
      await alive(page);

      await page.goto('/scheduled/new');
      await alive(page);
      await page.getByLabel(t('crm_contact')).selectOption({ label: 'Ana Souza' });
      await page.getByLabel(t('crm_text'), { exact: true }).fill('Sua encomenda está pronta.');
      await page.getByLabel(t('crm_send_at')).fill(inAMonth());
      await save(page, t);
      await expect(page.getByRole('main')).toContainText(t('scheduled_status.Scheduled'));
      await confirm(page, t('record_cancel'), 'Sua encomenda está pronta.', t('record_cancel_title'));
      await expect(page).toHaveURL('/scheduled');
      const row = page.getByRole('row', { name: 'Sua encomenda está pronta.' });
      await expect(row).toContainText(t('scheduled_status.Cancelled'));
      await alive(page);
    });

    test('D5 each role sees the controls that it may use', async ({ open, site, t }) => {
      const tenant = await site.tenant(site.unique('Oficina'));
      const owner = await site.person({ role: 'owner', tenant });
      const product = { name: 'Pão de queijo', price_cents: 650 };
      const { id } = await site.api<{ id: string }>(owner, 'POST', '/products', product);
      for (const [role, writes, deletes] of [
        ['manager', true, true],
        ['operator', true, false],
        ['viewer', false, false],
        ['auditor', false, false],
      ] as const) {
        const page = await open('/products', { as: await site.person({ role, tenant }) });
        await expect(page.getByRole('row', { name: product.name }), role).toBeVisible();
        await expect(page.getByRole('link', { name: t('record_new.Products') }), role).toHaveCount(writes ? 1 : 0);
        await page.goto(`/products/${id}`);
        await alive(page);
        await expect(page.getByRole('main'), role).toContainText(product.name);
        await expect(page.getByRole('button', { name: t('save') }), role).toHaveCount(writes ? 1 : 0);
        await expect(askButton(page, t('delete'), product.name), role).toHaveCount(deletes ? 1 : 0);
        await page.context().close();
      }
    });
  });
}

test('S9 stored script is only text, in every field of every record', async ({ open, site }) => {
  test.slow(); // every page of every kind, twice
  const owner = await ownerOf(site);
  const make = <T>(path: string, body: object) => site.api<T>(owner, 'POST', path, body);
  const contact = await make<{ id: string }>('/contacts', {
    name: PAYLOAD, phone: '+5511988887777', tags: [`<img src=x>${'x'}`], notes: `</textarea>${PAYLOAD}`, external_id: PAYLOAD,
  });
  const stages = [{ slug: 'a', name: PAYLOAD }];
  const pipeline = await make<{ id: string }>('/pipelines', { name: PAYLOAD, stages });
  const contact_id = contact.id;
  const records: Record<string, string> = { contacts: contact_id, pipelines: pipeline.id };
  const deal = { title: PAYLOAD, pipeline_id: pipeline.id, contact_id, external_id: PAYLOAD };
  records.pipeline = (await make<{ id: string }>('/deals', deal)).id;
  const task = { title: PAYLOAD, description: `</textarea>${PAYLOAD}`, contact_id };
  records.tasks = (await make<{ id: string }>('/tasks', task)).id;
  const product = { name: PAYLOAD, sku: '"><b>', description: `</textarea>${PAYLOAD}`, price_cents: 1 };
  records.products = (await make<{ id: string }>('/products', product)).id;
  const conversation = { subject: PAYLOAD, channel: 'web', contact_id, resolution: `</textarea>${PAYLOAD}` };
  records.conversations = (await make<{ id: string }>('/conversations', conversation)).id;
  await make(`/conversations/${records.conversations}/messages`, { direction: 'inbound', author: PAYLOAD, text: PAYLOAD });
  const message = { contact_id, channel: 'web', text: PAYLOAD, send_at: `${inAMonth()}:00Z` };
  records.scheduled = (await make<{ id: string }>('/scheduled-messages', message)).id;

  const page = await open('/contacts', { as: owner });
  for (const kind of KINDS) {
    for (const path of [`/${kind}`, `/${kind}/${records[kind]}`, `/${kind}/new`]) {
      const bytes = await (await site.raw(path, owner)).text();
      expect(bytes, path).not.toContain('<script>window.__xss');
      expect(bytes, path).not.toContain('<img src=x');
      await page.goto(path);
      await alive(page);
      expect(await page.evaluate(() => '__xss' in window), path).toBe(false);
      await expect(page.locator('img[src="x"]'), path).toHaveCount(0);
    }
  }
  await page.goto(`/contacts?q=${encodeURIComponent(PAYLOAD)}`);
  await alive(page);
  expect(await page.evaluate(() => '__xss' in window)).toBe(false);
});

test('a record that is not there, or another organisation’s, is said to be missing', async ({ open, console, site, t }) => {
  console.expectRefusal(404);
  const theirs = await site.api<{ id: string }>(await ownerOf(site), 'POST', '/contacts', { name: 'Deles' });
  const page = await open(`/contacts/${theirs.id}`, { as: await ownerOf(site) });
  await expect(page.getByRole('alert')).toContainText(t('error_code.NotFound'));
  await expect(page.getByRole('main')).not.toContainText('Deles');
  await page.goto('/tasks/nothing');
  await expect(page.getByRole('alert')).toContainText(t('error_code.NotFound'));
});
