// What the first page costs over the wire, and what a further one adds.

import type { Page } from '@playwright/test';
import { listening } from '../fixtures/alive';
import { navigation } from '../fixtures/frame';
import { expect, test } from '../fixtures/journey';

const FIRST_PAGE = 250_000;
const FURTHER_PAGE = 80_000;

/** What the page has loaded of wasm (the first file, and pieces as `bin`), script and style. */
function files(page: Page) {
  return page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .map((entry) => entry as PerformanceResourceTiming)
      .map(({ name, transferSize, encodedBodySize, decodedBodySize }) => ({
        kind: new URL(name).pathname.split('.').at(-1)!,
        transferred: transferSize,
        isCompressed: encodedBodySize < decodedBodySize,
      }))
      .filter(({ kind }) => ['wasm', 'bin', 'js', 'css'].includes(kind)),
  );
}

const bytes = (loaded: Awaited<ReturnType<typeof files>>) => loaded.reduce((sum, { transferred }) => sum + transferred, 0);

test('the first page of the dashboard stays within 250 KB of wasm, script and style, a further one within 80 KB', async ({
  open,
  console,
  site,
  t,
}) => {
  console.mindPreloads();
  // A browser of its own: nothing is cached.
  const page = await open('/', { as: site.admin });
  await listening(page);
  const first = await files(page);
  const table = JSON.stringify(first);
  expect(new Set(first.map(({ kind }) => kind)).size, table).toBe(4);
  expect(first.filter(({ transferred, isCompressed }) => transferred > 0 && !isCompressed), table).toEqual([]);
  test.info().annotations.push({ type: 'bytes over the wire', description: `${bytes(first)} ${table}` });
  expect(bytes(first), table).toBeGreaterThan(10_000);
  expect(bytes(first), table).toBeLessThanOrEqual(FIRST_PAGE);

  await navigation(page, t).getByRole('link', { name: t('nav_users') }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('users_title'));
  const further = bytes(await files(page)) - bytes(first);
  test.info().annotations.push({ type: 'bytes of a further page', description: `${further}` });
  expect(further, 'its code came when it was asked for').toBeGreaterThan(1_000);
  expect(further).toBeLessThanOrEqual(FURTHER_PAGE);
});
