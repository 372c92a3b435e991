// "May X do Y in tenant Z, and why?"

import { alive } from '../fixtures/alive';
import { expect, test } from '../fixtures/journey';
import { ALL_MODES } from '../fixtures/modes';

for (const mode of ALL_MODES) {
  test.describe(mode.title, () => {
    test.use(mode.use);

    test('B7 the question is the address, the answer names the rule', async ({ open, site, t }) => {
      const person = await site.stranger({ role: 'owner' });
      const page = await open('/admin/explain', { as: site.admin });
      await expect(page.getByText(t('explain_empty_title'))).toBeVisible();
      const main = page.getByRole('main');
      const ask = async (action: string, subject: string) => {
        await page.getByLabel(t('explain_person')).fill(person.email);
        await page.getByLabel(t('explain_tenant')).selectOption({ label: site.organisation });
        await page.getByLabel(t('explain_action'), { exact: true }).selectOption({ label: t(`action.${action}`) });
        await page.getByLabel(t('explain_subject'), { exact: true }).selectOption({ label: t(`subject.${subject}`) });
        await page.getByRole('button', { name: t('explain_submit') }).click();
      };

      await ask('Update', 'Member');
      await expect(page.getByRole('heading', { name: t('explain_allowed') })).toBeVisible();
      await expect(page).toHaveURL(/email=owner-\d+%40example.org&tenant=[\w-]+&action=update&subject=Member/);
      await expect(main).toContainText(t('explain_rule_allows'));
      await expect(main, 'why the rule exists').toContainText(t('rule_reason.owner'));
      await expect(main, 'the organisation is part of the question').not.toContainText('tenant_id');
      await alive(page);

      const shared = await open(page.url(), { as: site.admin });
      await expect(shared.getByRole('heading', { name: t('explain_allowed') })).toBeVisible();
      await expect(shared.getByLabel(t('explain_person'))).toHaveValue(person.email);
      await expect(shared.getByLabel(t('explain_action'), { exact: true })).toHaveValue('update');

      await ask('Manage', 'AdminPanel');
      await expect(page.getByRole('heading', { name: t('explain_denied') })).toBeVisible();
      await expect(main).toContainText(t('explain_no_rule'));
    });
  });
}

test('B7 a rule that holds only sometimes says when', async ({ open, site, t }) => {
  const question = `email=${site.admin.email}&action=read&subject=UserContent`;
  const page = await open(`/admin/explain?${question}`, { as: site.admin });
  await expect(page.getByRole('heading', { name: t('explain_allowed_some') })).toBeVisible();
  await expect(page.getByRole('main')).toContainText(t('rule_reason.own_things'));
  await expect(page.getByRole('main')).toContainText(t('explain_conditions'));
  await expect(page.getByRole('main')).toContainText(t('explain_own_only'));
});

test('B7 a disabled person may nothing, whatever the rules say', async ({ open, site, t }) => {
  const person = await site.stranger({ isAdmin: true });
  const [user] = await site.call<{ id: string }[]>(site.admin, 'list_users', { search: person.email });
  await site.call(site.admin, 'set_user_disabled', { user_id: user!.id, disabled: 'true' });
  const page = await open(`/admin/explain?email=${person.email}`, { as: site.admin });
  await expect(page.getByRole('heading', { name: t('explain_denied') })).toBeVisible();
  await expect(page.getByRole('main')).toContainText(t('explain_disabled'));
});

for (const [what, query] of [['a stranger', 'ninguem@example.org'], ['no address at all', 'nada']] as const) {
  test(`a question about ${what} is refused with a sentence`, async ({ open, site }) => {
    const page = await open(`/admin/explain?email=${query}`, { as: site.admin });
    await expect(page.getByRole('alert')).toBeVisible();
  });
}
