// Who may not see a page gets a redirect and not one byte of it.

import { alive } from '../fixtures/alive';
import { navigation } from '../fixtures/frame';
import { expect, test } from '../fixtures/journey';
import { ALL_MODES } from '../fixtures/modes';

const ADMIN_PAGES = ['/admin/tools', '/admin/tenants', '/admin/users', '/admin/explain'];

for (const mode of ALL_MODES) {
  test.describe(mode.title, () => {
    test.use(mode.use);

    test('G11 D5 a member who types the address of an admin page lands at home', async ({ open, site, t }) => {
      const member = await site.person({ role: 'operator' });
      const page = await open('/admin/tools', { as: member });
      await expect(page).toHaveURL('/');
      const links = navigation(page, t).getByRole('link');
      await expect(links.first()).toHaveText(t('nav_home'));
      const others = ['members', 'audit'].map((name) => `a[href="/${name}"]`).join(',');
      await expect(navigation(page, t).locator(others), 'what operators may not see').toHaveCount(0);
      await expect(page.locator('a[href^="/admin"]'), 'nor a link anywhere else').toHaveCount(0);
    });

    test('G11 a stranger is asked to sign in', async ({ open, t }) => {
      const page = await open('/admin/tools');
      await expect(page).toHaveURL('/login?next=/admin/tools');
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('sign_in'));
      await expect(navigation(page, t)).toHaveCount(0);
    });
  });
}

test('G11 the raw answer is a redirect without a body', async ({ site }) => {
  const member = await site.person({ role: 'viewer' });
  for (const path of [...ADMIN_PAGES, '/members']) {
    for (const [who, destination] of [[member, '/'], [undefined, `/login?next=${path}`]] as const) {
      const answer = await site.raw(path, who);
      expect([answer.status, answer.headers.get('location')], path).toEqual([303, destination]);
      expect((await answer.arrayBuffer()).byteLength, path).toBe(0);
    }
  }
  expect((await site.raw('/admin/tools', site.admin)).status, 'an administrator is let in').toBe(200);
});


for (const mode of ALL_MODES) {
  test.describe(mode.title, () => {
    test.use(mode.use);

    test('a page that does not exist says so and leads home', async ({ open, console, site, t }) => {
      console.expectRefusal(404);
      const page = await open('/nowhere', { as: site.admin });
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('not_found_title'));
      await page.getByRole('link', { name: t('back_home') }).click();
      await expect(page).toHaveURL('/');
      await alive(page);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('greeting', site.admin.name));
    });
  });
}

test('G11 the guard of the browser leads home as well', async ({ open, site }) => {
  const page = await open('/account', { as: await site.person({ role: 'owner' }) });
  // A link that only somebody else's page would have: the router of an open page takes it without asking the server.
  await page.evaluate(() => {
    const link = Object.assign(document.createElement('a'), { href: '/admin/tools', textContent: 'elsewhere' });
    document.querySelector('main')!.prepend(link);
  });
  await page.getByText('elsewhere').click();
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('switch')).toHaveCount(0);
});
