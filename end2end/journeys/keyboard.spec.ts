// B10: everything by keyboard alone, and the eye can follow.

import { accountMenuButton, askButton } from '../fixtures/frame';
import { expect, test } from '../fixtures/journey';
import { focusIsVisible, tabTo } from '../fixtures/keyboard';
import { openSidebar } from '../fixtures/pages';
import { labelOf, switchOf } from '../fixtures/tools';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

test('B10 the skip link, the filters and a switch are reached and used by keyboard', async ({ open, site, t }) => {
  const page = await open('/admin/tools', { as: site.admin });
  await page.keyboard.press('Tab');
  const skip = page.getByRole('link', { name: t('skip_to_content') });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await focusIsVisible(page);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();

  for (const field of [page.getByRole('searchbox'), ...(await page.getByRole('search').getByRole('combobox').all())]) {
    await tabTo(page, field, 1);
  }
  const lever = switchOf(page, 'save_note', t);
  const told = (what: string) => page.getByRole('status').filter({ hasText: t(what, labelOf('save_note', t)) });
  await tabTo(page, lever, 3);
  await page.keyboard.press('Space');
  await expect(lever).not.toBeChecked();
  await expect(told('switched_off')).toBeVisible();
  await expect(lever, 'the focus stays where it was').toBeFocused();
  await page.keyboard.press('Enter');
  await expect(lever).toBeChecked();
  await expect(told('switched_on'), 'the switch shows the wish at once; this is when it has come true').toBeVisible();
  await expect(lever).toBeFocused();

  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByLabel(t('reason'), { exact: true }).and(page.locator(':visible')), 1);
  await page.keyboard.type('Pelo teclado');
  await page.keyboard.press('Enter');
  await expect(lever).not.toBeChecked();
  await expect(page.getByText('Pelo teclado')).toBeVisible();
  await site.call(site.admin, 'switch_global_tool', { tool_name: 'save_note', enabled: 'true' });
});

test('B10 a dialog takes the focus, closes with Escape and gives it back', async ({ open, site, t }) => {
  const page = await open('/members', { as: site.admin });
  const title = t('member_remove_title', site.admin.name);
  const ask = askButton(page, t('remove'), site.admin.name);
  await ask.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: title });
  await expect(dialog).toBeVisible();
  await expect(dialog.getByRole('button', { name: t('cancel') }), 'the harmless choice first').toBeFocused();
  await page.keyboard.press('Tab');
  await expect(dialog.getByRole('button', { name: t('remove') })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(ask).toBeFocused();
});

test('B10 the account menu is opened, walked and closed by keyboard', async ({ open, site, t }) => {
  const page = await open('/account', { as: site.admin });
  const button = accountMenuButton(page, t);
  await button.focus();
  await page.keyboard.press('Enter');
  const out = page.getByRole('button', { name: t('sign_out') });
  await expect(out).toBeVisible();
  await tabTo(page, out, 6);
  await page.keyboard.press('Escape');
  await expect(out).toBeHidden();
  await expect(button).toBeFocused();
});

test('B10 with little room, the menu opens, leads on and closes', async ({ open, site, t }) => {
  const page = await open('/account', { as: site.admin, viewport: { width: 360, height: 740 } });
  const link = page.getByRole('navigation').getByRole('link', { name: t('nav_tools') });
  await expect(link).toBeHidden();
  await openSidebar(page, t);
  await expect(link).toBeVisible();
  await link.focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/admin/tools');
  await expect(link, 'the menu closes by itself').toBeHidden();
  await expect(page.getByRole('main'), 'and the focus is on the new page').toBeFocused();
});
