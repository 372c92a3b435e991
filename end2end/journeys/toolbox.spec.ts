// The tools of an organisation: found, switched, made, changed, compared, restored, tried and deleted.

import type { Page } from '@playwright/test';
import { alive } from '../fixtures/alive';
import { askButton, navigation } from '../fixtures/frame';
import { expect, test } from '../fixtures/journey';
import { ALL_MODES, WITH_AND_WITHOUT_SCRIPTS } from '../fixtures/modes';
import { makeAgent, makeTool, ownerOfTheirOwn, toolSwitch } from '../fixtures/toolbox';

const schemaOf = (page: Page, t: (name: string) => string) => page.getByLabel(t('tool_schema'), { exact: true });

for (const mode of ALL_MODES) {
  test.describe(mode.title, () => {
    test.use(mode.use);

    test('T2 T6 tools are found by address and switched in place', async ({ open, site, t }) => {
      const owner = await ownerOfTheirOwn(site);
      await makeTool(site, owner, 'agendar');
      const page = await open('/tools', { as: owner });
      await expect(page.getByRole('link', { name: 'Agendar agendar' })).toBeVisible();
      await page.getByRole('searchbox', { name: t('search') }).fill('agenda uma');
      await page.getByRole('combobox', { name: t('tool_type') }).selectOption('webhook');
      if (!mode.javaScriptEnabled) await page.getByRole('button', { name: t('filter') }).click();
      await expect(page).toHaveURL(/q=agenda\+uma.*type=webhook/);
      await expect(page.getByText(t('range_of', '1', '1', '1'))).toBeVisible();
      await expect(page.getByRole('searchbox'), 'nothing is lost while typing').toHaveValue('agenda uma');

      await toolSwitch(page, 'Agendar agendar', t).click();
      await expect(toolSwitch(page, 'Agendar agendar', t)).not.toBeChecked();
      const done = mode.javaScriptEnabled ? t('tool_switched_off', 'Agendar agendar') : t('saved');
      await expect(page.getByRole('status').filter({ hasText: done })).toBeVisible();
      await page.goto('/tools?state=off');
      await alive(page);
      await expect(page.getByRole('link', { name: 'Agendar agendar' })).toBeVisible();
      await expect(page.getByText(t('range_of', '1', '1', '1'))).toBeVisible();
    });

    test('T3 T4 T5 a tool is made, changed, compared, restored and deleted', async ({ open, site, t }) => {
      const owner = await ownerOfTheirOwn(site);
      const page = await open('/tools', { as: owner });
      await page.getByRole('link', { name: t('toolbox_new') }).click();
      await page.getByRole('link', { name: t('webhook_lead') }).click();
      await expect(page).toHaveURL(/kind=webhook/);
      await alive(page);
      await page.getByLabel(t('tool_display_name')).fill('Agendar reunião');
      await page.getByLabel(t('tool_name'), { exact: true }).fill('agendar');
      await page.getByLabel(t('description'), { exact: true }).fill('Agenda uma reunião.');
      await page.getByLabel(t('webhook_url'), { exact: true }).fill('https://hooks.example.org/agenda');
      await page.getByLabel(t('webhook_headers')).fill('X-Equipe: vendas');
      const schema = schemaOf(page, t);
      if (mode.javaScriptEnabled) {
        await page.getByRole('button', { name: t('param_add') }).click();
        const word = `${t('param_word')}_1`;
        await page.getByLabel(`${t('param_name')}: ${word}`).fill('titulo');
        await page.getByLabel(`${t('description')}: ${word}`).fill('Assunto');
        await page.getByLabel(`${t('param_choices')}: ${word}`).fill('a, b');
        await page.getByLabel(`${t('param_required')}: ${word}`).check();
        const written = JSON.parse(await schema.inputValue());
        expect(written.properties).toEqual({ titulo: { type: 'string', description: 'Assunto', enum: ['a', 'b'] } });
        expect(written.required).toEqual(['titulo']);
      } else {
        await schema.fill('{"type":"object","properties":{"titulo":{"type":"string"}},"required":["titulo"]}');
      }
      await page.getByRole('button', { name: t('tool_make') }).click();
      const secret = page.getByRole('textbox', { name: t('secret_value'), exact: true });
      await expect(secret, 'shown once').toHaveValue(/^whsec_/);
      if (mode.javaScriptEnabled) await page.getByRole('link', { name: t('tool_open') }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Agendar reunião');
      await alive(page);
      await expect(page.getByLabel(t('webhook_headers'))).toHaveValue('x-equipe: ***');
      await expect(page.getByText('"input_schema"')).toBeVisible();

      await page.getByLabel(t('description'), { exact: true }).fill('Agenda uma reunião com o cliente.');
      await page.getByLabel(t('tool_note')).fill('mais claro');
      await page.getByRole('button', { name: t('save'), exact: true }).click();
      const done = mode.javaScriptEnabled ? t('tool_saved', '2') : t('saved');
      await expect(page.getByRole('status').filter({ hasText: done })).toBeVisible();
      await expect(page.getByText(t('tool_version', '2'), { exact: true })).toBeVisible();

      await page.getByRole('link', { name: t('tab_versions') }).click();
      await expect(page.getByRole('group', { name: t('change_of', 'description') })).toContainText(
        '− Agenda uma reunião.',
      );
      await expect(page.getByText('mais claro')).toBeVisible();
      await alive(page);
      await askButton(page, t('restore'), t('tool_version', '1')).click();
      const question = page.getByRole('dialog', { name: t('restore_title', '1') });
      await question.getByRole('button', { name: t('restore') }).click();
      await expect(page.getByRole('heading', { name: t('tool_version', '3') })).toBeVisible();

      await makeAgent(site, owner, 'Vendas');
      await site.call(owner, 'save_assignments', { give: 'vendas~agendar', versions: '', back: '/agents/matrix' });
      await page.getByRole('link', { name: t('tab_definition') }).click();
      await expect(page.getByRole('link', { name: 'Vendas', exact: true }), 'usage by agents').toBeVisible();
      await alive(page);
      await askButton(page, t('delete'), 'Agendar reunião').click();
      const warning = page.getByRole('dialog', { name: t('tool_delete_title', 'Agendar reunião') });
      await expect(warning).toContainText(t('tool_delete_used', '1'));
      await expect(warning).toContainText('Vendas');
      await warning.getByRole('button', { name: t('delete') }).click();
      await expect(page).toHaveURL('/tools');
      await alive(page);
      await expect(page.getByRole('link', { name: t('toolbox_new') })).toBeVisible();
      await expect(page.getByRole('link', { name: 'Agendar reunião' })).toHaveCount(0);
    });
  });
}

test('the form and the schema are in step, whoever is typed into', async ({ open, site, t }) => {
  const owner = await ownerOfTheirOwn(site);
  const id = await makeTool(site, owner, 'passo');
  const page = await open(`/tools/${id}`, { as: owner });
  const schema = schemaOf(page, t);
  const read = async () => JSON.parse(await schema.inputValue());
  await expect(page.getByLabel(`${t('param_choices')}: titulo`)).toHaveValue('a, b');
  await schema.fill('{"type":"object","properties":{"x":{"type":"number","minimum":3},"y":{"$ref":"#/x"}}}');
  await expect(page.getByLabel(`${t('param_name')}: x`)).toHaveValue('x');
  await page.getByLabel(`${t('param_name')}: x`).fill('');
  expect((await read()).properties, 'a field without a name waits').toEqual({ y: { $ref: '#/x' } });
  await page.getByLabel(`${t('param_name')}: x`).pressSequentially('peso');
  expect((await read()).properties.peso, 'what the form does not know stays').toEqual({ type: 'number', minimum: 3 });
  expect((await read()).properties.y).toEqual({ $ref: '#/x' });
  await schema.fill('{"type": ');
  await expect(page.getByText(t('params_broken'))).toBeVisible();
  await expect(page.getByRole('button', { name: t('param_add') })).toBeDisabled();
  await schema.fill('{"type":"object"}');
  await page.getByRole('button', { name: t('param_add') }).click();
  await page.getByRole('button', { name: t('param_add') }).click();
  await page.getByRole('button', { name: `${t('remove')}: ${t('param_word')}_1` }).click();
  expect(Object.keys((await read()).properties)).toEqual([`${t('param_word')}_2`]);
});

for (const mode of WITH_AND_WITHOUT_SCRIPTS) {
  test.describe(mode.title, () => {
    test.use(mode.use);

    test('two people change a tool: the second is told and loses nothing', async ({ open, console, site, t }) => {
      console.expectRefusal(409);
      const owner = await ownerOfTheirOwn(site);
      const id = await makeTool(site, owner, 'dois');
      const page = await open(`/tools/${id}`, { as: owner });
      const change = { tool_id: id, seen_version: '1', 'tool[description]': 'A de outra pessoa' };
      await site.call(owner, 'update_tool', change);
      const description = page.getByLabel(t('description'), { exact: true });
      await description.fill('A minha');
      await page.getByRole('button', { name: t('save'), exact: true }).click();
      await expect(page.getByText(t('conflict_title'))).toBeVisible();
      await expect(description).toHaveValue('A minha');
      await alive(page);
      await page.getByLabel(t('conflict_overwrite')).check();
      await page.getByRole('button', { name: t('save'), exact: true }).click();
      await expect(page.getByText(t('conflict_title'))).toHaveCount(0);
      await page.goto(`/tools/${id}`);
      await expect(description).toHaveValue('A minha');
    });

    test('T7 the console calls a tool and shows what went and came', async ({ open, console, site, t }) => {
      console.expectRefusal(422);
      const owner = await ownerOfTheirOwn(site);
      const page = await open('/tools?q=searchProducts', { as: owner });
      await page.getByRole('row').filter({ hasText: 'searchProducts' }).getByRole('link').click();
      await page.getByRole('link', { name: t('tab_test') }).click();
      await expect(page.getByLabel(t('test_mode'))).toBeChecked();
      await alive(page);
      await page.getByRole('button', { name: t('trial_run') }).click();
      await expect(page.getByRole('alert'), 'what is missing is told').toContainText(t('error_code.InvalidParams'));
      await alive(page);
      await page.getByLabel(/^query/).fill('bolo');
      await page.getByRole('button', { name: t('trial_run') }).click();
      await expect(page).toHaveURL(/run=/);
      await expect(page.getByRole('heading', { name: t('trial_result') })).toBeVisible();
      await expect(page.getByText(t('trial_success'))).toBeVisible();
      await expect(page.getByText('"query": "bolo"')).toBeVisible();
    });
  });
}

test('T16 an error in code is shown at its line', async ({ open, console, site, t }) => {
  console.expectRefusal(422);
  const owner = await ownerOfTheirOwn(site);
  const page = await open('/tools/new?kind=code', { as: owner });
  await page.getByLabel(t('tool_display_name')).fill('Soma');
  await page.getByLabel(t('tool_name'), { exact: true }).fill('soma');
  await page.getByLabel(t('description'), { exact: true }).fill('Soma dois números.');
  const code = page.getByRole('textbox', { name: t('tool_code'), exact: true });
  await code.fill('export default (params) => {\n  return params.a + ;\n};\n');
  await expect(page.locator('.code-paint .code-keyword').first()).toHaveText('export');
  await page.getByRole('button', { name: t('tool_make') }).click();
  await expect(page.locator('.code-wrong')).toHaveText('2');
  await expect(page.locator('.field-error', { hasText: /2/ }).first()).toBeVisible();
  await code.fill('export default (params, ctx) => { ctx.log("oi"); return 1 + 1; };\n');
  await page.getByRole('button', { name: t('tool_make') }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Soma');
  await page.getByRole('link', { name: t('tab_test') }).click();
  await page.getByRole('button', { name: t('trial_run') }).click();
  await expect(page.getByText(t('trial_success'))).toBeVisible();
  await expect(page.locator('pre', { hasText: /^oi$/ }), 'the log').toBeVisible();
});

test('D5 each role sees what it may and nothing that leads to a refusal', async ({ open, site, t }) => {
  const slug = await site.tenant(site.unique('Papéis'));
  const owner = await site.person({ role: 'owner', tenant: slug });
  const id = await makeTool(site, owner, 'papel');
  for (const role of ['manager', 'operator', 'viewer', 'auditor'] as const) {
    const page = await open(`/tools/${id}`, { as: await site.person({ role, tenant: slug }) });
    const manages = role === 'manager';
    await expect(page.getByRole('button', { name: t('save'), exact: true }), role).toHaveCount(manages ? 1 : 0);
    await expect(page.getByRole('link', { name: t('tab_test') }), role).toHaveCount(
      manages || role === 'operator' ? 1 : 0,
    );
    const agents = navigation(page, t).getByRole('link', { name: t('nav_agents'), exact: true });
    await expect(agents, role).toHaveCount(role === 'viewer' ? 0 : 1);
    await expect(page.getByText('https://hooks.example.org/agenda').or(page.getByLabel(t('webhook_url'), { exact: true })).first()).toBeVisible();
  }
});

test('S9 stored script in every field of tools and agents is only text', async ({ open, site }) => {
  const payload = `"><script>window.__xss=1</script><img src=x onerror="window.__xss=1"></textarea><b>`;
  const owner = await ownerOfTheirOwn(site);
  const property = { type: 'string', description: payload, enum: [payload] };
  const id = await makeTool(site, owner, 'hostil', {
    'tool[execution_type]': 'code',
    'tool[webhook_url]': '',
    'tool[display_name]': payload,
    'tool[description]': payload,
    'tool[note]': payload,
    'tool[parameters]': JSON.stringify({ type: 'object', properties: { [payload]: property, y: property } }),
    'tool[code]': `export default () => (${JSON.stringify(payload)}); // ${payload}`,
  });
  const agent = await makeAgent(site, owner, payload, {
    'agent[slug]': 'hostil',
    'agent[description]': payload,
    'agent[persona]': payload,
  });
  await site.call(owner, 'save_assignments', { give: 'hostil~hostil', versions: '', back: '/agents/matrix' });
  await site.call(owner, 'update_tool', { tool_id: id, seen_version: '1', 'tool[description]': `<b>${payload}` });
  const run = await site.call<{ address: string }>(owner, 'try_tool', { tool_id: id, json: JSON.stringify({ y: payload }) });
  const page = await open('/tools', { as: owner });
  const paths = ['/tools', `/tools/${id}`, `/tools/${id}/versions`, `/tools/${id}/test`, run.address, '/agents'];
  const more = ['', '/tools', '/preview', '/preview?format=prompt'].map((part) => `/agents/${agent}${part}`);
  for (const path of [...paths, ...more, '/agents/matrix', '/agents/matrix?plan=1&give=&take=hostil~hostil']) {
    await page.goto(path);
    await alive(page);
    expect(await page.evaluate(() => '__xss' in window), path).toBe(false);
    await expect(page.locator('img[src="x"], main b'), path).toHaveCount(0);
  }
});
