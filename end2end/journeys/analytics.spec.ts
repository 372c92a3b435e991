// Statistics: charts that can be read without seeing them, by tool and by agent, the period in the address.

import { alive } from '../fixtures/alive';
import { navigation } from '../fixtures/frame';
import { expect, test } from '../fixtures/journey';
import { ALL_MODES } from '../fixtures/modes';
import { newcomer, someCalls } from '../fixtures/organisation';

for (const mode of ALL_MODES) {
  test.describe(mode.title, () => {
    test.use(mode.use);

    test('T18 calls and errors are counted, drawn and told in a table', async ({ open, site, t }) => {
      const tenant = await site.tenant(site.unique('Oficina'));
      const owner = await site.person({ role: 'owner', tenant });
      // Calls are counted by the hour: what is made together has to fall into one.
      const left = 3_600_000 - (Date.now() % 3_600_000);
      if (left < 45_000) await new Promise((go) => setTimeout(go, left + 500));
      await someCalls(site, owner);
      const viewer = await site.person({ role: 'viewer', tenant });
      const page = await open('/', { as: viewer });
      await navigation(page, t).getByRole('link', { name: t('nav_analytics') }).click();
      await expect(page).toHaveURL('/analytics');
      await alive(page);

      await expect(page.getByRole('img', { name: t('analytics_chart_calls') })).toBeVisible();
      await expect(page.getByRole('img', { name: t('analytics_chart_latency') })).toBeVisible();
      await expect(page.locator('.chart-bar.tone-calls')).toHaveCount(1);
      const marks = page.locator('.chart-moment');
      if (mode.javaScriptEnabled) {
        const [, utc] = /class="chart-moment"[^>]*>([^<]+)</.exec(await (await site.raw('/analytics', viewer)).text())!;
        await expect(marks.first(), 'in the zone of whoever looks').not.toHaveText(utc!);
      }
      await expect(marks, 'short enough to stand apart in every language').toHaveText(Array(16).fill(/^\d\d:00$/));
      const tools = page.getByRole('table', { name: t('analytics_by_tool') });
      const cells = (row: string) => tools.getByRole('row', { name: row }).getByRole('cell');
      await expect(cells('createTask').nth(1)).toHaveText('3');
      await expect(cells('sendEmail').nth(2)).toHaveText('1');
      await expect(cells('sendEmail').nth(3)).toHaveText('100%');
      const agents = page.getByRole('table', { name: t('analytics_by_agent') });
      await expect(agents.getByRole('row', { name: 'Vendas' }).getByRole('cell').nth(1)).toHaveText('4');

      await page.getByText(t('analytics_table'), { exact: true }).first().click();
      const steps = page.getByRole('table', { name: t('analytics_table') });
      await expect(steps.getByRole('row').last().getByRole('cell').nth(1)).toHaveText('4');

      await tools.getByRole('link', { name: 'sendEmail' }).click();
      await expect(page).toHaveURL(/\/analytics\?tool=/);
      await expect(page.getByText(t('analytics_only', 'sendEmail'))).toBeVisible();
      await alive(page);
      await page.getByRole('link', { name: t('analytics_30d') }).click();
      await expect(page).toHaveURL(/tool=.*&range=30d/);
      await expect(page.getByText(t('analytics_only', 'sendEmail'))).toBeVisible();
      await alive(page);
      await page.getByRole('link', { name: t('analytics_all') }).click();
      await expect(page).toHaveURL('/analytics?range=30d');
      await expect(page.getByRole('link', { name: t('analytics_30d') })).toHaveAttribute('aria-current', 'page');
      await alive(page);
    });

    test('nothing called yet is said', async ({ open, site, t }) => {
      const page = await open('/analytics?range=7d', { as: await newcomer(site) });
      await expect(page.getByText(t('analytics_empty_title'))).toBeVisible();
    });
  });
}

test('an unknown period or tool is refused on the page', async ({ open, console, site, t }) => {
  console.expectRefusal(422, 404);
  const page = await open('/analytics?range=forever', { as: await newcomer(site) });
  await expect(page.getByRole('alert')).toContainText(t('load_failed'));
  await page.goto('/analytics?agent=%22%3E%3Cscript%3Ewindow.__xss%3D1%3C%2Fscript%3E');
  await alive(page);
  expect(await page.evaluate(() => '__xss' in window)).toBe(false);
});
