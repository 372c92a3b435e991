// What the first page costs over the wire.

import { expect, test } from '../fixtures/journey';

const BUDGET = 200_000;

test('the first page of the dashboard stays within 200 KB of wasm, script and style', async ({ open, site }) => {
  // A browser of its own: nothing is cached.
  const page = await open('/', { as: site.admin });
  await expect(page.locator('html[data-listening]'), 'everything is here').toBeAttached();
  const files = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .map((entry) => entry as PerformanceResourceTiming)
      .map(({ name, transferSize, encodedBodySize, decodedBodySize }) => ({
        kind: new URL(name).pathname.split('.').at(-1)!,
        transferred: transferSize,
        isCompressed: encodedBodySize < decodedBodySize / 2,
      }))
      .filter(({ kind }) => ['wasm', 'js', 'css'].includes(kind)),
  );
  const table = JSON.stringify(files);
  expect(new Set(files.map(({ kind }) => kind)).size, table).toBe(3);
  expect(files.filter(({ transferred, isCompressed }) => transferred > 0 && !isCompressed), table).toEqual([]);
  const total = files.reduce((sum, { transferred }) => sum + transferred, 0);
  test.info().annotations.push({ type: 'bytes over the wire', description: `${total} ${table}` });
  expect(total, table).toBeGreaterThan(10_000);
  expect(total, table).toBeLessThanOrEqual(BUDGET);
});
