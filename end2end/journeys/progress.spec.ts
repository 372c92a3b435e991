// D6: long work says at once that it is under way, is not begun twice, and ends in a clear outcome.

import type { Page } from '@playwright/test';
import { questionIn } from '../fixtures/agents';
import { listening } from '../fixtures/alive';
import { expect, test } from '../fixtures/journey';
import { ownerOfTheirOwn } from '../fixtures/toolbox';

/** Answers of that function are held back: how many were asked for, and what lets them come. */
async function held(page: Page, name: string): Promise<{ asked: () => number; release: () => void }> {
  let [asked, release] = [0, () => {}];
  const come = new Promise<void>((done) => (release = done));
  await page.route(`**/fn/${name}`, async (route) => {
    asked += 1;
    const answer = await route.fetch();
    await come;
    await route.fulfill({ response: answer });
  });
  return { asked: () => asked, release };
}

for (const locale of ['pt-BR', 'en-US']) {
  test.describe(locale, () => {
    test.use({ locale });

    test('D6 the check of the record says that it is under way, and for how long', async ({ open, site, t }) => {
      const page = await open('/audit', { as: await ownerOfTheirOwn(site) });
      const check = await held(page, 'verify_audit_log');
      const button = page.getByRole('button', { name: t('audit_verify') });
      await button.click();
      await expect(page.getByRole('status').filter({ hasText: t('working') })).toBeVisible();
      await expect(button).toHaveAttribute('aria-disabled', 'true');
      await expect(page.locator('.working')).toContainText(/\b([2-9]|\d{2,}) s/);
      await button.dispatchEvent('click');
      check.release();
      await expect(page.getByText(t('working'))).toHaveCount(0);
      await expect(page.getByRole('status').filter({ hasText: t('audit_holds', '1') })).toBeVisible();
      expect(check.asked(), 'asked once').toBe(1);
    });

    test('D6 a call in the test console says that it runs, and what came of it', async ({ open, site, t }) => {
      const page = await open('/tools?q=searchProducts', { as: await ownerOfTheirOwn(site) });
      await page.getByRole('row').filter({ hasText: 'searchProducts' }).getByRole('link').click();
      await page.getByRole('link', { name: t('tab_test') }).click();
      await page.getByLabel(/^query/).fill('bolo');
      const call = await held(page, 'try_tool');
      const button = page.getByRole('button', { name: t('trial_run') });
      await button.click();
      await expect(page.getByRole('status').filter({ hasText: t('working') })).toBeVisible();
      await button.dispatchEvent('click');
      call.release();
      await expect(page.getByRole('heading', { name: t('trial_result') })).toBeVisible();
      await expect(page.getByText(t('working'))).toHaveCount(0);
      expect(call.asked(), 'called once').toBe(1);
    });
  });
}

test('D6 an approval whose call runs on says so, though its card is gone, and then how it ended', async ({ open, site, t }) => {
  const owner = await ownerOfTheirOwn(site);
  const asked = await questionIn(site, owner, { title: 'Demora' });
  const page = await open('/confirmations', { as: owner });
  await listening(page);
  const approval = await held(page, 'approve_confirmation');
  const card = page.locator(`[data-confirmation="${asked.confirmation_id}"]`);
  await card.getByRole('button', { name: t('approve') }).first().click();
  await expect(card, 'decided: the news is faster than the answer').toHaveCount(0);
  await expect(page.getByText(t('approved_running'))).toBeVisible();
  approval.release();
  await expect(page.getByText(t('approved_running'))).toHaveCount(0);
  await expect(page.getByText(t('approved_done'))).toBeVisible();
  expect(approval.asked()).toBe(1);
});

test('D6 a card that was there before the news still says what becomes of it', async ({ open, console, site, t }) => {
  console.expectRefusal(409);
  const owner = await ownerOfTheirOwn(site);
  const first = await questionIn(site, owner, { title: 'A primeira' });
  const page = await open('/confirmations', { as: owner });
  await listening(page);
  const second = await questionIn(site, owner, { title: 'A segunda' });
  await expect(page.locator(`[data-confirmation="${second.confirmation_id}"]`)).toBeVisible();
  const card = page.locator(`[data-confirmation="${first.confirmation_id}"]`);
  let release = () => {};
  const come = new Promise<void>((done) => (release = done));
  await page.route('**/fn/approve_confirmation', async (route) => {
    await come;
    await route.fulfill({
      status: 409,
      contentType: 'application/json',
      body: JSON.stringify({ code: 'binding_changed', detail: '', errors: [], retry_after: null }),
    });
  });
  await card.getByRole('button', { name: t('approve') }).first().click();
  await expect(card.getByRole('status').filter({ hasText: t('working') })).toBeVisible();
  release();
  await expect(card.getByRole('alert')).toContainText(t('error_code.BindingChanged'));
  await expect(card.getByText(t('working'))).toHaveCount(0);
});
