// Every page in both themes, narrow and wide, in Portuguese; into $SHOTS, or screenshots/ in the temporary folder.

import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from './fixtures/journey';
import { everySight, openSidebar, sightseer, wantColours, type Sight } from './fixtures/pages';
import { startServer } from './fixtures/server';

const FOLDER = process.env.SHOTS ?? join(tmpdir(), 'screenshots');
const THEMES = ['light', 'dark'] as const;

test.describe.configure({ timeout: 180_000 });
test.use({ contextOptions: { reducedMotion: 'reduce' } });
test.beforeAll(() => mkdir(FOLDER, { recursive: true }));

for (const width of [390, 1440]) {
  test(`every page at ${width} px`, async ({ open, console, site, t }) => {
    console.expectRefusal(404);
    const viewport = { width, height: width < 1000 ? 844 : 900 };
    const see = sightseer(open, { viewport });
    const sidebar: Sight = { title: 'sidebar', path: '/', as: site.admin, before: (page) => openSidebar(page, t) };
    for (const sight of [...(await everySight(site, t)), sidebar]) {
      const page = await see(sight);
      for (const colorScheme of THEMES) {
        await wantColours(page, colorScheme);
        // What is open is over the page: only the window of it makes sense then.
        const path = join(FOLDER, `${name(sight.title)}-${width}-${colorScheme}.png`);
        await page.screenshot({ path, fullPage: !sight.before });
      }
    }
  });

  test(`the first start at ${width} px`, async ({ open }) => {
    const fresh = await startServer();
    const page = await open('/setup', { baseURL: fresh.url, viewport: { width, height: 900 } });
    for (const colorScheme of THEMES) {
      await wantColours(page, colorScheme);
      await page.screenshot({ path: join(FOLDER, `set-up-${width}-${colorScheme}.png`), fullPage: true });
    }
    await fresh.stop();
  });
}

function name(title: string): string {
  return title.replace(/[^a-z0-9]+/g, '-');
}
