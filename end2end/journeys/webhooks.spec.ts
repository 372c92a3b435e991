// A webhook tool and the server behind it: a signed test from the console, a secret that is changed, answers that are
// hostile.

import { rest } from '../fixtures/agents';
import { isSignedWith, Outside } from '../fixtures/outside';
import { alive } from '../fixtures/alive';
import { confirm } from '../fixtures/frame';
import { expect, test } from '../fixtures/journey';
import { WITH_AND_WITHOUT_SCRIPTS } from '../fixtures/modes';
import { isHarmless, isServedAsText, payload } from '../fixtures/payload';
import { makeTool, ownerOfTheirOwn } from '../fixtures/toolbox';

const PARAMETERS = '{"type":"object","properties":{"titulo":{"type":"string"}},"required":["titulo"]}';

let outside: Outside;
test.describe.configure({ mode: 'serial' });
test.beforeAll(async () => {
  outside = await Outside.start();
});
test.afterAll(() => outside.stop());
test.beforeEach(() => {
  outside.asked.length = 0;
  outside.answer = { status: 200, type: 'application/json', body: '{"agendado":"às 9h"}' };
});

function hook(more = {}, owner = outside.site.admin): Promise<string> {
  const { site, url } = outside;
  const fields = { 'tool[display_name]': 'Agendar', 'tool[webhook_url]': `${url}/agenda`, 'tool[parameters]': PARAMETERS };
  return makeTool(site, owner, site.unique('agendar').replace('-', '_'), { ...fields, ...more });
}

for (const mode of WITH_AND_WITHOUT_SCRIPTS) {
  test.describe(mode.title, () => {
    test.use(mode.use);

    test('T15 the secret is changed and shown once, and both sign the test that the console sends', async ({ open, t }) => {
      const { site } = outside;
      const id = await hook({ 'tool[webhook_headers]': 'X-Equipe: vendas' });
      const page = await open(`/tools/${id}`, { as: site.admin, baseURL: site.server.url });
      const secret = page.getByRole('textbox', { name: t('secret_value'), exact: true });
      await confirm(page, t('secret_rotate'), 'Agendar', t('secret_rotate_title', 'Agendar'));
      await expect(secret).toHaveValue(/^whsec_/);
      const first = await secret.inputValue();
      await page.goto(`/tools/${id}`);
      await alive(page);
      await expect(secret, 'shown once').toHaveCount(0);
      expect(await page.content()).not.toContain(first);
      await confirm(page, t('secret_rotate'), 'Agendar', t('secret_rotate_title', 'Agendar'));
      await expect(secret).toHaveValue(/^whsec_/);
      await expect(secret).not.toHaveValue(first);
      const second = await secret.inputValue();

      await page.goto(`/tools/${id}/test`);
      await alive(page);
      await page.getByLabel(/^titulo/).fill('Reunião');
      await page.getByRole('button', { name: t('trial_run') }).click();
      await expect(page.getByText(t('trial_success'))).toBeVisible();
      await expect(page.getByText('"agendado": "às 9h"')).toBeVisible();
      const [call] = outside.asked;
      expect(call!.path).toBe('/agenda');
      expect(call!.headers['x-equipe']).toBe('vendas');
      expect(JSON.parse(call!.body)).toMatchObject({ params: { titulo: 'Reunião' }, test_mode: true });
      expect([isSignedWith(second, call!), isSignedWith(first, call!)], 'the old one holds for a while').toEqual([true, true]);
      expect(isSignedWith('whsec_c2VncmVkbyBkZSBvdXRyYQ==', call!)).toBe(false);
    });

    test('a server that fails is told with what it said', async ({ open, t }) => {
      const { site } = outside;
      const id = await hook();
      outside.answer = { status: 500, type: 'text/plain', body: 'agenda fora do ar' };
      const page = await open(`/tools/${id}/test`, { as: site.admin, baseURL: site.server.url });
      await page.getByLabel(/^titulo/).fill('Reunião');
      await page.getByRole('button', { name: t('trial_run') }).click();
      await expect(page.getByText(t('trial_failed'))).toBeVisible();
      await expect(page.getByRole('main')).toContainText('upstream_error');
      await expect(page.getByRole('main')).toContainText('agenda fora do ar');
    });
  });
}

for (const mode of WITH_AND_WITHOUT_SCRIPTS) {
  test.describe(mode.title, () => {
    test.use(mode.use);

    test('T15 every attempt of a call is told', async ({ open, t }) => {
      const { site } = outside;
      // Of their own: what fails often for one organisation is not asked again by it for a while.
      const owner = await ownerOfTheirOwn(site);
      const id = await hook({ 'tool[idempotent]': 'true' }, owner);
      outside.answer = { status: 503, type: 'text/plain', body: 'ocupado' };
      const call = { params: { titulo: 'Reunião' } };
      const { execution_id } = await rest<{ execution_id: string }>(site, owner, `/tools/${id}/execute`, call);
      const page = await open(`/executions/${execution_id}`, { as: owner, baseURL: site.server.url });
      const attempts = page.getByRole('table', { name: t('attempts') }).getByRole('row');
      await expect(attempts, 'four, and the heads').toHaveCount(1 + outside.asked.length);
      expect(outside.asked.length).toBe(4);
      await expect(attempts.nth(1)).toContainText('HTTP 503');
      await expect(attempts.nth(1).getByRole('cell').last(), 'a pause').toHaveText(/^\d+ ms$/);
      await expect(attempts.nth(4).getByRole('cell').last(), 'none after the last').toHaveText('');
    });
  });
}

test('S9 script in what a server answers and in who called is only text', async ({ open }) => {
  const { site } = outside;
  const { admin } = site;
  const id = await hook({ 'tool[name]': 'hostil' });
  await site.api(admin, 'POST', '/agents', {
    name: 'Hostil',
    slug: 'hostil',
    allowed_tools: ['hostil'],
    tool_confirmation_mode: 'never',
  });
  const call = { tool_name: 'hostil', agent_id: 'hostil', conversation_id: payload(1), params: { titulo: payload(2) } };
  const ran = async (status: number, type: string, body: string) => {
    outside.answer = { status, type, body };
    return (await site.api<{ execution_id: string }>(admin, 'POST', '/tools/execute-for-agent', call)).execution_id;
  };
  const json = await ran(200, 'application/json', JSON.stringify({ [payload(3)]: payload(4) }));
  const text = await ran(200, 'text/html', payload(5));
  const failed = await ran(500, 'text/html', payload(6));
  const tried = await site.call<{ address: string }>(admin, 'try_tool', { tool_id: id, 'arguments[titulo]': payload(7) });
  const pages: [string, number[]][] = [
    [`/executions/${json}`, [1, 2, 3, 4]],
    [`/executions/${text}`, [1, 2, 5]],
    [`/executions/${failed}`, [1, 2, 6]],
    [`/explain?execution=${json}`, [2]],
    [tried.address, [6, 7]],
    ['/executions', []],
    ['/audit', []],
    ['/', []],
  ];
  const page = await open('/', { as: admin, baseURL: site.server.url });
  for (const [path, marks] of pages) {
    await isServedAsText(site, admin, path, marks);
    await page.goto(path);
    await isHarmless(page);
  }
});
