// The members of an organisation: invited, given another role, removed.

import { alive, listening } from '../fixtures/alive';
import { confirm, navigation } from '../fixtures/frame';
import { PASSWORD } from '../fixtures/installation';
import { expect, test } from '../fixtures/journey';
import { WITH_AND_WITHOUT_SCRIPTS } from '../fixtures/modes';

for (const mode of WITH_AND_WITHOUT_SCRIPTS) {
  test.describe(mode.title, () => {
    test.use(mode.use);

    test('an owner invites, the guest joins, changes role and is removed', async ({ open, console, site, t }) => {
      console.expectRefusal(401, 403); // what the guest's open page asks for after the removal
      const tenant = site.unique('Oficina');
      const owner = await site.person({ role: 'owner', tenant: await site.tenant(tenant) });
      const guest = { name: 'Bia Guest', email: `${site.unique('bia')}@example.org` };
      const page = await open('/members', { as: owner });
      await expect(page.getByText(t('members_lead', tenant))).toBeVisible();

      await page.getByLabel(t('email'), { exact: true }).fill(guest.email);
      await page.getByLabel(t('role'), { exact: true }).selectOption('viewer');
      await page.getByRole('button', { name: t('invite_submit') }).click();
      const link = page.getByRole('textbox', { name: t('invite_link') });
      await expect(link).toBeVisible();
      const address = await link.inputValue();
      expect(address).toContain(`${site.server.url}/invite/`);
      await expect(page.getByRole('row', { name: guest.email })).toContainText(t('tenant_role.Viewer'));
      await page.reload();
      await alive(page);
      await expect(page.getByRole('row', { name: guest.email })).toBeVisible();
      await expect(link, 'the link is shown once').toHaveCount(0);

      const theirs = await open(address);
      await expect(theirs.getByRole('main')).toContainText(t('invitation_lead', tenant, t('tenant_role.Viewer')));
      await theirs.getByLabel(t('your_name')).fill(guest.name);
      await theirs.getByLabel(t('password')).fill(PASSWORD);
      await theirs.getByRole('button', { name: t('invitation_accept') }).click();
      await expect(theirs).toHaveURL('/');
      await alive(theirs);
      await expect(theirs.getByRole('main')).toContainText(t('home_role', tenant, t('tenant_role.Viewer')));
      await expect(navigation(theirs, t).getByRole('link', { name: t('nav_members') })).toHaveCount(0);
      await listening(theirs);

      await page.reload();
      await alive(page);
      const row = page.getByRole('row', { name: guest.email });
      await expect(page.getByText(t('invitations_empty'))).toBeVisible();
      await row.getByLabel(t('member_role_of', guest.name)).selectOption('owner');
      await row.getByRole('button', { name: t('save') }).click();
      const done = t(mode.javaScriptEnabled ? 'member_role_saved' : 'saved');
      await expect(page.getByRole('status').filter({ hasText: done })).toBeVisible();
      if (!mode.javaScriptEnabled) await theirs.reload();
      await expect(navigation(theirs, t).getByRole('link', { name: t('nav_members') })).toBeVisible();

      await confirm(page, t('remove'), guest.name, t('member_remove_title', guest.name));
      await expect(page.getByRole('row', { name: guest.email })).toHaveCount(0);
      if (!mode.javaScriptEnabled) await theirs.reload();
      await expect(theirs.getByText(t('no_tenant_title'))).toBeVisible();

      const late = await open(address);
      const heading = late.getByRole('heading', { level: 1 });
      await expect(heading, 'a link works once').toHaveText(t('invitation_invalid_title'));
    });

    test('an invitation can be revoked, and its link is dead at once', async ({ open, site, t }) => {
      const owner = await site.person({ role: 'owner', tenant: await site.tenant(site.unique('Oficina')) });
      const email = `${site.unique('caio')}@example.org`;
      const { url } = await site.call<{ url: string }>(owner, 'invite_member', { email, role: 'manager' });
      const page = await open('/members', { as: owner });
      await page.getByRole('button', { name: t('revoke_named', email) }).click();
      await expect(page.getByText(t('invitations_empty'))).toBeVisible();
      const late = await open(url);
      await expect(late.getByRole('heading', { level: 1 })).toHaveText(t('invitation_invalid_title'));
    });

    test('the last owner can neither leave nor step down', async ({ open, console, site, t }) => {
      console.expectRefusal(409);
      const owner = await site.person({ role: 'owner', tenant: await site.tenant(site.unique('Oficina')) });
      const page = await open('/members', { as: owner });
      await confirm(page, t('remove'), owner.name, t('member_remove_title', owner.name));
      await expect(page.getByRole('alert')).toContainText(t('error_code.LastOwner'));
      await alive(page);
      const row = page.getByRole('row', { name: owner.email });
      await row.getByLabel(t('member_role_of', owner.name)).selectOption('viewer');
      await row.getByRole('button', { name: t('save') }).click();
      await expect(page.getByRole('alert')).toContainText(t('error_code.LastOwner'));
      await alive(page);
      await page.reload();
      await alive(page);
      await expect(row.getByLabel(t('member_role_of', owner.name))).toHaveValue('owner');
    });

    test('somebody who has an account joins with its password', async ({ open, site, t }) => {
      const tenant = site.unique('Oficina');
      const owner = await site.person({ role: 'owner', tenant: await site.tenant(tenant) });
      const guest = await site.stranger({ role: 'operator' });
      const { url } = await site.call<{ url: string }>(owner, 'invite_member', { email: guest.email, role: 'auditor' });
      const page = await open(url);
      await expect(page.getByText(t('invitation_existing'))).toBeVisible();
      await page.getByLabel(t('password')).fill('não é essa');
      await page.getByRole('button', { name: t('invitation_accept') }).click();
      await expect(page.getByRole('alert')).toContainText(t('error_code.InvalidCredentials'));
      await alive(page);
      await page.getByLabel(t('password')).fill(guest.password);
      await page.getByRole('button', { name: t('invitation_accept') }).click();
      await expect(page).toHaveURL('/');
      await alive(page);
      await expect(page.getByRole('main')).toContainText(t('home_role', tenant, t('tenant_role.Auditor')));
    });
  });
}
