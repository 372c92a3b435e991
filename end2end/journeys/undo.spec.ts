// D6: what can be taken back can be taken back: switches and assignments, with and without scripts.

import { alive } from '../fixtures/alive';
import { expect, test } from '../fixtures/journey';
import { ALL_MODES } from '../fixtures/modes';
import { makeAgent, makeTool, ownerOfTheirOwn, toolSwitch } from '../fixtures/toolbox';
import { switchOf } from '../fixtures/tools';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

for (const mode of ALL_MODES) {
  test.describe(mode.title, () => {
    test.use(mode.use);

    test('D6 a tool that was switched off is on again', async ({ open, site, t }) => {
      const owner = await ownerOfTheirOwn(site);
      await makeTool(site, owner, 'volta');
      const page = await open('/tools?q=volta', { as: owner });
      const lever = toolSwitch(page, 'Agendar volta', t);
      await lever.click();
      await expect(lever).not.toBeChecked();
      await alive(page);
      const undo = page.getByRole('button', { name: t('undo') });
      await undo.focus();
      await page.keyboard.press('Enter');
      await expect(lever).toBeChecked();
      await alive(page);
    });

    test('D6 assignments go back to what they were', async ({ open, site, t }) => {
      const owner = await ownerOfTheirOwn(site);
      await makeAgent(site, owner, 'Vendas');
      const page = await open('/agents/matrix?q=createTask', { as: owner });
      const box = page.getByRole('checkbox', { name: /^Vendas: / });
      await box.check();
      await page.getByRole('button', { name: t('plan_show') }).click();
      await expect(page.getByRole('heading', { name: t('plan_title') })).toBeVisible();
      await alive(page);
      await page.getByRole('button', { name: t('plan_save') }).click();
      await expect(page).not.toHaveURL(/plan=/);
      await alive(page);
      await expect(box).toBeChecked();
      await page.getByRole('button', { name: t('undo') }).click();
      await expect(box).not.toBeChecked();
      await alive(page);
    });
  });
}

test('D6 an agent and a global tool have the way back too, from another page as well', async ({ open, site, t }) => {
  const owner = await ownerOfTheirOwn(site);
  await makeAgent(site, owner, 'Vendas');
  const page = await open('/agents', { as: owner });
  const lever = page.getByRole('switch', { name: t('agent_switch', 'Vendas') });
  await lever.click();
  await expect(page.getByRole('status').filter({ hasText: t('agent_switched_off', 'Vendas') })).toBeVisible();
  await page.getByRole('link', { name: t('nav_account') }).click();
  await expect(page).toHaveURL('/account');
  await page.getByRole('button', { name: t('undo') }).click();
  await expect(page.getByRole('status').filter({ hasText: t('undone') })).toBeVisible();
  await page.goto('/agents');
  await expect(lever).toBeChecked();

  const admin = await open('/admin/tools', { as: site.admin });
  await switchOf(admin, 'save_link', t).click();
  await expect(switchOf(admin, 'save_link', t)).not.toBeChecked();
  await admin.getByRole('button', { name: t('undo') }).click();
  await expect(switchOf(admin, 'save_link', t)).toBeChecked();
});

test('D6 nobody takes back what somebody else has changed since', async ({ open, console, site, t }) => {
  console.expectRefusal(409);
  const page = await open('/admin/tools', { as: site.admin });
  const lever = switchOf(page, 'save_link', t);
  await lever.click();
  const undo = page.getByRole('button', { name: t('undo') });
  await expect(undo).toBeVisible();
  const change = (enabled: string) => site.call(site.admin, 'switch_global_tool', { tool_name: 'save_link', enabled });
  await change('true');
  await change('false');
  await undo.click();
  await expect(page.getByRole('alert')).toContainText(t('error_code.Conflict'));
  await expect(lever).not.toBeChecked();
  await change('true');
});

test('D6 nor the switch of a tool, though that makes no version', async ({ open, console, site, t }) => {
  console.expectRefusal(409);
  const owner = await ownerOfTheirOwn(site);
  const id = await makeTool(site, owner, 'minha');
  const page = await open('/tools?q=minha', { as: owner });
  const lever = toolSwitch(page, 'Agendar minha', t);
  await lever.click();
  const undo = page.getByRole('button', { name: t('undo') });
  await expect(undo).toBeVisible();
  for (const is_active of ['true', 'false']) await site.call(owner, 'toggle_tool', { tool_id: id, is_active });
  await undo.click();
  await expect(page.getByRole('alert')).toContainText(t('error_code.Conflict'));
  await expect(lever).not.toBeChecked();
});

test('D6 whoever is led home learns why, and times tell their zone', async ({ open, site, t }) => {
  const viewer = await site.person({ role: 'viewer' });
  const page = await open('/members', { as: viewer });
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('main')).toContainText(t('no_access_title'));
  await expect(page.getByRole('main')).toContainText(t('no_access_right', `${t('to_manage')} ${t('subject.Member')}`));
  await page.goto('/account');
  await alive(page);
  const time = page.locator('main time').first();
  await expect(time).toHaveAttribute('title', /GMT-3|BRT|Brasília/);
});

test('D6 the exact time is there for the keyboard and for a finger, and is no stop on the way', async ({ open, site, t }) => {
  const owner = await ownerOfTheirOwn(site);
  await makeTool(site, owner, 'exata');
  const page = await open('/audit', { as: owner });
  const row = page.locator('tbody tr', { has: page.locator('td > time') }).first();
  const time = row.locator('td > time');
  const shown = () => time.evaluate((element) => getComputedStyle(element, '::after').content);
  expect(await shown()).toBe('none');
  await row.getByRole('link').first().focus();
  expect(await shown(), 'in the row that has the focus').toContain(':');
  await page.getByRole('heading', { level: 1 }).click();
  expect(await shown()).toBe('none');
  await time.click();
  expect(await shown(), 'touched').toContain(':');
  expect(await time.evaluate((element) => (element as HTMLElement).tabIndex)).toBe(-1);
});
