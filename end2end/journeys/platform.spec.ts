// The pages of platform administrators besides the switches: organisations and people.

import { alive } from '../fixtures/alive';
import { confirm } from '../fixtures/frame';
import { expect, test } from '../fixtures/journey';
import { WITH_AND_WITHOUT_SCRIPTS } from '../fixtures/modes';

for (const mode of WITH_AND_WITHOUT_SCRIPTS) {
  test.describe(mode.title, () => {
    test.use(mode.use);

    test('an organisation is created, renamed, and gets its first owner', async ({ open, console, site, t }) => {
      console.expectRefusal(409, 422);
      const page = await open('/admin/tenants', { as: site.admin });
      const [name, later] = [site.unique('Sapataria'), site.unique('Chapelaria')];
      const create = async (slug: string) => {
        await page.getByLabel(t('name'), { exact: true }).fill(name);
        await page.getByLabel(t('tenant_slug')).fill(slug);
        await page.getByRole('button', { name: t('tenant_create_submit') }).click();
      };
      await create('Não Pode!');
      await expect(page.getByRole('alert')).toContainText(t('tenant_slug'));
      await alive(page);
      await create('');
      const row = page.getByRole('row').filter({ hasText: name.toLowerCase() });
      await expect(row).toContainText(name);
      await alive(page);

      await row.getByText(t('tenant_rename'), { exact: true }).click();
      await row.getByLabel(t('tenant_rename_named', name)).fill(later);
      await row.getByRole('button', { name: t('save') }).click();
      await expect(row, 'the short name stays').toContainText(later);
      await alive(page);

      const email = `${site.unique('dona')}@example.org`;
      await row.getByText(t('tenant_invite_owner'), { exact: true }).click();
      await row.getByLabel(t('tenant_invite_owner_for', later)).fill(email);
      await row.getByRole('button', { name: t('invite_submit') }).click();
      const link = page.getByRole('textbox', { name: t('invite_link') });
      await expect(link).toBeVisible();
      const theirs = await open(await link.inputValue());
      await expect(theirs.getByRole('main')).toContainText(t('invitation_lead', later, t('tenant_role.Owner')));
      await alive(page);
    });

    test('people are found by the address, promoted and disabled', async ({ open, site, t }) => {
      const person = await site.stranger({ role: 'auditor' });
      const page = await open('/admin/users', { as: site.admin });
      await page.getByRole('searchbox', { name: t('search') }).fill(person.email);
      await page.getByRole('button', { name: t('search') }).click();
      await expect(page).toHaveURL(`/admin/users?q=${encodeURIComponent(person.email)}`);
      await alive(page);
      const rows = page.getByRole('row').filter({ has: page.getByRole('cell') });
      await expect(rows).toHaveCount(1);
      await expect(rows).toContainText(`${site.organisation} (${t('tenant_role.Auditor')})`);
      await expect(rows, 'never signed in').toContainText(t('never'));

      await confirm(page, t('admin_grant'), person.name, t('admin_grant_title', person.name));
      await expect(rows).toContainText(t('platform_admin'));
      await alive(page);
      await confirm(page, t('user_disable'), person.name, t('user_disable_title', person.name));
      await expect(rows).toContainText(t('disabled'));
      await expect(page, 'the question is still in the address').toHaveURL(/q=/);
      await alive(page);

      await page.goto('/admin/users?q=ninguem%40nada');
      await alive(page);
      await expect(page.getByText(t('users_empty_title'))).toBeVisible();
      await page.getByRole('link', { name: t('clear') }).click();
      await alive(page);
      await expect(page.getByRole('row', { name: site.admin.email })).toBeVisible();
      await expect(page.getByRole('searchbox'), 'the field shows what the address says').toHaveValue('');
    });
  });
}

test('the last platform administrator cannot be removed', async ({ open, console, site, t }) => {
  console.expectRefusal(409);
  // Earlier journeys on this server may have left other administrators.
  type User = { id: string; email: string; is_platform_admin: boolean };
  const users = await site.call<User[]>(site.admin, 'list_users', { search: '' });
  for (const user of users.filter((user) => user.is_platform_admin && user.email !== site.admin.email)) {
    await site.call(site.admin, 'set_platform_admin', { user_id: user.id, is_admin: 'false' });
  }
  const page = await open(`/admin/users?q=${site.admin.email}`, { as: site.admin });
  await confirm(page, t('admin_revoke'), site.admin.name, t('admin_revoke_title', site.admin.name));
  await expect(page.getByRole('alert')).toContainText(t('error_code.LastPlatformAdmin'));
  await expect(page).toHaveURL(/\/admin\/users/);
  await expect(page.getByRole('row', { name: site.admin.email })).toContainText(t('platform_admin'));
});

test('an organisation is changed to from the sidebar, without losing the others', async ({ open, site, t }) => {
  const [one, two] = [site.unique('Banca'), site.unique('Feira')];
  const person = await site.stranger({ role: 'owner', tenant: await site.tenant(one) });
  await site.tenant(two);
  const tenants = await site.call<{ id: string; name: string }[]>(site.admin, 'list_tenants', {});
  const tenant_id = tenants.find((tenant) => tenant.name === two)!.id;
  const { url } = await site.call<{ url: string }>(site.admin, 'invite_owner', { tenant_id, email: person.email });
  const token = url.split('/').at(-1)!;
  await site.call(person, 'accept_invitation', { token, name: '', password: person.password });

  const page = await open('/', { as: { ...person, state: await site.signIn(person) } });
  const sidebar = page.getByRole('complementary', { name: t('sidebar') });
  const shown = (tenant: string) =>
    expect(page.getByRole('main')).toContainText(t('home_role', tenant, t('tenant_role.Owner')));
  for (const [from, to] of [[one, two], [two, one]] as const) {
    await shown(from);
    await sidebar.getByRole('button', { name: from }).first().click();
    await sidebar.getByRole('button', { name: to }).click();
    await shown(to);
    await alive(page);
  }
});
