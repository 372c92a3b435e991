// What the first page costs over the wire.

import { expect, test } from '../fixtures/journey';

const BUDGET = 200_000;
const COUNTED = ['application/wasm', 'text/javascript', 'text/css'];

test('the first page of the dashboard stays within 200 KB of wasm, script and style', async ({ open, site }) => {
  // Cookies, but nothing cached: a browser of its own.
  const page = await open('/login');
  await page.context().addCookies(site.admin.state.cookies);
  const session = await page.context().newCDPSession(page);
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  const counted: Promise<[string, number, string]>[] = [];
  page.on('requestfinished', (request) => {
    counted.push(
      (async () => {
        const response = (await request.response())!;
        const { 'content-type': type = '', 'content-encoding': encoding = 'none' } = await response.allHeaders();
        const isCounted = COUNTED.some((kind) => type.startsWith(kind));
        return [new URL(request.url()).pathname, isCounted ? (await request.sizes()).responseBodySize : 0, encoding];
      })(),
    );
  });
  await page.goto('/');
  await expect(page.locator('html[data-listening]')).toBeAttached();
  const files = (await Promise.all(counted)).filter(([, size]) => size > 0);
  const total = files.reduce((sum, [, size]) => sum + size, 0);
  test.info().annotations.push({ type: 'bytes', description: `${total}: ${JSON.stringify(files)}` });
  expect(files.map(([, , encoding]) => encoding), 'wasm, script and style, compressed').toEqual(['br', 'br', 'br']);
  expect(total, JSON.stringify(files)).toBeLessThanOrEqual(BUDGET);
});
