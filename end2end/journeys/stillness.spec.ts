// Nothing jumps while a page comes alive: what hydration, local times and news change takes the room that it had.

import type { Page } from '@playwright/test';
import { hasNews, listening } from '../fixtures/alive';
import { expect, test } from '../fixtures/journey';
import { AREAS, sightseer, type Sight } from '../fixtures/pages';

const LIMIT = 0.02;
const WIDTHS = [390, 1440];
/** Work in the background ends when it likes (a film that is looked up): a row that is new then moves the others, as it should. */
const LOOKS = 3;

interface Shift {
  value: number;
  /** What moved, and from where to where. */
  moved: string[];
}

/** Every shift since the page began that no key or click explains; the browser keeps them for who asks late. */
async function shiftsOf(page: Page): Promise<Shift[]> {
  return page.evaluate(async () => {
    interface Entry extends PerformanceEntry {
      value: number;
      hadRecentInput: boolean;
      sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[];
    }
    const nextFrame = () => new Promise((done) => requestAnimationFrame(done));
    await document.fonts.ready;
    const seen: Entry[] = [];
    const observer = new PerformanceObserver((list) => seen.push(...(list.getEntries() as Entry[])));
    observer.observe({ type: 'layout-shift', buffered: true });
    // The buffer is handed over between two frames.
    for (let frame = 0; frame < 4; frame += 1) await nextFrame();
    const box = ({ x, y, width, height }: DOMRect) => [x, y, width, height].map(Math.round).join(' ');
    const name = (node: Node | null) => (node instanceof Element ? `${node.localName}.${node.className}` : node?.nodeName);
    return seen
      .filter((entry) => !entry.hadRecentInput)
      .map(({ value, sources }) => ({
        value,
        moved: sources.map(({ node, previousRect, currentRect }) => `${name(node)}: ${box(previousRect)} → ${box(currentRect)}`),
      }));
  });
}

/** What jumped; nothing is left out but looks during which there was news, and the last counts whatever there was. */
async function jumpOf(see: (sight: Sight) => Promise<Page>, sight: Sight, looks = LOOKS): Promise<string | undefined> {
  const page = await see(sight);
  if (sight.as) await listening(page);
  const shifts = await shiftsOf(page);
  const sum = shifts.reduce((all, { value }) => all + value, 0);
  if (sum <= LIMIT) return undefined;
  if (looks > 1 && (await hasNews(page))) return jumpOf(see, sight, looks - 1);
  return `${sight.title}: ${sum.toFixed(3)}: ${shifts.flatMap(({ moved }) => moved).join('; ')}`;
}

test.describe.configure({ timeout: 600_000 });

for (const [area, sights] of Object.entries(AREAS)) {
  for (const width of WIDTHS) {
    test(`no page of ${area} jumps at ${width} px`, async ({ open, console, site, t }) => {
      console.expectRefusal(404);
      const jumps: string[] = [];
      const see = sightseer(open, { viewport: { width, height: 900 } });
      // What is opened on a page is somebody's doing; the page below it is walked anyway.
      for (const sight of (await sights(site, t)).filter(({ before }) => !before)) {
        const jump = await jumpOf(see, sight);
        if (jump) jumps.push(jump);
      }
      expect(jumps).toEqual([]);
    });
  }
}

test('a jump would be seen', async ({ open }) => {
  const page = await open('/login');
  await page.evaluate(async () => {
    const nextFrame = () => new Promise((done) => requestAnimationFrame(done));
    await nextFrame();
    document.body.prepend(Object.assign(document.createElement('pre'), { textContent: '\n'.repeat(20) }));
    await nextFrame();
  });
  const shifts = await shiftsOf(page);
  expect(shifts.reduce((all, { value }) => all + value, 0)).toBeGreaterThan(LIMIT);
});
