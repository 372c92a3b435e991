// The record: who changed what, whether the chain holds, and taking it away.

import { alive } from '../fixtures/alive';
import { navigation } from '../fixtures/frame';
import { expect, test } from '../fixtures/journey';
import { ALL_MODES } from '../fixtures/modes';

const PAYLOAD = `"><script>window.__xss=1</script><img src=x onerror="window.__xss=1">`;

for (const mode of ALL_MODES) {
  test.describe(mode.title, () => {
    test.use(mode.use);

    test('B4 an auditor reads what changed, before and after', async ({ open, site, t }) => {
      const tenant = await site.tenant(site.unique('Oficina'));
      const owner = await site.person({ role: 'owner', tenant });
      await site.call(owner, 'put_secret', { name: 'ERP_TOKEN', value: 'um valor que ninguém lê' });
      await site.call(owner, 'set_limits', { 'fields[confirmation_minutes]': '15' });
      await site.call(owner, 'put_channel', { kind: 'events', 'fields[url]': 'https://example.com/' });
      const page = await open('/', { as: await site.person({ role: 'auditor', tenant }) });
      await navigation(page, t).getByRole('link', { name: t('nav_audit') }).click();
      await expect(page).toHaveURL('/audit');
      await alive(page);

      const row = page.getByRole('row').filter({ hasText: 'limits.update' });
      await expect(row).toContainText(owner.name);
      await row.locator('summary').click();
      const change = row.getByRole('row').filter({ hasText: 'confirmation_lifetime_seconds' });
      await expect(change).toContainText('3600');
      await expect(change).toContainText('900');

      await page.getByLabel(t('audit_area_label')).selectOption('secret');
      await page.getByRole('button', { name: t('filter'), exact: true }).click();
      await expect(page).toHaveURL(/\/audit\?.*area=secret/);
      await expect(page.getByText('secret.create')).toBeVisible();
      await expect(page.getByText('limits.update')).toHaveCount(0);
      await alive(page);
      await page.reload();
      await expect(page.getByText('limits.update'), 'the filter is the address').toHaveCount(0);
      await alive(page);
      expect(await page.content(), 'a secret is not on the record').not.toContain('ninguém lê');
      await page.getByLabel(t('audit_actor')).fill('nobody at all');
      await page.getByRole('button', { name: t('filter'), exact: true }).click();
      await expect(page.getByText(t('audit_empty_title'))).toBeVisible();
      await alive(page);
    });

    test('B4 the chain is verified on demand, and exported', async ({ open, site, t }) => {
      const tenant = await site.tenant(site.unique('Oficina'));
      const auditor = await site.person({ role: 'auditor', tenant });
      const page = await open('/audit', { as: auditor });
      await page.getByRole('button', { name: t('audit_verify') }).click();
      await expect(page.getByRole('status').filter({ hasText: t('audit_holds', '1') })).toBeVisible();
      await alive(page);
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: t('audit_export') }).click(),
      ]);
      expect(download.suggestedFilename()).toBe('alcada-audit.jsonl');
      const lines = (await (await site.raw('/api/v1/audit/export', auditor)).text()).trim().split('\n');
      expect(JSON.parse(lines[0]!)).toHaveProperty('format', 'alcada-audit/1');
      expect(lines.length).toBeGreaterThan(1);
    });

    test('page after page, and back to the newest', async ({ open, site, t }) => {
      const tenant = await site.tenant(site.unique('Oficina'));
      const owner = await site.person({ role: 'owner', tenant });
      for (let n = 0; n < 60; n += 1) {
        await site.call(owner, 'put_secret', { name: `S_${n}`, value: 'um valor' });
      }
      const page = await open('/audit?area=secret', { as: owner });
      const subject = (name: string) => page.getByRole('link', { name, exact: true });
      await expect(subject('S_59')).toBeVisible();
      await page.getByRole('link', { name: t('page_older') }).click();
      await expect(subject('S_0')).toBeVisible();
      await expect(subject('S_59')).toHaveCount(0);
      await expect(page.getByRole('link', { name: t('page_older') })).toHaveCount(0);
      await alive(page);
      await page.getByRole('link', { name: t('page_newest') }).click();
      await expect(subject('S_59')).toBeVisible();
      await alive(page);
    });
  });
}

test('S9 stored script is only text on the record', async ({ open, site }) => {
  const tenant = await site.tenant(site.unique('Oficina'));
  const owner = await site.person({ role: 'owner', tenant });
  await site.call(owner, 'rename_me', { name: PAYLOAD });
  await site.call(owner, 'create_api_key', { name: PAYLOAD, role: 'viewer' });
  const page = await open('/audit', { as: owner });
  await expect(page.getByRole('cell', { name: PAYLOAD }).first()).toBeVisible();
  await page.goto(`/audit?actor=${encodeURIComponent(PAYLOAD)}&subject=${encodeURIComponent(PAYLOAD)}`);
  await alive(page);
  for (const path of ['/audit', '/settings/api-keys']) {
    await page.goto(path);
    await alive(page);
    expect(await page.evaluate(() => '__xss' in window), path).toBe(false);
    await expect(page.locator('img[src="x"]'), path).toHaveCount(0);
  }
  expect(await (await site.raw('/audit', owner)).text()).not.toContain('<script>window.__xss');
});

test('D5 the record is for owners and auditors', async ({ site }) => {
  const tenant = await site.tenant(site.unique('Oficina'));
  for (const [role, status] of [['owner', 200], ['auditor', 200], ['manager', 303], ['operator', 303], ['viewer', 303]] as const) {
    expect((await site.raw('/audit', await site.person({ role, tenant }))).status, role).toBe(status);
  }
});
