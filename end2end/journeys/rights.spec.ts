// Rights taken away while a page is open.

import type { Page } from '@playwright/test';
import { alive, listening } from '../fixtures/alive';
import type { Texts } from '../fixtures/catalogue';
import { confirm, navigation } from '../fixtures/frame';
import type { Person } from '../fixtures/installation';
import { expect, test } from '../fixtures/journey';
import { ALL_MODES, WITH_AND_WITHOUT_SCRIPTS } from '../fixtures/modes';

async function takeAdminRight(users: Page, person: Person, t: Texts): Promise<void> {
  await confirm(users, t('admin_revoke'), person.name, t('admin_revoke_title', person.name));
  await expect(users.getByRole('row', { name: person.email })).not.toContainText(t('platform_admin'));
}

for (const mode of ALL_MODES) {
  test.describe(mode.title, () => {
    test.use(mode.use);

    test('D5 G11 an administrator who loses the right leaves the page', async ({ open, console, site, t }) => {
      // What the open page asks for at that moment is refused, as it must be.
      console.expectRefusal(403);
      const other = await site.person({ isAdmin: true, role: 'operator' });
      const page = await open('/admin/tools', { as: other });
      await listening(page);
      await expect(navigation(page, t).getByRole('link', { name: t('nav_users') })).toBeVisible();

      await takeAdminRight(await open(`/admin/users?q=${other.email}`, { as: site.admin }), other, t);
      if (!mode.javaScriptEnabled) await page.reload();
      await expect(page).toHaveURL('/');
      await alive(page);
      await expect(navigation(page, t).locator('a[href^="/admin"]')).toHaveCount(0);
      await expect(page.getByRole('switch')).toHaveCount(0);
      expect((await site.raw('/admin/tools', other)).status).toBe(303);
    });
  });
}

for (const path of ['/admin/users', '/admin/tenants', '/admin/explain']) {
  test(`D5 ${path} is left by itself as well`, async ({ open, console, site, t }) => {
    console.expectRefusal(403);
    const other = await site.person({ isAdmin: true, role: 'operator' });
    const page = await open(path, { as: other });
    await listening(page);
    await takeAdminRight(await open(`/admin/users?q=${other.email}`, { as: site.admin }), other, t);
    await expect(page).toHaveURL('/');
    await expect(page.locator('a[href^="/admin"]')).toHaveCount(0);
  });
}

test('D5 a right that is given appears without a reload', async ({ open, site, t }) => {
  const other = await site.person({ role: 'viewer' });
  const page = await open('/', { as: other });
  await listening(page);
  const users = await open(`/admin/users?q=${other.email}`, { as: site.admin });
  await confirm(users, t('admin_grant'), other.name, t('admin_grant_title', other.name));
  await navigation(page, t).getByRole('link', { name: t('nav_tools') }).click();
  await expect(page).toHaveURL('/admin/tools');
  await expect(page.getByRole('switch').first()).toBeVisible();
});

for (const mode of WITH_AND_WITHOUT_SCRIPTS) {
  test.describe(mode.title, () => {
    test.use(mode.use);

    test('a disabled person is signed out at once, and comes back when enabled', async ({ open, console, site, t }) => {
      console.expectRefusal(401);
      const person = await site.person({ role: 'operator' });
      const page = await open('/account', { as: person });
      await listening(page);
      const users = await open(`/admin/users?q=${person.email}`, { as: site.admin });
      await confirm(users, t('user_disable'), person.name, t('user_disable_title', person.name));
      const row = users.getByRole('row', { name: person.email });
      await expect(row).toContainText(t('disabled'));

      if (!mode.javaScriptEnabled) await page.reload();
      await expect(page).toHaveURL(/\/login\?next=(\/|%2F)account$/);
      await alive(page);
      await page.getByLabel(t('email')).fill(person.email);
      await page.getByLabel(t('password')).fill(person.password);
      await page.getByRole('button', { name: t('sign_in') }).click();
      await expect(page.getByRole('alert'), 'the same answer as for a wrong password').toHaveText(
        t('error_code.InvalidCredentials'),
      );

      await row.getByRole('button', { name: t('user_enable') }).click();
      await expect(row).toContainText(t('active'));
      await expect(site.signIn(person)).resolves.toBeTruthy();
    });
  });
}
