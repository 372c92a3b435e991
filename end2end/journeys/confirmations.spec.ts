// Calls that wait for a person: an agent calls over REST while somebody decides in a browser.

import type { Locator, Page } from '@playwright/test';
import { Agent, questionIn, rest, type Execution } from '../fixtures/agents';
import { alive, listening } from '../fixtures/alive';
import { navigation } from '../fixtures/frame';
import { expect, test } from '../fixtures/journey';
import { tabTo } from '../fixtures/keyboard';
import { ALL_MODES, WITH_AND_WITHOUT_SCRIPTS } from '../fixtures/modes';
import { makeTool, ownerOfTheirOwn } from '../fixtures/toolbox';

const PAYLOAD = `"><script>window.__xss=1</script><img src=x onerror="window.__xss=1">`;

/** The card of one question. */
function card(page: Page, confirmation: string | undefined): Locator {
  return page.locator(`[data-confirmation="${confirmation}"]`);
}

for (const mode of ALL_MODES) {
  test.describe(mode.title, () => {
    test.use(mode.use);

    test('B1 X9 an agent waits, a person sees the plan and approves, the agent goes on', async ({ open, site, t }) => {
      const operator = await site.person({ role: 'operator' });
      const agent = await Agent.create(site, ['createTask']);
      const page = await open('/confirmations', { as: operator });
      await listening(page);
      const asked = await agent.call('createTask', { title: 'Ligar para a Dona Lurdes' });
      expect(asked.status).toBe('pending');
      // An open inbox fills by itself; a plain one when it is loaded again.
      if (!mode.javaScriptEnabled) await page.reload();
      const question = card(page, asked.confirmation_id);
      await expect(question).toContainText('Ligar para a Dona Lurdes');
      await expect(question).toContainText(agent.name);
      await expect(question, 'why somebody is asked').toContainText(t('gate_asks_always'));
      await expect(question.getByRole('heading', { name: t('plan') })).toBeVisible();
      await expect(question, 'who may decide').toContainText(t('tenant_role.Owner'));
      await expect(navigation(page, t).getByRole('link', { name: t('nav_confirmations') }), 'the badge').toContainText(/[1-9]/);

      await question.getByRole('button', { name: t('approve') }).first().click();
      await expect(question).toHaveCount(0);
      const ended = await agent.outcome(asked.execution_id);
      expect(ended.status).toBe('success');
      await expect(page.getByText(t('approved_done'))).toBeVisible();
    });
  });
}

for (const mode of WITH_AND_WITHOUT_SCRIPTS) {
  test.describe(mode.title, () => {
    test.use(mode.use);

    test('B2 arguments are corrected, the difference is shown, both versions are kept', async ({ open, site, t }) => {
      const operator = await site.person({ role: 'operator' });
      const agent = await Agent.create(site, ['createTask']);
      const asked = await agent.call('createTask', { title: 'Ligar amanha', description: 'Sobre o bolo' });
      const page = await open('/confirmations', { as: operator });
      const question = card(page, asked.confirmation_id);
      await expect(question.locator('.as-asked')).toBeVisible();
      await question.getByText(t('edit_and_approve')).click();
      await expect(question.locator('.as-asked'), 'nobody approves what they are correcting').toBeHidden();
      const title = question.getByLabel('title');
      await expect(title).toHaveValue('Ligar amanha');
      await title.fill('Ligar amanhã às 9h');
      if (mode.javaScriptEnabled) await expect(question.locator('.field-was')).toHaveText(`${t('was')} Ligar amanha`);
      await question.getByRole('button', { name: t('approve_edited') }).click();
      await expect(question).toHaveCount(0);
      const ended = await agent.outcome(asked.execution_id);
      expect(ended.input_params).toEqual({ title: 'Ligar amanhã às 9h', description: 'Sobre o bolo' });

      await page.goto('/confirmations?status=approved');
      await alive(page);
      await expect(card(page, asked.confirmation_id).locator('del')).toContainText('Ligar amanha');
      await expect(card(page, asked.confirmation_id).locator('ins')).toContainText('Ligar amanhã às 9h');
    });

    test('B2 T3 what does not fit is told in the language of the page, and nothing is decided', async ({ open, console, site, t }) => {
      console.expectRefusal(422);
      const operator = await site.person({ role: 'operator' });
      const agent = await Agent.create(site, ['createTask']);
      const asked = await agent.call('createTask', { title: 'Ligar amanha' });
      const page = await open(`/confirmations/${asked.confirmation_id}`, { as: operator });
      const question = card(page, asked.confirmation_id);
      await question.getByText(t('edit_and_approve')).click();
      await question.getByLabel('title').fill('x'.repeat(201));
      await question.getByRole('button', { name: t('approve_edited') }).click();
      await expect(page.getByRole('listitem').filter({ hasText: 'params.title' })).toContainText(t('unfit_max_length', '200'));
      await expect(question.getByText(t('edit_and_approve'))).toBeVisible();
    });

    test('X1 B1 what the agent said is read with the question, and as text only', async ({ open, site, t }) => {
      const operator = await site.person({ role: 'operator' });
      const agent = await Agent.create(site, ['createTask']);
      const asked = await agent.call('createTask', { title: 'Ligar' }, `Ela pediu retorno. ${PAYLOAD}`);
      const page = await open('/confirmations', { as: operator });
      for (const path of ['/confirmations', `/confirmations/${asked.confirmation_id}`, `/executions/${asked.execution_id}`]) {
        await page.goto(path);
        await alive(page);
        const said = page.locator('.agent-words', { hasText: 'Ela pediu retorno.' });
        await expect(said.first(), path).toContainText(PAYLOAD);
        expect(await page.evaluate(() => '__xss' in window), path).toBe(false);
      }
    });

    test('B1 a question is opened at its own address, decided there, and tells what was decided', async ({ open, site, t }) => {
      const operator = await site.person({ role: 'operator' });
      const agent = await Agent.create(site, ['createTask']);
      const asked = await agent.call('createTask', { title: 'Ligar amanha' });
      const page = await open('/confirmations', { as: operator });
      await card(page, asked.confirmation_id).getByRole('heading', { level: 2 }).getByRole('link').click();
      await expect(page).toHaveURL(`/confirmations/${asked.confirmation_id}`);
      await alive(page);
      const question = card(page, asked.confirmation_id);
      await expect(question.getByRole('heading', { level: 2 }).getByRole('link'), 'no link to itself').toHaveCount(0);
      await question.getByText(t('edit_and_approve')).click();
      await question.getByLabel('title').fill('Ligar amanhã');
      await question.getByLabel(t('decision_note')).fill('Com acento');
      await question.getByRole('button', { name: t('approve_edited') }).click();
      await expect(question).toContainText(t('confirmation_status.Approved'));
      await expect(page).toHaveURL(new RegExp(`/confirmations/${asked.confirmation_id}\\??$`));
      await expect(question).toContainText('Com acento');
      await expect(question).toContainText(operator.name);
      await expect(question.locator('del')).toContainText('Ligar amanha');
      await expect(question.locator('ins')).toContainText('Ligar amanhã');
      await expect(question.getByRole('button')).toHaveCount(0);
      await question.getByRole('link', { name: t('see_execution') }).click();
      await alive(page);
      await page.getByRole('link', { name: t('see_confirmation') }).click();
      await expect(page).toHaveURL(`/confirmations/${asked.confirmation_id}`);
    });

    test('B2 whoever asked sees that somebody else decides, and who', async ({ open, site, t }) => {
      const owner = await ownerOfTheirOwn(site);
      const tool = await makeTool(site, owner, 'pagar', { 'tool[requires_second_person]': 'true' });
      const asked = await rest<Execution>(site, owner, `/tools/${tool}/execute`, { params: { titulo: 'a' } });
      const page = await open(`/confirmations/${asked.confirmation_id}`, { as: owner });
      const question = card(page, asked.confirmation_id);
      const roles = ['Owner', 'Operator'].map((role) => t(`tenant_role.${role}`)).join(', ');
      await expect(question.getByRole('note')).toHaveText(t('you_asked_yourself', roles));
      await expect(question.getByRole('button', { name: t('approve') })).toHaveCount(0);
      await expect(question.getByText(t('edit_and_approve'))).toHaveCount(0);
      await question.getByText(t('refuse'), { exact: true }).click();
      await question.getByRole('button', { name: t('refuse_call') }).click();
      await expect(question).toContainText(t('confirmation_status.Refused'));
    });

    test('B1 a refusal reaches the agent with its reason', async ({ open, site, t }) => {
      const operator = await site.person({ role: 'operator' });
      const agent = await Agent.create(site, ['createTask']);
      const asked = await agent.call('createTask', { title: 'Dar desconto de 90%' });
      const page = await open('/confirmations', { as: operator });
      const question = card(page, asked.confirmation_id);
      await question.getByText(t('refuse'), { exact: true }).click();
      await question.getByLabel(t('refusal_reason')).fill('Desconto acima da alçada');
      await question.getByRole('button', { name: t('refuse_call') }).click();
      await expect(question).toHaveCount(0);
      const ended = await agent.outcome(asked.execution_id);
      expect([ended.status, ended.error_message]).toEqual(['refused', 'Desconto acima da alçada']);
    });
  });
}

test('B10 a question is read and answered by keyboard alone', async ({ open, site, t }) => {
  const operator = await site.person({ role: 'operator' });
  const agent = await Agent.create(site, ['createTask']);
  const asked = await agent.call('createTask', { title: 'Comprar farinha' });
  const page = await open('/confirmations', { as: operator });
  const approve = card(page, asked.confirmation_id).getByRole('button', { name: t('approve') }).first();
  await page.locator('#content').focus();
  for (let steps = 0; steps < 200; steps += 1) {
    if (await approve.evaluate((button) => button === document.activeElement)) break;
    await page.keyboard.press('Tab');
  }
  await expect(approve).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(card(page, asked.confirmation_id)).toHaveCount(0);
  expect((await agent.outcome(asked.execution_id)).status).toBe('success');
});

test('B2 B10 arguments are corrected by keyboard alone', async ({ open, site, t }) => {
  const owner = await ownerOfTheirOwn(site);
  const asked = await questionIn(site, owner, { title: 'Ligar amanha' });
  const page = await open('/confirmations', { as: owner });
  const question = card(page, asked.confirmation_id);
  await page.locator('#content').focus();
  await tabTo(page, question.locator('summary', { hasText: t('edit_and_approve') }), 20);
  await page.keyboard.press('Enter');
  await tabTo(page, question.getByLabel('title'), 3);
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('Ligar amanhã às 9h');
  await tabTo(page, question.getByRole('button', { name: t('approve_edited') }), 20);
  await page.keyboard.press('Enter');
  await expect(question).toHaveCount(0);
  const { input_params } = await rest<{ input_params: object }>(site, owner, `/executions/${asked.execution_id}?wait=20`);
  expect(input_params).toMatchObject({ title: 'Ligar amanhã às 9h' });
});

test('B1 B10 a call is refused with a reason by keyboard alone', async ({ open, site, t }) => {
  const owner = await ownerOfTheirOwn(site);
  const asked = await questionIn(site, owner, { title: 'Dar desconto de 90%' });
  const page = await open('/confirmations', { as: owner });
  const question = card(page, asked.confirmation_id);
  await page.locator('#content').focus();
  await tabTo(page, question.locator('summary', { hasText: t('refuse') }), 20);
  await page.keyboard.press('Enter');
  await tabTo(page, question.getByLabel(t('refusal_reason')), 1);
  await page.keyboard.type('Acima da alçada');
  await tabTo(page, question.getByRole('button', { name: t('refuse_call') }), 1);
  await page.keyboard.press('Enter');
  await expect(question).toHaveCount(0);
  const ended = await rest<Execution>(site, owner, `/executions/${asked.execution_id}?wait=20`);
  expect([ended.status, ended.error_message]).toEqual(['refused', 'Acima da alçada']);
});

test('S20 two people: what one has decided is gone for the other, and cannot be decided again', async ({ open, console, site, t }) => {
  console.expectRefusal(409);
  const [one, two] = [await site.person({ role: 'operator' }), await site.person({ role: 'owner' })];
  const agent = await Agent.create(site, ['createTask']);
  const asked = await agent.call('createTask', { title: 'Uma vez só' });
  const [first, second] = [await open('/confirmations', { as: one }), await open('/confirmations', { as: two })];
  const late = await open('/confirmations', { as: two, javaScriptEnabled: false });
  await listening(second);
  await card(first, asked.confirmation_id).getByRole('button', { name: t('approve') }).first().click();
  await expect(card(second, asked.confirmation_id), 'without a reload').toHaveCount(0);
  await card(late, asked.confirmation_id).getByRole('button', { name: t('approve') }).first().click();
  await expect(late.getByRole('alert')).toContainText(t('error_code.AlreadyDecided'));
});

test('S20 a click that was meant for one call does not decide the one that moves into its place', async ({ open, site, t }) => {
  const operator = await ownerOfTheirOwn(site);
  const [below, above] = [await questionIn(site, operator, { title: 'Fica' }), await questionIn(site, operator, { title: 'Sai' })];
  const page = await open('/confirmations', { as: operator });
  await listening(page);
  const button = card(page, above.confirmation_id).getByRole('button', { name: t('approve') }).first();
  await button.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await button.boundingBox())!;
  const hand: [number, number] = [x + width / 2, y + height / 2];
  const met = whatAClickMeets(page, hand, above.confirmation_id!, 'gone');
  await page.mouse.click(...hand);
  expect(await met).toEqual([false, true]);
  const left = await rest<{ status: string }>(site, operator, `/confirmations/${below.confirmation_id}`);
  expect(left.status).toBe('pending');
});

test('S20 nor the one that comes into an empty inbox', async ({ open, site, t }) => {
  const operator = await ownerOfTheirOwn(site);
  const only = await questionIn(site, operator, { title: 'Sai' });
  const page = await open('/confirmations', { as: operator });
  await listening(page);
  const button = card(page, only.confirmation_id).getByRole('button', { name: t('approve') }).first();
  await button.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await button.boundingBox())!;
  const hand: [number, number] = [x + width / 2, y + height / 2];
  await page.mouse.click(...hand);
  await expect(page.locator('[data-confirmation]')).toHaveCount(0);
  const met = whatAClickMeets(page, hand, null, 'there');
  await questionIn(site, operator, { title: 'Entra' });
  expect(await met).toEqual([false, true]);
});

/** Whether a click at this place meets a card in the moment in which cards have moved (one is gone, or one is there), and after. */
function whatAClickMeets(page: Page, place: [number, number], id: string | null, until: 'gone' | 'there') {
  return page.evaluate(
    async ([[left, top], id, until]) => {
      const met = () => !!document.elementFromPoint(left, top)?.closest('[data-confirmation]');
      const card = id ? `[data-confirmation="${id}"]` : '[data-confirmation]';
      const frame = () => new Promise((go) => requestAnimationFrame(go));
      while ((document.querySelector(card) !== null) !== (until === 'there')) await frame();
      const questions = document.querySelector('.questions')!;
      const settled = new Promise<void>((go) => {
        questions.addEventListener('animationend', (event) => event.target === questions && go());
      });
      const atOnce = met();
      await settled;
      return [atOnce, met()];
    },
    [place, id, until] as const,
  );
}

test('S20 an approval that comes too late says so, after its card is gone', async ({ open, console, site, t }) => {
  console.expectRefusal(409);
  const owner = await ownerOfTheirOwn(site);
  const asked = await questionIn(site, owner, { title: 'Mudou' });
  const page = await open('/confirmations', { as: owner });
  await listening(page);
  const tools = await rest<{ data: { id: string }[] }>(site, owner, '/tools?q=createTask');
  await rest(site, owner, `/tools/${tools.data[0]!.id}`, { requires_confirmation: true }, 'PUT');
  await card(page, asked.confirmation_id).getByRole('button', { name: t('approve') }).first().click();
  await expect(card(page, asked.confirmation_id)).toHaveCount(0);
  await expect(page.getByRole('alert')).toContainText(t('error_code.BindingChanged'));
});

test('news leaves alone what somebody is writing in another question', async ({ open, site, t }) => {
  const operator = await site.person({ role: 'operator' });
  const agent = await Agent.create(site, ['createTask']);
  const [old, mine] = [await agent.call('createTask', { title: 'Primeira' }), await agent.call('createTask', { title: 'Segunda' })];
  const page = await open('/confirmations', { as: operator });
  await listening(page);
  const question = card(page, mine.confirmation_id);
  await question.getByText(t('refuse'), { exact: true }).click();
  const reason = question.getByLabel(t('refusal_reason'));
  await reason.fill('Ainda escrevendo');
  const fresh = await agent.call('createTask', { title: 'Terceira' });
  await expect(card(page, fresh.confirmation_id), 'one more above').toBeVisible();
  await rest(site, site.admin, `/confirmations/${old.confirmation_id}/refuse`, {});
  await expect(card(page, old.confirmation_id), 'one less below').toHaveCount(0);
  await expect(reason).toHaveValue('Ainda escrevendo');
  await expect(reason).toBeFocused();
});

test('D5 roles: some decide, some look, some see nothing', async ({ open, site, t }) => {
  const agent = await Agent.create(site, ['createTask']);
  const asked = await agent.call('createTask', { title: 'Só com aval' });
  for (const role of ['manager', 'auditor'] as const) {
    const looker = await site.person({ role });
    const page = await open('/confirmations', { as: looker });
    const question = card(page, asked.confirmation_id);
    await expect(question).toContainText('Só com aval');
    await expect(question.getByRole('button'), role).toHaveCount(0);
    const refused = site.call(looker, 'approve_confirmation', { confirmation_id: asked.confirmation_id! });
    await expect(refused, role).rejects.toThrow('403');
  }
  const viewer = await site.person({ role: 'viewer' });
  const answer = await site.raw('/confirmations', viewer);
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/']);
  const home = await open('/', { as: viewer });
  await expect(navigation(home, t).getByRole('link', { name: t('nav_confirmations') })).toHaveCount(0);
});

test('S9 script among the arguments, in names and reasons is only text', async ({ open, site, t }) => {
  const operator = await site.person({ role: 'operator' });
  const agent = await Agent.create(site, ['createTask'], PAYLOAD.slice(0, 100));
  const asked = await agent.call('createTask', { title: PAYLOAD, description: `${PAYLOAD}\n</textarea>${PAYLOAD}` });
  const page = await open('/confirmations', { as: operator });
  const isHarmless = async () => {
    await alive(page);
    expect(await page.evaluate(() => '__xss' in window), page.url()).toBe(false);
    await expect(page.locator('img[src="x"]'), page.url()).toHaveCount(0);
  };
  await isHarmless();
  const question = card(page, asked.confirmation_id);
  await question.getByText(t('edit_and_approve')).click();
  await expect(question.getByLabel('description')).toHaveValue(`${PAYLOAD}\n</textarea>${PAYLOAD}`);
  await question.getByText(t('refuse'), { exact: true }).click();
  await question.getByLabel(t('refusal_reason')).fill(PAYLOAD);
  await question.getByRole('button', { name: t('refuse_call') }).click();
  await expect(question).toHaveCount(0);
  for (const path of ['/confirmations?status=refused', `/executions/${asked.execution_id}`, '/executions', '/']) {
    await page.goto(path);
    await isHarmless();
  }
});
