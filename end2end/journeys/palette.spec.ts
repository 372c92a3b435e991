// D6: the palette leads anywhere by keyboard, offers what the person may open and nothing else, and needs scripts.

import type { Locator, Page } from '@playwright/test';
import { AxeBuilder } from '@axe-core/playwright';
import type { Texts } from '../fixtures/catalogue';
import { expect, test } from '../fixtures/journey';
import { openSidebar } from '../fixtures/pages';
import { makeAgent, makeTool, ownerOfTheirOwn } from '../fixtures/toolbox';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

interface Palette {
  dialog: Locator;
  input: Locator;
  option(name: string): Locator;
}

function paletteOf(page: Page, t: Texts): Palette {
  const dialog = page.getByRole('dialog', { name: t('palette_title') });
  return {
    dialog,
    input: dialog.getByRole('combobox'),
    option: (name) => dialog.getByRole('option', { name }),
  };
}

async function openPalette(page: Page, t: Texts): Promise<Palette> {
  await page.keyboard.press('Control+k');
  const palette = paletteOf(page, t);
  await expect(palette.input).toBeFocused();
  return palette;
}

for (const locale of ['pt-BR', 'en-US']) {
  test.describe(locale, () => {
    test.use({ locale });

    test('D6 a page is reached by keyboard alone, without the marks of its letters', async ({ open, site, t }) => {
      const page = await open('/account', { as: site.admin });
      const { dialog, input, option } = await openPalette(page, t);
      await input.pressSequentially(t('nav_executions').normalize('NFD').replace(/\p{M}/gu, '').toLowerCase());
      await expect(option(t('nav_executions')).first()).toHaveAttribute('aria-selected', 'true');
      await page.keyboard.press('Enter');
      await expect(page).toHaveURL('/executions');
      await expect(dialog).toBeHidden();
      await expect(page.getByRole('main')).toBeFocused();
    });

    test('D6 tools, agents, contacts and calls are found by name', async ({ open, site, t }) => {
      const owner = await ownerOfTheirOwn(site);
      const tool = await makeTool(site, owner, 'zebrar');
      const agent = await makeAgent(site, owner, 'Zebra veloz');
      const contact = await site.api<{ id: string }>(owner, 'POST', '/contacts', { name: 'Zebrina Souza' });
      const page = await open('/', { as: owner });
      const { input, option } = await openPalette(page, t);
      await input.fill('zebr');
      for (const [kind, name] of [['Tool', 'Agendar zebrar'], ['Agent', 'Zebra veloz'], ['Contact', 'Zebrina Souza']] as const) {
        await expect(option(name)).toContainText(t(`palette_thing.${kind}`));
      }
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowUp');
      const chosen = page.locator(`[id="${await input.getAttribute('aria-activedescendant')}"]`);
      await expect(chosen).toHaveAttribute('aria-selected', 'true');
      await expect(chosen).toContainText('Zebra veloz');
      await page.keyboard.press('Enter');
      await expect(page).toHaveURL(`/agents/${agent}`);

      const again = await openPalette(page, t);
      await expect(again.input, 'begins anew').toHaveValue('');
      await again.input.fill('zebrina');
      await again.option('Zebrina Souza').click();
      await expect(page).toHaveURL(`/contacts/${contact.id}`);
      await page.goto(`/tools/${tool}`);
    });

    test('D6 actions: the theme, the language, signing out', async ({ open, site, t }) => {
      const page = await open('/account', { as: await site.person({ role: 'viewer' }) });
      const first = await openPalette(page, t);
      await first.input.fill(t('palette_theme', t('theme.Dark')));
      await page.keyboard.press('Enter');
      await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
      await page.waitForLoadState('networkidle');
      const second = await openPalette(page, t);
      await second.input.fill(t('sign_out'));
      await page.keyboard.press('Enter');
      await expect(page).toHaveURL('/login');
    });
  });
}

test('D6 nobody is offered what they may not open', async ({ open, site, t }) => {
  const page = await open('/', { as: await site.person({ role: 'viewer' }) });
  const { dialog, option } = await openPalette(page, t);
  await expect(option(t('nav_toolbox')).first()).toBeVisible();
  for (const name of ['toolbox_new', 'agent_new', 'nav_members', 'nav_audit', 'nav_tools', 'nav_tenants', 'secrets_title']) {
    await expect(dialog.getByRole('option', { name: t(name), exact: true }), name).toHaveCount(0);
  }
  const labels = await dialog.locator('.palette-label').allTextContents();
  expect(labels).not.toContain(t('nav_agents'));
});

test('D6 Escape closes it and gives the focus back; the button names the shortcut', async ({ open, site, t }) => {
  const page = await open('/account', { as: site.admin });
  const button = page.getByRole('button', { name: t('palette_open') });
  await expect(button).toContainText('Ctrl K');
  await expect(button).toHaveAttribute('aria-keyshortcuts', /Control\+K/);
  await button.click();
  const { dialog, input } = paletteOf(page, t);
  await expect(input).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(button).toBeFocused();
  await page.keyboard.press('Control+k');
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Control+k');
  await expect(dialog, 'the same keys close it').toBeHidden();
});

test('D6 an outage leaves pages and actions', async ({ open, console, site, t }) => {
  console.expectRefusal(403);
  const page = await open('/account', { as: site.admin });
  await page.route('**/fn/find_things', (route) => route.fulfill({ status: 403, body: '{}' }));
  const { dialog, input, option } = await openPalette(page, t);
  await input.fill(t('nav_members'));
  await expect(dialog.getByRole('status')).toHaveText(t('palette_failed'));
  await expect(option(t('nav_members')).first()).toBeVisible();
});

test('D6 with little room it opens from the top bar', async ({ open, site, t }) => {
  const page = await open('/account', { as: site.admin, viewport: { width: 360, height: 740 } });
  await page.getByRole('button', { name: t('palette_open') }).click();
  const { dialog, option } = paletteOf(page, t);
  await option(t('nav_home')).first().click();
  await expect(page).toHaveURL('/');
  await expect(dialog).toBeHidden();
  await openSidebar(page, t);
  await page.keyboard.press('Control+k');
  await expect(dialog).toBeVisible();
});

test('D6 without scripts, and for strangers, there is none', async ({ open, site, t }) => {
  const page = await open('/', { as: site.admin, javaScriptEnabled: false });
  await expect(page.getByRole('button', { name: t('palette_open') })).toHaveCount(0);
  const stranger = await open('/login');
  await stranger.keyboard.press('Control+k');
  await expect(paletteOf(stranger, t).dialog).toHaveCount(0);
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`B10 the palette has no violation in the ${colorScheme}`, async ({ open, site, t }) => {
    const page = await open('/', { as: site.admin, colorScheme });
    const { input } = await openPalette(page, t);
    for (const text of ['', 'a', 'nada que exista']) {
      await input.fill(text);
      await expect(paletteOf(page, t).dialog.getByRole('status')).not.toHaveText(t('palette_looking'));
      const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze();
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target)}`)).toEqual([]);
    }
  });
}
