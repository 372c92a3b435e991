// Pictures of every page with demo data, in both themes, narrow and wide, into docs/screenshots: `page-theme-width.png`.
// With $SHOTS, every state of every page, whole, into that folder: for the eye before a change is done.

import type { Page } from '@playwright/test';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import UPNG from 'upng-js';
import { demoSights } from './fixtures/demo';
import { test } from './fixtures/journey';
import { everySight, openSidebar, sightseer, wantColours, type Sight } from './fixtures/pages';
import { startServer } from './fixtures/server';

const EVERYTHING = process.env.SHOTS;
const FOLDER = EVERYTHING ?? resolve(import.meta.dirname, '../docs/screenshots');
const THEMES = ['light', 'dark'] as const;
const SIZES = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
];
/** Flat colours and a little smoothing of letters: more would not be seen. */
const COLOURS = 64;

test.describe.configure({ timeout: 600_000 });
test.use({ contextOptions: { reducedMotion: 'reduce' } });
test.beforeAll(() => mkdir(FOLDER, { recursive: true }));

for (const viewport of SIZES) {
  test(`every page at ${viewport.width} px`, async ({ open, console, site, t }) => {
    console.expectRefusal(404, 409);
    const see = sightseer(open, { viewport });
    const sidebar: Sight = { title: 'sidebar', path: '/', as: site.admin, before: (page) => openSidebar(page, t) };
    const sights = EVERYTHING ? [...(await everySight(site, t)), sidebar] : await demoSights(site);
    for (const sight of sights) {
      // What is open is over the page: only the window of it makes sense then.
      await picture(await see(sight), sight.title, EVERYTHING !== undefined && !sight.before);
    }
  });

  test(`the first start at ${viewport.width} px`, async ({ open }) => {
    const fresh = await startServer();
    await picture(await open('/setup', { baseURL: fresh.url, viewport }), 'set-up', true);
    await fresh.stop();
  });
}

async function picture(page: Page, title: string, fullPage: boolean): Promise<void> {
  for (const theme of THEMES) {
    await wantColours(page, theme);
    const name = `${title.replace(/[^a-z0-9]+/g, '-')}-${theme}-${page.viewportSize()!.width}.png`;
    await writeFile(join(FOLDER, name), EVERYTHING ? await page.screenshot({ fullPage }) : fewColours(await page.screenshot()));
  }
}

/** The same picture with a palette: about a third of the bytes. */
function fewColours(png: Buffer): Buffer {
  const image = UPNG.decode(new Uint8Array(png).buffer);
  return Buffer.from(UPNG.encode(UPNG.toRGBA8(image), image.width, image.height, COLOURS));
}
