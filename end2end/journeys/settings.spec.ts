// The settings of an organisation: keys, secrets, ways to the outside, limits.

import type { Page } from '@playwright/test';
import { alive } from '../fixtures/alive';
import { confirm, navigation } from '../fixtures/frame';
import type { Installation, Person, Role } from '../fixtures/installation';
import { expect, test } from '../fixtures/journey';
import { ALL_MODES, WITH_AND_WITHOUT_SCRIPTS } from '../fixtures/modes';

const PAYLOAD = `"><script>window.__xss=1</script><img src=x onerror="window.__xss=1">`;

async function ownerOf(site: Installation): Promise<Person> {
  return site.person({ role: 'owner', tenant: await site.tenant(site.unique('Oficina')) });
}

/** What a plain form says on the next page, a living page says in the corner. */
async function said(page: Page, words: string): Promise<void> {
  await expect(page.getByRole('status').filter({ hasText: words }).first()).toBeVisible();
  await alive(page);
}

for (const mode of ALL_MODES) {
  test.describe(mode.title, () => {
    test.use(mode.use);

    test('an API key is shown once, works, and is dead when revoked', async ({ open, site, t }) => {
      const owner = await ownerOf(site);
      const page = await open('/settings/api-keys', { as: owner });
      await expect(page.getByText(t('api_keys_empty_title'))).toBeVisible();
      await page.getByLabel(t('api_key_name')).fill('Integração do ERP');
      await page.getByLabel(t('role'), { exact: true }).selectOption('viewer');
      await page.getByLabel(t('api_key_expires')).selectOption('30');
      await page.getByRole('button', { name: t('api_key_submit') }).click();
      const secret = page.getByRole('textbox', { name: t('secret_value') });
      await expect(secret).toBeVisible();
      await alive(page);
      const key = await secret.inputValue();
      expect(key).toMatch(/^alc_/);
      const call = () => fetch(`${site.server.url}/api/v1/tools`, { headers: { authorization: `Bearer ${key}` } });
      expect((await call()).status).toBe(200);

      const row = page.getByRole('row', { name: 'Integração do ERP' });
      await expect(row).toContainText(t('tenant_role.Viewer'));
      await expect(row).toContainText(key.slice(0, 12));
      await page.reload();
      await alive(page);
      await expect(secret, 'the key is shown once').toHaveCount(0);
      expect(await page.content()).not.toContain(key);

      await confirm(page, t('revoke'), 'Integração do ERP', t('api_key_revoke_title', 'Integração do ERP'));
      await expect(row).toContainText(t('api_key_revoked'));
      expect((await call()).status).toBe(401);
    });

    test('S24 a key of an agent says what its role means, and which it cannot have', async ({ open, console, site, t }) => {
      console.expectRefusal(422);
      const owner = await ownerOf(site);
      await site.api(owner, 'POST', '/agents', { name: 'Vendas', slug: 'vendas', tool_confirmation_mode: 'never' });
      const page = await open('/settings/api-keys', { as: owner });
      const role = page.getByLabel(t('role'), { exact: true });
      await expect(role).toHaveValue('operator');
      await expect(page.getByText(t('api_key_role_hint'))).toBeVisible();
      const create = async (wanted: string) => {
        await page.getByLabel(t('api_key_name')).fill('Agente de vendas');
        await role.selectOption(wanted);
        await page.getByLabel(t('api_key_agent')).selectOption({ label: 'Vendas' });
        await page.getByRole('button', { name: t('api_key_submit') }).click();
      };
      await create('viewer');
      await expect(page.getByText(t('api_key_role_refused')), 'beside the field').toBeVisible();
      await alive(page);
      await create('operator');
      await expect(page.getByRole('row', { name: 'Agente de vendas' })).toContainText('Vendas');
      await expect(page.getByText(t('api_key_role_refused'))).toHaveCount(0);
      await alive(page);
    });

    test('a secret goes in and never comes out', async ({ open, console, site, t }) => {
      console.expectRefusal(422);
      const page = await open('/settings/secrets', { as: await ownerOf(site) });
      await expect(page.getByText(t('secrets_empty_title'))).toBeVisible();
      const form = page.getByRole('region', { name: t('secret_new') });
      await form.getByLabel(t('secret_name')).fill('1nvalid');
      await form.getByLabel(t('secret_value')).fill('um valor que ninguém lê');
      await form.getByRole('button', { name: t('secret_submit') }).click();
      await expect(page.getByRole('alert')).toContainText(t('field_code.Invalid'));
      await alive(page);
      await form.getByLabel(t('secret_name')).fill('ERP_TOKEN');
      await form.getByLabel(t('secret_value')).fill('um valor que ninguém lê');
      await form.getByRole('button', { name: t('secret_submit') }).click();
      await said(page, t(mode.javaScriptEnabled ? 'secret_saved' : 'saved'));
      const row = page.getByRole('row', { name: 'ERP_TOKEN' });
      await expect(row).toContainText(t('secret_used_by_none'));
      await page.reload();
      await alive(page);
      expect(await page.content(), 'the value is nowhere in the page').not.toContain('ninguém lê');

      await row.getByText(t('secret_replace'), { exact: true }).click();
      await row.getByRole('textbox').fill('outro valor');
      await row.getByRole('button', { name: t('save') }).click();
      await said(page, t(mode.javaScriptEnabled ? 'secret_saved' : 'saved'));
      await confirm(page, t('delete'), 'ERP_TOKEN', t('secret_delete_title', 'ERP_TOKEN'));
      await expect(page.getByText(t('secrets_empty_title'))).toBeVisible();
    });

    test('a mail server is set up, tested and removed', async ({ open, console, site, t }) => {
      console.expectRefusal(422);
      const page = await open('/settings/channels', { as: await ownerOf(site) });
      const email = t('channel_name.Email');
      await page.getByRole('link', { name: t('channel_open_named', t('channel_set_up'), email), exact: true }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(email);
      await alive(page);
      const form = page.getByRole('region', { name: t('channel_settings') });
      await form.getByLabel(t('mail_host')).fill('mail.example.invalid');
      await form.getByLabel(t('mail_username')).fill('padaria');
      await form.getByLabel(t('mail_from'), { exact: true }).fill('padaria@example.org');
      await form.getByRole('button', { name: t('save') }).click();
      await expect(page.getByRole('alert'), 'a user needs a password').toContainText(t('mail_password'));
      await alive(page);
      await form.getByLabel(t('mail_host')).fill('mail.example.invalid');
      await form.getByLabel(t('mail_username')).fill('padaria');
      await form.getByLabel(t('mail_password')).fill('senha do correio');
      await form.getByLabel(t('mail_from'), { exact: true }).fill('padaria@example.org');
      await form.getByRole('button', { name: t('save') }).click();
      await said(page, t('saved'));
      await expect(form.getByLabel(t('mail_port'))).toHaveValue('587');
      expect(await page.content()).not.toContain('senha do correio');

      // The password stays when it is left empty.
      await form.getByLabel(t('mail_from_name')).fill(PAYLOAD);
      await form.getByRole('button', { name: t('save') }).click();
      await said(page, t('saved'));
      await expect(form.getByLabel(t('mail_from_name'))).toHaveValue(PAYLOAD);
      expect(await page.evaluate(() => '__xss' in window)).toBe(false);

      await page.getByRole('button', { name: t('channel_test') }).click();
      await expect(page.getByRole('alert')).toContainText(t('test_failed'), { timeout: 30_000 });
      await alive(page);
      await confirm(page, t('remove'), email, t('channel_remove_title', email));
      await said(page, t(mode.javaScriptEnabled ? 'channel_removed' : 'saved'));
      await page.goto('/settings/channels');
      await expect(page.getByRole('row', { name: email }).first()).toContainText(t('channel_off'));
      await alive(page);
    });

    test('S1 an address inside is refused, and the operator reads which setting opens it', async ({ open, console, site, t }) => {
      console.expectRefusal(422);
      const page = await open('/settings/channels/events', { as: await ownerOf(site) });
      await page.getByLabel(t('channel_url')).fill('https://10.0.0.1/eventos');
      await page.getByRole('button', { name: t('save') }).click();
      await expect(page.getByRole('alert')).toContainText(t('field_code.OutOfReach'));
      await expect(page.getByRole('alert')).toContainText('ALCADA_EGRESS_ALLOW');
      await alive(page);
    });

    test('T17 limits are kept, and a wrong one is refused at its field', async ({ open, console, site, t }) => {
      console.expectRefusal(422);
      const page = await open('/settings/limits', { as: await ownerOf(site) });
      await expect(page.getByLabel(t('limit_lifetime'))).toHaveValue('60');
      await page.getByLabel(t('limit_lifetime')).fill('15');
      await page.getByLabel(t('limit_calls')).fill('100');
      await page.getByLabel(t('limit_window')).fill('60');
      await page.getByRole('button', { name: t('save') }).click();
      await said(page, t('saved'));
      await page.reload();
      await alive(page);
      await expect(page.getByLabel(t('limit_lifetime'))).toHaveValue('15');
      await expect(page.getByLabel(t('limit_calls'))).toHaveValue('100');
      await page.getByLabel(t('limit_lifetime')).fill('20000');
      await page.getByRole('button', { name: t('save') }).click();
      await expect(page.getByRole('alert')).toContainText(t('limit_lifetime'));
      await alive(page);
    });
  });
}

for (const mode of WITH_AND_WITHOUT_SCRIPTS) {
  test.describe(mode.title, () => {
    test.use(mode.use);

    test('the webhook for events has a signing secret that is shown once and changed', async ({ open, site, t }) => {
      const page = await open('/settings/channels/events', { as: await ownerOf(site) });
      await page.getByLabel(t('channel_url')).fill('https://example.com/eventos');
      await page.getByRole('button', { name: t('save') }).click();
      const secret = page.getByRole('textbox', { name: t('secret_value') });
      await expect(secret).toHaveValue(/^whsec_/);
      await alive(page);
      const first = await secret.inputValue();
      await page.getByRole('button', { name: t('channel_rotate') }).click();
      await expect(secret).not.toHaveValue(first);
      await expect(secret).toHaveValue(/^whsec_/);
      await alive(page);
    });

    test('D5 each role has the settings that it may use, and no other', async ({ open, site, t }) => {
      const parts: Record<Role, string[]> = {
        owner: ['members', 'api-keys', 'secrets', 'channels', 'limits'],
        manager: ['secrets', 'channels', 'limits'],
        operator: ['limits'],
        viewer: ['limits'],
        auditor: ['secrets', 'channels', 'limits'],
      };
      const tenant = await site.tenant(site.unique('Oficina'));
      for (const [role, own] of Object.entries(parts) as [Role, string[]][]) {
        const person = await site.person({ role, tenant });
        const page = await open('/settings', { as: person });
        await expect(navigation(page, t).getByRole('link', { name: t('nav_settings') })).toBeVisible();
        const links = await page.getByRole('main').getByRole('listitem').getByRole('link').evaluateAll((all) =>
          all.map((link) => link.getAttribute('href')!.split('/').at(-1)!),
        );
        expect(links, role).toEqual(['account', ...own]);
        for (const path of ['api-keys', 'secrets', 'channels', 'channels/email', 'limits']) {
          const status = (await site.raw(`/settings/${path}`, person)).status;
          expect(status, `${role} ${path}`).toBe(own.includes(path.split('/')[0]!) ? 200 : 303);
        }
      }
    });

    test('whoever may only read sees no form', async ({ open, site, t }) => {
      const tenant = await site.tenant(site.unique('Oficina'));
      const owner = await site.person({ role: 'owner', tenant });
      await site.call(owner, 'put_secret', { name: 'ERP_TOKEN', value: 'um valor que ninguém lê' });
      await site.call(owner, 'put_channel', { kind: 'events', 'fields[url]': 'https://example.com/eventos' });
      const page = await open('/settings/secrets', { as: await site.person({ role: 'auditor', tenant }) });
      await expect(page.getByRole('row', { name: 'ERP_TOKEN' })).toBeVisible();
      for (const path of ['secrets', 'channels/events', 'limits']) {
        await page.goto(`/settings/${path}`);
        await alive(page);
        await expect(page.getByRole('main').getByRole('button'), path).toHaveCount(0);
        await expect(page.getByRole('main').getByRole('textbox'), path).toHaveCount(0);
      }
      await page.goto('/settings/channels/events');
      await expect(page.getByRole('main')).toContainText('https://example.com/eventos');
      await alive(page);
      await page.goto('/settings/limits');
      await expect(page.getByRole('main')).toContainText(t('limit_lifetime'));
      await alive(page);
    });
  });
}

test('D5 a role that may not change is refused behind the page too', async ({ site }) => {
  const tenant = await site.tenant(site.unique('Oficina'));
  const auditor = await site.person({ role: 'auditor', tenant });
  const calls: [string, Record<string, string>][] = [
    ['create_api_key', { name: 'x', role: 'owner' }],
    ['list_api_keys', {}],
    ['put_secret', { name: 'X', value: 'xxxxx' }],
    ['delete_secret', { name: 'X' }],
    ['put_channel', { kind: 'events', 'fields[url]': 'https://example.com/' }],
    ['test_channel', { kind: 'events' }],
    ['rotate_channel_secret', { kind: 'events' }],
    ['delete_channel', { kind: 'events' }],
    ['set_limits', { 'fields[confirmation_minutes]': '5' }],
  ];
  for (const [name, fields] of calls) {
    await expect(site.call(auditor, name, fields), name).rejects.toThrow('answered 403');
  }
  const owner = await site.person({ role: 'owner', tenant });
  await expect(site.call(owner, 'set_limits', { 'fields[tenant_id]': 'x' })).rejects.toThrow('answered 422');
});
