// Agents: made, given tools with a look at what would change, and what they see.

import { rest } from '../fixtures/agents';
import { alive } from '../fixtures/alive';
import { confirm, navigation } from '../fixtures/frame';
import { expect, test } from '../fixtures/journey';
import { ALL_MODES } from '../fixtures/modes';
import { makeAgent, ownerOfTheirOwn } from '../fixtures/toolbox';

for (const mode of ALL_MODES) {
  test.describe(mode.title, () => {
    test.use(mode.use);

    test('T14 an agent is made, gets tools after a look at the change, and sees them', async ({ open, site, t }) => {
      const owner = await ownerOfTheirOwn(site);
      const page = await open('/', { as: owner });
      await navigation(page, t).getByRole('link', { name: t('nav_agents'), exact: true }).click();
      await expect(page.getByText(t('agents_none_title'))).toBeVisible();
      await alive(page);
      await page.getByRole('link', { name: t('agent_new') }).first().click();
      await alive(page);
      await page.getByLabel(t('name'), { exact: true }).fill('Vendas');
      await page.getByLabel(t('agent_persona'), { exact: true }).fill('Fala pouco.');
      await page.getByLabel(t('agent_mode'), { exact: true }).selectOption('always');
      await page.getByRole('button', { name: t('agent_make') }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Vendas');
      await alive(page);
      await page.getByRole('navigation', { name: t('agent_pages') }).getByRole('link', { name: t('agent_tools') }).click();
      await alive(page);
      await page.getByRole('checkbox', { name: /Vendas: / }).first().check();
      const first = (await page.getByRole('row').nth(1).locator('code').textContent())!;
      await page.getByRole('button', { name: t('plan_show') }).click();
      await expect(page.getByRole('heading', { name: t('plan_title') })).toBeVisible();
      await expect(page.getByText(t('plan_gains'), { exact: true })).toBeVisible();
      await expect(page.getByRole('checkbox', { name: /Vendas: / }).first(), 'the wish stays').toBeChecked();
      await alive(page);
      await page.getByRole('button', { name: t('plan_save') }).click();
      await expect(page.getByRole('heading', { name: t('plan_title') })).toHaveCount(0);
      await expect(page.getByRole('checkbox', { name: /Vendas: / }).first()).toBeChecked();
      await alive(page);

      const tabs = page.getByRole('navigation', { name: t('agent_pages') });
      await tabs.getByRole('link', { name: t('tab_preview') }).click();
      await expect(page.locator('pre')).toContainText(`"name": "${first}"`);
      await alive(page);
      await page.getByRole('link', { name: t('preview_prompt'), exact: true }).click();
      await expect(page.locator('pre')).toContainText(`Fala pouco.`);

      await tabs.getByRole('link', { name: t('tab_settings') }).click();
      await expect(page.getByLabel(t('agent_mode'), { exact: true })).toHaveValue('always');
      await alive(page);
      await page.getByLabel(t('description'), { exact: true }).fill('Atende clientes');
      await page.getByRole('button', { name: t('save'), exact: true }).click();
      await expect(page.getByRole('status').filter({ hasText: t('saved') })).toBeVisible();
      await alive(page);
      await confirm(page, t('delete'), 'Vendas', t('tool_delete_title', 'Vendas'));
      await expect(page).toHaveURL('/agents');
      await expect(page.getByText(t('agents_none_title'))).toBeVisible();
    });

    test('C8 T17 a tool whose limit is used up is absent from what the agent sees, and the page says until when', async ({ open, site, t }) => {
      const owner = await ownerOfTheirOwn(site);
      const rate_limit = { limit: 1, window_seconds: 3600 };
      const wish = { name: 'Vendas', allowed_tools: ['createTask'], tool_confirmation_mode: 'never', rate_limit };
      const agent = await rest<{ id: string }>(site, owner, '/agents', wish);
      const page = await open(`/agents/${agent.id}/preview`, { as: owner });
      await expect(page.locator('pre')).toContainText('createTask');
      await expect(page.getByText(t('preview_later'))).toHaveCount(0);
      const call = { tool_name: 'createTask', agent_id: 'vendas', params: { title: 'x' } };
      await rest(site, owner, '/tools/execute-for-agent', call);
      await page.reload();
      await expect(page.locator('pre')).toHaveText('[]');
      await expect(page.getByText(t('preview_later'))).toBeVisible();
      await expect(page.getByRole('listitem').filter({ hasText: 'createTask' })).toContainText(t('retry_in_minutes', '60'));
    });

    test('T14 the matrix: search, tick, look, save', async ({ open, site, t }) => {
      const owner = await ownerOfTheirOwn(site);
      await makeAgent(site, owner, 'Vendas');
      await makeAgent(site, owner, 'Suporte');
      const page = await open('/agents/matrix', { as: owner });
      await page.getByRole('searchbox', { name: t('search') }).fill('update');
      if (!mode.javaScriptEnabled) await page.getByRole('button', { name: t('filter') }).click();
      await expect(page.getByText(t('range_of', '1', '2', '2'))).toBeVisible();
      await page.getByRole('checkbox', { name: /^Vendas: / }).first().check();
      await page.getByRole('checkbox', { name: /^Suporte: / }).last().check();
      await page.getByRole('button', { name: t('plan_show') }).click();
      await expect(page.getByRole('heading', { name: 'Suporte', level: 3 })).toBeVisible();
      await expect(page).toHaveURL(/q=update.*plan=1/);
      await alive(page);
      await page.getByRole('button', { name: t('plan_save') }).click();
      await expect(page).not.toHaveURL(/plan=/);
      await alive(page);
      await page.getByRole('checkbox', { name: /^Vendas: / }).first().uncheck();
      await page.getByRole('button', { name: t('plan_show') }).click();
      await expect(page.getByText(t('plan_loses'), { exact: true })).toBeVisible();
      await page.getByRole('link', { name: t('cancel') }).click();
      await expect(page.getByRole('heading', { name: t('plan_title') })).toHaveCount(0);
    });
  });
}
