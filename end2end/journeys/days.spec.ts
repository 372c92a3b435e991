// A day of a filter is a day where the reader is, as the times beside it are.

import type { Page } from '@playwright/test';
import { rest } from '../fixtures/agents';
import { alive } from '../fixtures/alive';
import type { Texts } from '../fixtures/catalogue';
import { expect, test } from '../fixtures/journey';

interface Call {
  id: string;
  executed_at: string;
}

const ZONE = 'America/Sao_Paulo';
/** As fields for days write it. */
const dayOf = (call: Call) => new Date(call.executed_at).toLocaleDateString('sv-SE', { timeZone: ZONE });

const dayFields = (page: Page, t: Texts) =>
  [t('filter_from'), t('filter_to')].map((label) => page.getByLabel(label, { exact: true }));

test('T9 a day of the history is a day in São Paulo, for whoever reads it there', async ({ open, site, t }) => {
  // Calls of some days, at all hours.
  const owner = await site.person({ role: 'owner', tenant: await site.demo() });
  const { data: calls } = await rest<{ data: Call[] }>(site, owner, '/executions?limit=200');
  const yesterday = [...new Set(calls.map(dayOf))][1]!;
  const wanted = calls.filter((call) => dayOf(call) === yesterday).map(({ id }) => id);
  const late = calls.find(({ id }) => id === wanted[0])!;
  expect(late.executed_at.slice(0, 10) > yesterday, 'in UTC it is the next day already').toBe(true);

  const page = await open('/executions', { as: owner, timezoneId: ZONE });
  for (const field of dayFields(page, t)) await field.fill(yesterday);
  await page.getByRole('button', { name: t('filter'), exact: true }).click();
  await expect(page).toHaveURL(`/executions?from=${yesterday}&to=${yesterday}`);
  const isShown = async () => {
    await expect(page.locator('[data-execution]').first()).toHaveAttribute('data-execution', wanted[0]!);
    await expect(page.getByText(t('days_in_utc'))).toHaveCount(0);
  };
  await isShown();
  const file = await page.getByRole('link', { name: t('export_jsonl') }).getAttribute('href');
  const lines = (await (await site.raw(file!, owner)).text()).trim().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as Call).id), 'the file has the whole day and nothing else').toEqual(wanted);

  await page.reload();
  await alive(page);
  await isShown();
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('T9 B4 days are those of UTC, and the page says so', async ({ open, site, t }) => {
    for (const path of ['/executions', '/audit']) {
      const page = await open(path, { as: site.admin });
      await expect(page.getByText(t('days_in_utc')), path).toBeVisible();
      for (const field of dayFields(page, t)) await expect(field, path).toHaveAccessibleDescription(t('days_in_utc'));
    }
  });
});
