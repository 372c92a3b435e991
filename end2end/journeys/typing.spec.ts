// D6: nothing that was typed is lost: not when the session ends, the network drops, the server refuses, or the tab reloads.

import type { Page } from '@playwright/test';
import { alive } from '../fixtures/alive';
import type { Texts } from '../fixtures/catalogue';
import { signIn, signOut } from '../fixtures/frame';
import type { Installation, Person } from '../fixtures/installation';
import { expect, test } from '../fixtures/journey';
import { makeAgent, makeTool, ownerOfTheirOwn } from '../fixtures/toolbox';

const description = (page: Page, t: Texts) => page.getByLabel(t('description'), { exact: true });
const save = (page: Page, t: Texts) => page.getByRole('button', { name: t('save'), exact: true });
const restored = (page: Page, t: Texts) => page.getByText(t('draft_restored'));

/** A contact; where its page is. */
async function makeContact(site: Installation, person: Person, name: string): Promise<string> {
  const fields = { kind: 'contacts', id: 'new', 'fields[name]': name };
  return (await site.call<{ href: string }>(person, 'save_record', fields)).href;
}

/** Somebody else changes its name, whatever they saw. */
async function rename(site: Installation, person: Person, path: string, name: string): Promise<void> {
  const fields = { kind: 'contacts', id: path.split('/').pop() ?? '', overwrite: 'true', 'fields[name]': name };
  await site.call(person, 'save_record', fields);
}

/** The server forgets every session of this browser. */
async function endSession(page: Page): Promise<void> {
  await page.context().clearCookies();
}

for (const locale of ['pt-BR', 'en-US']) {
  test.describe(locale, () => {
    test.use({ locale });

    test('D6 the session ends while somebody types: sign in elsewhere and send again', async ({ open, console, site, t }) => {
      console.expectRefusal(401);
      const owner = await ownerOfTheirOwn(site);
      const page = await open(`/tools/${await makeTool(site, owner, 'sessao')}`, { as: owner });
      await description(page, t).fill('Escrita com calma');
      await endSession(page);
      await save(page, t).click();
      const alert = page.getByRole('alert').filter({ hasText: t('error_code.Unauthenticated') });
      await expect(alert).toContainText(t('typed_is_kept'));
      await expect(alert).toBeInViewport();
      const [other] = await Promise.all([
        page.context().waitForEvent('page'),
        alert.getByRole('link', { name: t('sign_in_elsewhere') }).click(),
      ]);
      await signIn(other, owner, t);
      await expect(other).toHaveURL('/');
      await expect(description(page, t)).toHaveValue('Escrita com calma');
      await save(page, t).click();
      await expect(page.getByRole('status').filter({ hasText: t('tool_saved', '2') })).toBeVisible();
      await expect(alert).toHaveCount(0);
      await page.reload();
      await alive(page);
      await expect(description(page, t)).toHaveValue('Escrita com calma');
      await expect(restored(page, t), 'what was saved is no draft').toHaveCount(0);
    });

    test('D6 led away to sign in, the draft is there on return', async ({ open, site, t }) => {
      const owner = await ownerOfTheirOwn(site);
      const page = await open(`/agents/${await makeAgent(site, owner, 'Rascunho')}`, { as: owner });
      await page.getByLabel(t('agent_persona')).fill('Fala como gente');
      await endSession(page);
      await page.reload();
      await alive(page);
      await expect(page).toHaveURL(/\/login\?next=/);
      await signIn(page, owner, t);
      await expect(page).toHaveURL(/\/agents\//);
      await alive(page);
      await expect(restored(page, t)).toBeVisible();
      await expect(page.getByLabel(t('agent_persona'))).toHaveValue('Fala como gente');
      await page.getByRole('button', { name: t('draft_discard') }).click();
      await expect(restored(page, t)).toHaveCount(0);
      await alive(page);
      await expect(page.getByLabel(t('agent_persona'))).toHaveValue('');
    });
  });
}

test('D6 a new tool survives a reload, with its code; secrets do not', async ({ open, site, t }) => {
  const owner = await ownerOfTheirOwn(site);
  const page = await open('/tools/new?kind=webhook', { as: owner });
  await page.getByLabel(t('tool_display_name')).fill('Meio pronta');
  await page.getByLabel(t('webhook_headers')).fill('Authorization: Bearer segredo-de-verdade');
  await page.getByLabel(t('requires_confirmation'), { exact: true }).check();
  await page.getByRole('button', { name: t('param_add') }).click();
  await page.reload();
  await alive(page);
  await expect(restored(page, t)).toBeVisible();
  await expect(page.getByLabel(t('tool_display_name'))).toHaveValue('Meio pronta');
  await expect(page.getByLabel(t('requires_confirmation'), { exact: true })).toBeChecked();
  await expect(page.getByLabel(`${t('param_name')}: ${t('param_word')}_1`)).toHaveValue(`${t('param_word')}_1`);
  await expect(page.getByLabel(t('webhook_headers'))).toHaveValue('');
  const stored = await page.evaluate(() => JSON.stringify({ ...sessionStorage }));
  expect(stored).toContain('Meio pronta');
  expect(stored).not.toContain('segredo-de-verdade');
  await page.goto('/tools/new?kind=code');
  await alive(page);
  await expect(restored(page, t), 'another form').toHaveCount(0);
  await page.getByRole('textbox', { name: t('tool_code'), exact: true }).fill('export default () => 42;');
  await page.reload();
  await alive(page);
  await expect(page.getByRole('textbox', { name: t('tool_code'), exact: true })).toHaveValue('export default () => 42;');
  await expect(page.locator('.code-paint'), 'the colours follow').toContainText('42');
  await page.getByRole('link', { name: t('cancel') }).click();
  await page.goto('/tools/new?kind=code');
  await alive(page);
  await expect(restored(page, t), 'given up').toHaveCount(0);
});

test('D6 the network drops: the form stays, and goes when it is back', async ({ open, console, site, t }) => {
  const owner = await ownerOfTheirOwn(site);
  const page = await open('/contacts/new', { as: owner });
  await page.getByLabel(t('crm_name')).fill('Dona Lurdes');
  console.expectLoss();
  await page.route('**/fn/save_record', (route) => route.abort('internetdisconnected'));
  await save(page, t).click();
  await expect(page.getByRole('alert')).toContainText(t('typed_is_kept'));
  await expect(page.getByLabel(t('crm_name'))).toHaveValue('Dona Lurdes');
  await page.unroute('**/fn/save_record');
  await save(page, t).click();
  await expect(page).toHaveURL(/\/contacts\/(?!new)/);
  await page.goto('/contacts/new');
  await alive(page);
  await expect(page.getByLabel(t('crm_name'))).toHaveValue('');
});

test('D6 a draft is one person’s, and signing out forgets it', async ({ open, site, t }) => {
  const owner = await ownerOfTheirOwn(site);
  const page = await open('/contacts/new', { as: owner });
  await page.getByLabel(t('crm_name')).fill('Só minha');
  await endSession(page);
  await page.goto('/login?next=/contacts/new');
  await alive(page);
  await signIn(page, await ownerOfTheirOwn(site), t);
  await expect(page).toHaveURL('/contacts/new');
  await alive(page);
  await expect(page.getByLabel(t('crm_name'))).toHaveValue('');
  await signOut(page, t);
  expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain('Só minha');
});

test('D6 a draft of an older version does not write over a newer one', async ({ open, console, site, t }) => {
  console.expectRefusal(409);
  const owner = await ownerOfTheirOwn(site);
  const id = await makeTool(site, owner, 'antiga');
  const page = await open(`/tools/${id}`, { as: owner });
  await description(page, t).fill('A minha');
  await site.call(owner, 'update_tool', { tool_id: id, seen_version: '1', 'tool[description]': 'A de outra pessoa' });
  // Twice: what is put back is kept as it was, with its version.
  for (const time of ['first', 'second']) {
    await page.reload();
    await alive(page);
    await expect(restored(page, t), time).toBeVisible();
    await expect(description(page, t), time).toHaveValue('A minha');
  }
  await save(page, t).click();
  await expect(page.getByText(t('conflict_title'))).toBeVisible();
  await page.getByLabel(t('conflict_overwrite')).check();
  await save(page, t).click();
  await expect(page.getByRole('status').filter({ hasText: t('tool_saved', '3') })).toBeVisible();
  await description(page, t).fill('A minha, mais tarde');
  await save(page, t).click();
  await expect(page.getByRole('status').filter({ hasText: t('tool_saved', '4') }), 'from the version that was saved').toBeVisible();
});

test('D6 so it is with an agent, and what says nothing new is no draft', async ({ open, console, site, t }) => {
  console.expectRefusal(409);
  const owner = await ownerOfTheirOwn(site);
  const id = await makeAgent(site, owner, 'Antigo');
  const page = await open(`/agents/${id}`, { as: owner });
  const persona = page.getByLabel(t('agent_persona'));
  const change = (version: string, text: string) =>
    site.call(owner, 'update_agent', {
      agent_id: id,
      seen_version: version,
      'agent[name]': 'Antigo',
      'agent[mode]': 'dangerous',
      'agent[persona]': text,
    });
  await persona.fill('Igual à de outra pessoa');
  await change('1', 'Igual à de outra pessoa');
  await page.reload();
  await alive(page);
  await expect(restored(page, t)).toHaveCount(0);
  await persona.fill('A minha');
  await change('2', 'A de outra pessoa');
  await page.reload();
  await alive(page);
  await expect(restored(page, t)).toBeVisible();
  await expect(persona).toHaveValue('A minha');
  await save(page, t).click();
  await expect(page.getByText(t('conflict_title'))).toBeVisible();
});

test('D6 a draft of a record does not write over what somebody else saved', async ({ open, console, site, t }) => {
  console.expectRefusal(409);
  const owner = await ownerOfTheirOwn(site);
  const path = await makeContact(site, owner, 'Ana');
  const page = await open(path, { as: owner });
  const name = page.getByLabel(t('crm_name'));
  await name.fill('A minha');
  await rename(site, owner, path, 'A de outra pessoa');
  await page.reload();
  await alive(page);
  await expect(restored(page, t)).toBeVisible();
  await save(page, t).click();
  await expect(page.getByText(t('conflict_title'))).toBeVisible();
  await expect(page.getByRole('link', { name: t('conflict_look') })).toHaveAttribute('href', path);
  await expect(name).toHaveValue('A minha');
  await page.getByLabel(t('conflict_overwrite')).check();
  await save(page, t).click();
  await expect(page.getByRole('status').filter({ hasText: t('record_saved') })).toBeVisible();
  await expect(page.getByText(t('conflict_title'))).toHaveCount(0);
  await name.fill('A minha, mais tarde');
  await save(page, t).click();
  await expect(page.getByRole('heading', { name: 'A minha, mais tarde' }), 'from the version that was saved').toBeVisible();
});

test('D6 limits that were half typed are there after a reload, and gone when they are saved', async ({ open, site, t }) => {
  const page = await open('/settings/limits', { as: await ownerOfTheirOwn(site) });
  await page.getByLabel(t('limit_lifetime')).fill('45');
  await page.reload();
  await alive(page);
  await expect(restored(page, t)).toBeVisible();
  await expect(page.getByLabel(t('limit_lifetime'))).toHaveValue('45');
  await save(page, t).click();
  await expect(page.getByRole('status').filter({ hasText: t('saved') })).toBeVisible();
  await page.reload();
  await alive(page);
  await expect(page.getByLabel(t('limit_lifetime'))).toHaveValue('45');
  await expect(restored(page, t), 'what was saved is no draft').toHaveCount(0);
});

test('D6 a record that was half written is there after a reload', async ({ open, site, t }) => {
  const owner = await ownerOfTheirOwn(site);
  const page = await open('/contacts/new', { as: owner });
  await page.getByLabel(t('crm_name')).fill('Dona Lurdes');
  await page.reload();
  await alive(page);
  await expect(restored(page, t)).toBeVisible();
  await expect(page.getByLabel(t('crm_name'))).toHaveValue('Dona Lurdes');
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('D6 an old page of a record shows what was typed and asks whose it will be', async ({ open, site, t }) => {
    const owner = await ownerOfTheirOwn(site);
    const path = await makeContact(site, owner, 'Ana');
    const page = await open(path, { as: owner });
    await page.getByLabel(t('crm_name')).fill('A minha');
    await rename(site, owner, path, 'A de outra pessoa');
    await save(page, t).click();
    await expect(page.getByText(t('conflict_title'))).toBeVisible();
    await expect(page.getByLabel(t('crm_name'))).toHaveValue('A minha');
    await page.getByLabel(t('conflict_overwrite')).check();
    await save(page, t).click();
    await expect(page.getByText(t('conflict_title'))).toHaveCount(0);
    await expect(page.getByRole('heading', { name: 'A minha' })).toBeVisible();
  });

  test('D6 the session ends while somebody types: it is there after signing in again', async ({ open, site, t }) => {
    const owner = await ownerOfTheirOwn(site);
    const page = await open('/agents/new', { as: owner });
    await page.getByLabel(t('name'), { exact: true }).fill('Lurdes');
    await page.getByLabel(t('agent_persona')).fill('Fala como gente');
    await endSession(page);
    await page.getByRole('button', { name: t('agent_make') }).click();
    await expect(page).toHaveURL(/\/login\?next=/);
    await signIn(page, owner, t);
    await expect(page).toHaveURL('/agents/new');
    await expect(page.getByText(t('typed_is_back'))).toBeVisible();
    await expect(page.getByLabel(t('agent_persona'))).toHaveValue('Fala como gente');
  });

  test('D6 what somebody typed is not there for the next who signs in', async ({ open, site, t }) => {
    const owner = await ownerOfTheirOwn(site);
    const page = await open('/contacts/new', { as: owner });
    await page.getByLabel(t('crm_name')).fill('Só minha');
    await endSession(page);
    await save(page, t).click();
    await expect(page).toHaveURL(/\/login\?next=/);
    await signIn(page, await ownerOfTheirOwn(site), t);
    await expect(page).toHaveURL('/contacts/new');
    await expect(page.getByLabel(t('crm_name'))).toHaveValue('');
    expect(await page.content()).not.toContain('Só minha');
  });

  test('D6 a refused plain form shows what was typed: records, limits, channels', async ({ open, site, t }) => {
    const owner = await ownerOfTheirOwn(site);
    const page = await open('/contacts/new', { as: owner });
    await page.getByLabel(t('crm_name')).fill('Dona Lurdes');
    await page.getByLabel(t('crm_phone')).fill('não é telefone');
    await save(page, t).click();
    await expect(page.getByRole('alert')).toBeVisible();
    await expect(page.getByLabel(t('crm_name'))).toHaveValue('Dona Lurdes');
    await expect(page.getByLabel(t('crm_phone'))).toHaveValue('não é telefone');

    await page.goto('/settings/limits');
    await page.getByLabel(t('limit_lifetime')).fill('muitos');
    await save(page, t).click();
    await expect(page.getByRole('alert')).toBeVisible();
    await expect(page.getByLabel(t('limit_lifetime'))).toHaveValue('muitos');

    await page.goto('/settings/channels/email');
    await page.getByLabel(t('mail_host')).fill('correio.example.org');
    await page.getByLabel(t('mail_from'), { exact: false }).first().fill('ana@example.org');
    await page.getByLabel(t('mail_port')).fill('muitas');
    await page.getByLabel(t('mail_password')).fill('senha-que-ninguem-guarda');
    await save(page, t).click();
    await expect(page.getByRole('alert')).toBeVisible();
    await expect(page.getByLabel(t('mail_host'))).toHaveValue('correio.example.org');
    expect(await page.content()).not.toContain('senha-que-ninguem-guarda');
  });
});
