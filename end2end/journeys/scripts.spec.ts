// Script in every text that people can store: shown as typed, never run.

import { questionIn } from '../fixtures/agents';
import { alive } from '../fixtures/alive';
import { expect, test } from '../fixtures/journey';
import { isHarmless, isServedAsText, payload } from '../fixtures/payload';
import { makeTool } from '../fixtures/toolbox';
import { rowOf, switchWithReason } from '../fixtures/tools';

const PAYLOAD = payload(1);

test('S9 stored script is only text, on every page that shows it', async ({ open, console, site, t }) => {
  console.expectRefusal(422);
  const tenant = await site.tenant(`${PAYLOAD} ${site.unique('x')}`);
  const person = await site.person({ isAdmin: true, role: 'owner', tenant });
  const page = await open('/account', { as: person });
  await page.getByLabel(t('name'), { exact: true }).fill(PAYLOAD);
  await page.getByRole('button', { name: t('save') }).click();
  await expect(page.getByRole('status').filter({ hasText: t('saved') })).toBeVisible();
  await isHarmless(page);

  await page.goto('/admin/tools');
  await alive(page);
  await switchWithReason(page, 'save_tv_show', PAYLOAD, t);
  await expect(rowOf(page, 'save_tv_show'), 'shown as typed, who and why').toContainText(PAYLOAD);
  await isHarmless(page);

  await page.goto('/admin/tenants');
  await alive(page);
  await page.getByLabel(t('name'), { exact: true }).fill(`${PAYLOAD} Ltda`);
  await page.getByLabel(t('tenant_slug')).fill(site.unique('script'));
  await page.getByRole('button', { name: t('tenant_create_submit') }).click();
  await expect(page.getByRole('cell', { name: `${PAYLOAD} Ltda` })).toBeVisible();
  await isHarmless(page);

  await page.goto('/members');
  await alive(page);
  // The browser's own check of the field would keep the address from being sent.
  await page.evaluate(() => [...document.forms].forEach((form) => (form.noValidate = true)));
  await page.getByLabel(t('email'), { exact: true }).fill(`${PAYLOAD}@example.org`);
  await page.getByRole('button', { name: t('invite_submit') }).click();
  await expect(page.getByRole('alert'), 'no address has this form').toContainText(t('field_code.Invalid'));
  await isHarmless(page);

  for (const path of ['', 'account', 'members', 'admin/tools', 'admin/tenants', 'admin/users', 'admin/explain']) {
    await page.goto(`/${path}`);
    await isHarmless(page);
  }
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('greeting', PAYLOAD));
  await isHarmless(page);
  const { url } = await site.call<{ url: string }>(person, 'invite_member', { email: 'x@example.org', role: 'viewer' });
  await isHarmless(await open(url));
  await site.call(site.admin, 'switch_global_tool', { tool_name: 'save_tv_show', enabled: 'true' });
});

test('S9 script in the address is only text', async ({ open, console, site }) => {
  console.expectRefusal(404, 400);
  const script = encodeURIComponent(PAYLOAD);
  const page = await open('/', { as: site.admin });
  for (const path of [`admin/tools?q=${script}`, `admin/users?q=${script}`, `admin/explain?email=${script}`, script]) {
    await page.goto(`/${path}`);
    await isHarmless(page);
  }
  for (const path of [`/login?next=${script}`, `/invite/${script}`, `/login?__path=%2Ffn%2Fsign_in&__err=${script}`]) {
    await isHarmless(await open(path));
  }
});

test('S9 script in logs and errors of code, in decisions, in headers and in channels is only text', async ({ open, console, site, t }) => {
  test.slow(); // a dozen pages, twice
  console.expectRefusal(422);
  const tenant = await site.tenant(site.unique('Oficina'));
  const owner = await site.person({ role: 'owner', tenant });
  const parameters = '{"type":"object","properties":{"x":{"type":"string"}}}';
  const code = (body: string) => ({
    'tool[execution_type]': 'code',
    'tool[webhook_url]': '',
    'tool[parameters]': parameters,
    'tool[code]': `export default (params, ctx) => { ${body} };`,
  });
  const speaks = await makeTool(site, owner, 'fala', code(`ctx.log(${JSON.stringify(payload(1))}); return 1;`));
  const throws = await makeTool(site, owner, 'falha', code(`throw new Error(${JSON.stringify(payload(2))});`));
  const said = await site.call<{ address: string }>(owner, 'try_tool', { tool_id: speaks });
  const thrown = await site.call<{ address: string }>(owner, 'try_tool', { tool_id: throws });
  const executionOf = ({ address }: { address: string }) => new URL(address, 'http://x').searchParams.get('run');

  const asked = await questionIn(site, owner, { title: 'Comprar farinha' });
  await site.call(owner, 'approve_confirmation', { confirmation_id: asked.confirmation_id!, note: payload(3) });
  const refused = await questionIn(site, owner, { title: 'Comprar farinha' });
  await site.call(owner, 'refuse_confirmation', { confirmation_id: refused.confirmation_id!, reason: payload(4) });
  const mail = { host: 'mail.example.invalid', username: payload(5), password: 'senha', from: 'a@example.org', from_name: payload(6) };
  const fields = Object.entries(mail).map(([name, value]) => [`fields[${name}]`, value]);
  await site.call(owner, 'put_channel', { kind: 'email', ...Object.fromEntries(fields) });

  const pages: [string, number[]][] = [
    [said.address, [1]],
    [thrown.address, [2]],
    [`/executions/${executionOf(said)}`, [1]],
    [`/executions/${executionOf(thrown)}`, [2]],
    ['/executions', []],
    ['/confirmations?status=approved', [3]],
    ['/confirmations?status=refused', [4]],
    [`/executions/${asked.execution_id}`, [3]],
    [`/executions/${refused.execution_id}`, [4]],
    ['/settings/channels', []],
    ['/settings/channels/email', [5, 6]],
    ['/audit', []],
    ['/', []],
  ];
  const page = await open('/', { as: owner });
  for (const [path, marks] of pages) {
    await isServedAsText(site, owner, path, marks);
    await page.goto(path);
    await isHarmless(page);
  }

  // The name of a header cannot be script at all; what was typed comes back as text, with and without JavaScript.
  const hook = await makeTool(site, owner, 'gancho');
  for (const javaScriptEnabled of [true, false]) {
    const editor = await open(`/tools/${hook}`, { as: owner, javaScriptEnabled });
    await editor.getByLabel(t('webhook_headers')).fill(`${payload(7)}: ${payload(8)}`);
    await editor.getByRole('button', { name: t('save'), exact: true }).click();
    await expect(editor.getByRole('alert').first()).toContainText(t('webhook_headers'));
    expect(await editor.content(), 'nothing of it is an element').not.toContain('<img src="x"');
    if (javaScriptEnabled) await isHarmless(editor);
  }
});
