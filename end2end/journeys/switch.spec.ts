// The switches for everybody: an administrator uses one, a member sees what it does.

import { alive, listening } from '../fixtures/alive';
import { expect, test } from '../fixtures/journey';
import { ALL_MODES, WITH_AND_WITHOUT_SCRIPTS } from '../fixtures/modes';
import { labelOf, rowOf, switchOf, switchWithReason } from '../fixtures/tools';

for (const mode of ALL_MODES) {
  test.describe(mode.title, () => {
    test.use(mode.use);

    test('G6 D5 a tool that is switched off is gone for a member, and comes back', async ({ open, site, t }) => {
      const member = await site.person({ role: 'operator' });
      const home = await open('/', { as: member });
      const admin = await open('/admin/tools', { as: site.admin });
      await listening(home);
      const offered = home.getByRole('listitem').filter({ hasText: labelOf('save_note', t) });
      // An open page hears of the switch; a plain one learns of it when it is loaded again.
      const atLast = async () => {
        if (!mode.javaScriptEnabled) await home.reload();
      };
      await expect(offered).toHaveCount(1);

      await switchWithReason(admin, 'save_note', 'Manutenção até as 18h', t);
      await expect(switchOf(admin, 'save_note', t)).not.toBeChecked();
      const row = rowOf(admin, 'save_note');
      await expect(row, 'who').toContainText(t('changed_by', site.admin.name));
      await expect(row, 'why').toContainText('Manutenção até as 18h');
      const moment = await row.locator('time').getAttribute('datetime');
      expect(Math.abs(Date.now() - Date.parse(moment!)), 'when').toBeLessThan(60_000);
      await atLast();
      await expect(offered).toHaveCount(0);

      await switchOf(admin, 'save_note', t).click();
      await expect(switchOf(admin, 'save_note', t)).toBeChecked();
      await expect(row, 'the reason was for the last switch only').not.toContainText('Manutenção');
      await atLast();
      await expect(offered).toHaveCount(1);
    });
  });
}

test('a switch says that it worked, and an open list follows what others switch', async ({ open, site, t }) => {
  const other = await site.person({ isAdmin: true });
  const [one, two] = [await open('/admin/tools', { as: site.admin }), await open('/admin/tools', { as: other })];
  await listening(two);
  await switchOf(one, 'save_link', t).click();
  await expect(one.getByRole('status').filter({ hasText: t('switched_off', labelOf('save_link', t)) })).toBeVisible();
  await expect(switchOf(two, 'save_link', t), 'without a reload').not.toBeChecked();
  await expect(rowOf(two, 'save_link')).toContainText(t('changed_by', site.admin.name));
  await switchOf(two, 'save_link', t).click();
  await expect(switchOf(one, 'save_link', t)).toBeChecked();
});

test('G7 whoever switches twice in a row does not meet their own change as somebody else’s', async ({ open, site, t }) => {
  const page = await open('/admin/tools', { as: site.admin });
  const lever = switchOf(page, 'save_tv_show', t);
  const told = (what: string) => page.getByRole('status').filter({ hasText: t(what, labelOf('save_tv_show', t)) });
  // The list comes anew only after both.
  let bring = () => {};
  const held = new Promise<void>((resolve) => (bring = resolve));
  await page.route('**/fn/list_global_tools', async (route) => {
    await held;
    await route.continue();
  });
  await lever.click();
  await expect(told('switched_off')).toBeVisible();
  await expect(lever, 'it stays where it was put').not.toBeChecked();
  await lever.click();
  await expect(told('switched_on')).toBeVisible();
  await expect(lever).toBeChecked();
  bring();
  await expect(rowOf(page, 'save_tv_show')).toContainText(t('changed_by', site.admin.name));
  await expect(lever).toBeChecked();
});

test('news from somebody else leaves alone what an administrator is writing', async ({ open, site, t }) => {
  const page = await open('/admin/tools', { as: site.admin });
  await listening(page);
  const row = rowOf(page, 'save_video');
  await row.getByText(t('with_reason')).click();
  const reason = row.getByLabel(t('reason'), { exact: true });
  await reason.fill('Ainda escrevendo');
  await site.call(site.admin, 'switch_global_tool', { tool_name: 'save_link', enabled: 'false' });
  await expect(switchOf(page, 'save_link', t), 'the news has arrived').not.toBeChecked();
  await expect(reason).toHaveValue('Ainda escrevendo');
  await expect(reason).toBeFocused();
  await site.call(site.admin, 'switch_global_tool', { tool_name: 'save_link', enabled: 'true' });
});

test('G5 system tools are shown as always on and have no switch; whole kinds have one', async ({ open, site, t }) => {
  const page = await open('/admin/tools', { as: site.admin });
  const system = rowOf(page, 'search_items');
  await expect(system).toContainText(t('always_on'));
  await expect(system.getByRole('switch')).toHaveCount(0);
  await expect(system.getByRole('button')).toHaveCount(0);
  await expect(switchOf(page, 'webhook_tools', t)).toBeChecked();
  await expect(page.getByRole('switch'), 'five user tools and four kinds').toHaveCount(9);
});

for (const mode of WITH_AND_WITHOUT_SCRIPTS) {
  test.describe(mode.title, () => {
    test.use(mode.use);

    test('search and filters are in the address, which can be shared', async ({ open, site, t }) => {
      const page = await open('/admin/tools', { as: site.admin });
      const send = async () => {
        if (!mode.javaScriptEnabled) await page.getByRole('button', { name: t('filter') }).click();
      };
      await page.getByRole('searchbox', { name: t('search') }).fill('tmdb SÉRIE');
      await send();
      await expect(page).toHaveURL(/[?&]q=tmdb\+S%C3%89RIE/);
      await expect(rowOf(page, 'save_tv_show')).toBeVisible();
      await expect(rowOf(page, 'save_movie')).toBeHidden();
      await expect(page.getByText(t('shown_of', '2', '14'))).toBeVisible();

      await page.getByRole('combobox', { name: t('category') }).selectOption({ label: t('category_name.User') });
      await send();
      await expect(page).toHaveURL(/category=user/);
      await expect(page.getByText(t('shown_of', '1', '14'))).toBeVisible();
      await expect(page.getByRole('heading', { name: t('category_heading.System') })).toBeHidden();

      const shared = await open(page.url(), { as: await site.person({ isAdmin: true }) });
      await expect(shared.getByText(t('shown_of', '1', '14'))).toBeVisible();
      await expect(shared.getByRole('searchbox')).toHaveValue('tmdb SÉRIE');
      await expect(shared.getByRole('combobox', { name: t('category') })).toHaveValue('user');

      await page.getByRole('combobox', { name: t('state') }).selectOption({ label: t('off') });
      await send();
      await expect(page.getByText(t('tools_empty_title')), 'an empty state says what to do next').toBeVisible();
      await page.getByRole('link', { name: t('clear') }).click();
      await expect(page).toHaveURL('/admin/tools');
      await alive(page);
      await expect(page.getByText(t('shown_of', '14', '14'))).toBeVisible();
      await expect(page.getByRole('searchbox'), 'the fields show what the address says').toHaveValue('');
    });
  });
}
