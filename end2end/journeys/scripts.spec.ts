// Script in every text that people can store: shown as typed, never run.

import type { Page } from '@playwright/test';
import { alive } from '../fixtures/alive';
import { expect, test } from '../fixtures/journey';
import { rowOf, switchWithReason } from '../fixtures/tools';

const PAYLOAD = `"><script>window.__xss=1</script><img src=x onerror="window.__xss=1">`;

async function isHarmless(page: Page): Promise<void> {
  await alive(page);
  expect(await page.evaluate(() => '__xss' in window), page.url()).toBe(false);
  await expect(page.locator('img[src="x"]'), page.url()).toHaveCount(0);
}

test('S9 stored script is only text, on every page that shows it', async ({ open, console, site, t }) => {
  console.expectRefusal(422);
  const tenant = await site.tenant(`${PAYLOAD} ${site.unique('x')}`);
  const person = await site.person({ isAdmin: true, role: 'owner', tenant });
  const page = await open('/account', { as: person });
  await page.getByLabel(t('name'), { exact: true }).fill(PAYLOAD);
  await page.getByRole('button', { name: t('save') }).click();
  await expect(page.getByRole('status').filter({ hasText: t('saved') })).toBeVisible();
  await isHarmless(page);

  await page.goto('/admin/tools');
  await alive(page);
  await switchWithReason(page, 'save_tv_show', PAYLOAD, t);
  await expect(rowOf(page, 'save_tv_show'), 'shown as typed, who and why').toContainText(PAYLOAD);
  await isHarmless(page);

  await page.goto('/admin/tenants');
  await alive(page);
  await page.getByLabel(t('name'), { exact: true }).fill(`${PAYLOAD} Ltda`);
  await page.getByLabel(t('tenant_slug')).fill(site.unique('script'));
  await page.getByRole('button', { name: t('tenant_create_submit') }).click();
  await expect(page.getByRole('cell', { name: `${PAYLOAD} Ltda` })).toBeVisible();
  await isHarmless(page);

  await page.goto('/members');
  await alive(page);
  // The browser's own check of the field would keep the address from being sent.
  await page.evaluate(() => [...document.forms].forEach((form) => (form.noValidate = true)));
  await page.getByLabel(t('email'), { exact: true }).fill(`${PAYLOAD}@example.org`);
  await page.getByRole('button', { name: t('invite_submit') }).click();
  await expect(page.getByRole('alert'), 'no address has this form').toContainText(t('field_code.Invalid'));
  await isHarmless(page);

  for (const path of ['', 'account', 'members', 'admin/tools', 'admin/tenants', 'admin/users', 'admin/explain']) {
    await page.goto(`/${path}`);
    await isHarmless(page);
  }
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('greeting', PAYLOAD));
  await isHarmless(page);
  const { url } = await site.call<{ url: string }>(person, 'invite_member', { email: 'x@example.org', role: 'viewer' });
  await isHarmless(await open(url));
  await site.call(site.admin, 'switch_global_tool', { tool_name: 'save_tv_show', enabled: 'true' });
});

test('S9 script in the address is only text', async ({ open, console, site }) => {
  console.expectRefusal(404, 400);
  const script = encodeURIComponent(PAYLOAD);
  const page = await open('/', { as: site.admin });
  for (const path of [`admin/tools?q=${script}`, `admin/users?q=${script}`, `admin/explain?email=${script}`, script]) {
    await page.goto(`/${path}`);
    await isHarmless(page);
  }
  for (const path of [`/login?next=${script}`, `/invite/${script}`, `/login?__path=%2Ffn%2Fsign_in&__err=${script}`]) {
    await isHarmless(await open(path));
  }
});
