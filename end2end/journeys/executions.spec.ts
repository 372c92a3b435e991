// The history: found by filter, followed live, read in detail, run again, cancelled, taken away.

import { Agent, rest } from '../fixtures/agents';
import { alive, listening } from '../fixtures/alive';
import { expect, test } from '../fixtures/journey';
import { ALL_MODES, WITH_AND_WITHOUT_SCRIPTS } from '../fixtures/modes';

interface Tool {
  id: string;
  name: string;
}

async function search(site: Parameters<typeof rest>[0], q: string): Promise<string> {
  const { data } = await rest<{ data: Tool[] }>(site, site.admin, '/tools?q=searchProducts');
  const called = await rest<{ execution_id: string }>(site, site.admin, `/tools/${data[0]!.id}/execute`, { params: { query: q } });
  return called.execution_id;
}

for (const mode of ALL_MODES) {
  test.describe(mode.title, () => {
    test.use(mode.use);

    test('T9 T10 a call is found by its filter, and says everything about itself', async ({ open, site, t }) => {
      const words = site.unique('pão');
      const id = await search(site, words);
      const page = await open('/executions?tool=searchProducts&status=success', { as: site.admin });
      await expect(page.getByLabel(t('filter_tool'))).toHaveValue('searchProducts');
      const row = page.locator(`[data-execution="${id}"]`);
      await expect(row).toContainText(t('execution_status.Success'));
      await row.getByRole('link', { name: 'searchProducts' }).click();
      await expect(page).toHaveURL(`/executions/${id}`);
      await alive(page);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('searchProducts');
      await expect(page.getByRole('group', { name: t('input') })).toContainText(words);
      await expect(page.getByRole('heading', { name: t('why_section') })).toBeVisible();
      await expect(page.locator('[data-then=allowed]'), 'as it was').toContainText(t('verdict.Allowed'));
      await expect(page.locator('[data-verdict]'), 'as it would be now').toContainText(t('verdict.Allowed'));
      await expect(page.getByText('execution.record'), 'the audit entry').toBeVisible();
      await page.getByRole('link', { name: t('why_open') }).click();
      await expect(page).toHaveURL(`/explain?execution=${id}`);
      await alive(page);
      await expect(page.locator('[data-then=allowed]')).toContainText(t('gate_asks_nobody'));
      await expect(page.locator('[data-verdict]')).toContainText(t('gate_asks_nobody'));
    });
  });
}

for (const mode of WITH_AND_WITHOUT_SCRIPTS) {
  test.describe(mode.title, () => {
    test.use(mode.use);

    test('a call is run again with the same input', async ({ open, site, t }) => {
      const id = await search(site, site.unique('bolo'));
      const page = await open(`/executions/${id}`, { as: site.admin });
      await page.getByRole('button', { name: t('run_again') }).click();
      await page.getByRole('dialog').getByRole('button', { name: t('run_again'), exact: true }).click();
      await expect(page).not.toHaveURL(`/executions/${id}`);
      await expect(page).toHaveURL(/\/executions\/[0-9a-f-]{36}$/);
      await alive(page);
      await expect(page.getByRole('group', { name: t('input') })).toContainText('bolo');
    });

    test('a call that waits is cancelled', async ({ open, site, t }) => {
      const operator = await site.person({ role: 'operator' });
      const agent = await Agent.create(site, ['createTask']);
      const asked = await agent.call('createTask', { title: 'Não vai acontecer' });
      const page = await open(`/executions/${asked.execution_id}`, { as: operator });
      await page.getByRole('button', { name: t('cancel_call') }).click();
      await page.getByRole('dialog').getByRole('button', { name: t('cancel_call'), exact: true }).click();
      await expect(page.locator('[data-status=cancelled]')).toBeVisible();
      expect((await agent.outcome(asked.execution_id)).status).toBe('cancelled');
    });

    test('filters are a form, and a tool that nobody knows is said to be unknown', async ({ open, console, site, t }) => {
      console.expectRefusal(404);
      await search(site, 'pão');
      const page = await open('/executions', { as: site.admin });
      await page.getByLabel(t('state')).selectOption('error');
      await page.getByLabel(t('filter_tool')).fill('searchProducts');
      await page.getByRole('button', { name: t('filter'), exact: true }).click();
      await expect(page).toHaveURL(/status=error&tool=searchProducts/);
      await alive(page);
      await expect(page.getByText(t('executions_empty_title'))).toBeVisible();
      await page.getByLabel(t('filter_tool')).fill('nada');
      await page.getByRole('button', { name: t('filter'), exact: true }).click();
      await expect(page.getByRole('alert')).toContainText(t('error_code.ToolNotFound'));
    });
  });
}

for (const mode of ALL_MODES) {
  test.describe(mode.title, () => {
    test.use(mode.use);

    test('B7 X1 a call keeps what the agent said and what was decided, whatever changes since', async ({ open, site, t }) => {
      const agent = await Agent.create(site, ['createTask']);
      const asked = await agent.call('createTask', { title: 'Ligar' }, 'A cliente pediu retorno.');
      await rest(site, site.admin, `/agents/${agent.slug}/tools`, { allowed_tools: [], tool_confirmation_mode: 'never' }, 'PUT');
      const page = await open(`/executions/${asked.execution_id}`, { as: site.admin });
      await expect(page.getByRole('region', { name: t('agent_said') })).toContainText('A cliente pediu retorno.');
      const isShown = async () => {
        const then = page.locator('[data-then=needs_confirmation]');
        await expect(then).toContainText(t('gate_asks_always'));
        await expect(then).toContainText(t('confirmation_mode.Always'));
        await expect(page.locator('[data-verdict=assignment]'), 'and now it would be refused').toContainText(t('verdict.Denied'));
      };
      await isShown();
      await page.getByRole('link', { name: t('why_open') }).click();
      await alive(page);
      await isShown();
    });
  });
}

test('an open history follows what is called', async ({ open, site }) => {
  const page = await open('/executions', { as: site.admin });
  await listening(page);
  // The stream may look for the first time after a call: then the page hears of the next.
  await expect(async () => {
    const id = await search(site, 'ao vivo');
    await expect(page.locator(`[data-execution="${id}"]`), 'without a reload').toBeVisible({ timeout: 10_000 });
  }).toPass({ timeout: 60_000 });
});

test('the history is taken away as CSV and as JSON lines', async ({ open, site, t }) => {
  const id = await search(site, '=FORMULA()');
  const page = await open('/executions?tool=searchProducts', { as: site.admin });
  const take = async (link: string) => {
    const waiting = page.waitForEvent('download');
    await page.getByRole('link', { name: link }).click();
    const stream = await (await waiting).createReadStream();
    let text = '';
    for await (const chunk of stream) text += chunk;
    return text.trim().split('\n');
  };
  const csv = await take(t('export_csv'));
  expect(csv[0]).toMatch(/^id,executed_at,/);
  expect(csv.filter((line) => line.startsWith(`"${id}"`))).toHaveLength(1);
  const lines = (await take(t('export_jsonl'))).map((line) => JSON.parse(line) as { id: string; tool_name: string });
  expect(lines.some((line) => line.id === id)).toBe(true);
  expect(lines.every((line) => line.tool_name === 'searchProducts')).toBe(true);
});

test('D5 a viewer reads the history and changes nothing; a stranger gets no byte of it', async ({ open, site, t }) => {
  const id = await search(site, 'só leitura');
  const viewer = await site.person({ role: 'viewer' });
  const page = await open(`/executions/${id}`, { as: viewer });
  await expect(page.getByRole('group', { name: t('input') })).toContainText('só leitura');
  await expect(page.locator('main').getByRole('button')).toHaveCount(0);
  await expect(page.locator('[data-then=allowed]'), 'what was decided is part of the history').toBeVisible();
  await expect(page.locator('[data-verdict]'), 'and so is what would be decided now (B7)').toBeVisible();
  await expect(page.getByText('execution.record'), 'the record is not theirs to read').toHaveCount(0);
  await expect(site.call(viewer, 'run_again', { execution_id: id })).rejects.toThrow('403');
  for (const path of ['/executions', `/executions/${id}`, '/explain', '/confirmations']) {
    const answer = await site.raw(path);
    expect([answer.status, answer.headers.get('location')], path).toEqual([303, `/login?next=${path}`]);
    expect((await answer.arrayBuffer()).byteLength).toBe(0);
  }
});

test('another organisation does not see the call', async ({ open, console, site, t }) => {
  console.expectRefusal(404);
  const id = await search(site, 'segredo da casa');
  const stranger = await site.person({ role: 'owner', tenant: await site.tenant(site.unique('Outra')) });
  const page = await open(`/executions/${id}`, { as: stranger });
  await expect(page.getByText(t('execution_missing'))).toBeVisible();
  await expect(page.locator('body')).not.toContainText('segredo da casa');
});

for (const mode of ALL_MODES) {
  test.describe(mode.title, () => {
    test.use(mode.use);

    test('B7 a call that nobody made is explained', async ({ open, console, site, t }) => {
      console.expectRefusal(404, 422);
      const agent = await Agent.create(site, ['createTask']);
      const page = await open('/explain', { as: site.admin });
      await expect(page.getByText(t('why_empty_title'))).toBeVisible();
      await page.getByLabel(t('why_tool')).fill('createTask');
      await page.getByLabel(t('why_agent')).fill(agent.slug);
      await page.getByRole('button', { name: t('explain_submit') }).click();
      await expect(page.getByText(t('verdict.NeedsConfirmation'))).toBeVisible();
      await expect(page.getByText(t('gate_assigned'))).toBeVisible();
      await alive(page);
      await page.getByLabel(t('why_params')).fill('{"title": 7}');
      await page.getByRole('button', { name: t('explain_submit') }).click();
      await expect(page.getByText(t('verdict.Denied'))).toBeVisible();
      await expect(page.getByRole('row', { name: t('gate_fits_not') })).toBeVisible();
      await expect(page.getByRole('listitem').filter({ hasText: 'params.title' })).toBeVisible();
      await alive(page);
      await page.getByLabel(t('why_tool')).fill('sendEmail');
      await page.getByRole('button', { name: t('explain_submit') }).click();
      await expect(page.getByText(t('verdict.Denied'))).toBeVisible();
      await alive(page);
      await page.getByLabel(t('why_params')).fill('{\n');
      await page.getByRole('button', { name: t('explain_submit') }).click();
      await expect(page.getByRole('alert')).toContainText(t('field_code.Invalid'));
      await expect(page.getByLabel(t('why_params')), 'what was typed stays, with its lines').toHaveValue('{\n');
      await expect(page.locator('#tool-names option[value=createTask]'), 'names are offered').toBeAttached();
    });

    test('home says what happened and what waits, and leads there', async ({ open, site, t }) => {
      await search(site, 'início');
      const agent = await Agent.create(site, ['createTask']);
      await agent.call('createTask', { title: 'Precisa de você' });
      const operator = await site.person({ role: 'operator' });
      const page = await open('/', { as: operator });
      await expect(page.getByRole('table', { name: /./ }).first(), 'the chart has its numbers').toBeAttached();
      await expect(page.getByRole('listitem').filter({ hasText: 'searchProducts' }).first()).toBeVisible();
      await expect(page.getByRole('main').getByRole('link', { name: t('home_calls') })).toHaveAttribute('href', '/executions');
      await expect(page.getByRole('heading', { name: t('home_off') })).toBeVisible();
      await page.locator('.needs-you').click();
      await expect(page).toHaveURL('/confirmations');
      await alive(page);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('confirmations_title'));
    });
  });
}
