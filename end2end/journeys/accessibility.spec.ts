// B10: no violation on any page, in both themes, narrow and wide; and nothing to scroll sideways at 360 px.

import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures/journey';
import { AREAS, sightseer, wantColours } from '../fixtures/pages';
import { startServer } from '../fixtures/server';

const NARROW = { width: 360, height: 740 };
const WIDE = { width: 1280, height: 800 };
const THEMES = ['light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

async function violationsOn(page: Page, theme: Theme): Promise<string[]> {
  // Legacy mode: there are no frames to look into, and it saves a second page for each look.
  const axe = new AxeBuilder({ page }).setLegacyMode(true);
  // A theme changes colours and nothing else: every rule is asked in the light, those about colour in the dark as well.
  if (theme === 'dark') axe.withRules(['color-contrast', 'link-in-text-block']);
  const { violations } = await axe.analyze();
  return violations.map(({ id, help, nodes }) => {
    const places = nodes.map((node) => `${node.target} ${node.failureSummary}`);
    return `${id}: ${help}: ${places}`;
  });
}

async function sidewaysScroll(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** Colours that still fade in would be measured half-way. */
async function atRest(page: Page): Promise<void> {
  await page.evaluate(() => {
    const isEnding = ({ effect }: Animation) => effect?.getComputedTiming().endTime !== Infinity;
    const ending = document.getAnimations().filter(isEnding);
    return Promise.all(ending.map((animation) => animation.finished.catch(() => {})));
  });
}

/** What is wrong with the page as it is now; `title` says what was looked at. */
async function findings(page: Page, title: string, theme: Theme): Promise<string[]> {
  await atRest(page);
  const found = await violationsOn(page, theme);
  const sideways = await sidewaysScroll(page);
  if (sideways > 0) found.push(`${sideways} px to scroll sideways`);
  return found.map((what) => `${title}, ${theme}: ${what}`);
}

// Dozens of pages in both themes, one after the other.
test.describe.configure({ timeout: 900_000 });
test.use({ contextOptions: { reducedMotion: 'reduce' } });

for (const [area, sights] of Object.entries(AREAS)) {
  test(`B10 ${area}: no violation at 360 px in the light and dark of the system`, async ({ open, console, site, t }) => {
    console.expectRefusal(404, 409);
    const found: string[] = [];
    const see = sightseer(open, { viewport: NARROW });
    for (const sight of await sights(site, t)) {
      const page = await see(sight);
      for (const colorScheme of THEMES) {
        await wantColours(page, colorScheme);
        found.push(...(await findings(page, sight.title, colorScheme)));
      }
    }
    expect(found).toEqual([]);
  });

  for (const theme of THEMES) {
    test(`B10 ${area}: no violation at 1280 px in the ${theme} that was chosen`, async ({ open, console, site, t }) => {
      console.expectRefusal(404, 409);
      const found: string[] = [];
      // The system wants the other one: the choice has to win everywhere.
      const see = sightseer(open, { viewport: WIDE, colorScheme: theme === 'dark' ? 'light' : 'dark' }, { theme });
      for (const sight of await sights(site, t)) {
        const page = await see(sight);
        await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
        found.push(...(await findings(page, sight.title, theme)));
      }
      expect(found).toEqual([]);
    });
  }
}

test('B10 no violation on the first start', async ({ open }) => {
  const fresh = await startServer();
  try {
    const found: string[] = [];
    for (const viewport of [NARROW, WIDE]) {
      const page = await open('/setup', { baseURL: fresh.url, viewport });
      for (const colorScheme of THEMES) {
        await wantColours(page, colorScheme);
        found.push(...(await findings(page, `set-up, ${viewport.width} px`, colorScheme)));
      }
    }
    expect(found).toEqual([]);
  } finally {
    await fresh.stop();
  }
});
