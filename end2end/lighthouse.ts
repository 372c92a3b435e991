// Home, tools and executions with demo data, as on a desktop; the figures of docs/figures.md.

import { expect } from '@playwright/test';
import { launch } from 'chrome-launcher';
import lighthouse, { desktopConfig } from 'lighthouse';
import { test } from './fixtures/journey';

const PAGES = { home: '/', tools: '/tools', executions: '/executions' };
const LEAST: Record<string, number> = { performance: 95, accessibility: 100, 'best-practices': 100 };
/** Whatever else runs on the machine makes performance worse and never better: the best of these counts. */
const TRIES = 3;

interface Look {
  scores: Record<string, number>;
  /** What kept the page from a full score. */
  faults: string[];
}

async function lookAt(url: string, cookie: string, port: number): Promise<Look> {
  const flags = { port, extraHeaders: { cookie }, onlyCategories: Object.keys(LEAST), logLevel: 'error' } as const;
  const result = await lighthouse(url, { ...flags, onlyCategories: [...flags.onlyCategories] }, desktopConfig);
  const { categories, audits, runtimeError, finalDisplayedUrl } = result!.lhr;
  if (runtimeError) throw new Error(runtimeError.message);
  expect(finalDisplayedUrl, 'signed in').toBe(url);
  const scores = Object.entries(categories).map(([name, { score }]) => [name, Math.round((score ?? 0) * 100)]);
  const counted = Object.values(categories).flatMap(({ auditRefs }) => auditRefs.filter(({ weight }) => weight > 0));
  const faults = counted
    .map(({ id }) => audits[id]!)
    .filter(({ score }) => score !== null && score < 1)
    .map(({ id, displayValue, score }) => `${id} ${displayValue ?? score}`);
  return { scores: Object.fromEntries(scores), faults };
}

const holds = ({ scores }: Look) => Object.entries(LEAST).every(([name, least]) => scores[name]! >= least);

test('home, tools and executions: performance 95, accessibility 100, best practices 100', async ({ site }) => {
  const owner = await site.person({ role: 'owner', tenant: await site.demo() });
  const cookie = owner.state.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  const chromePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
  const chromium = await launch({ chromePath, chromeFlags: ['--headless=new', '--no-sandbox'] });
  const table: string[] = [];
  const short: string[] = [];
  try {
    for (const [name, path] of Object.entries(PAGES)) {
      let best: Look | undefined;
      for (let tried = 0; tried < TRIES && !(best && holds(best)); tried += 1) {
        const look = await lookAt(`${site.server.url}${path}`, cookie, chromium.port);
        if (!best || look.scores.performance! > best.scores.performance!) best = look;
      }
      table.push(`| ${[name, ...Object.keys(LEAST).map((category) => best!.scores[category])].join(' | ')} |`);
      if (!holds(best!)) short.push(`${name}: ${JSON.stringify(best!.scores)}: ${best!.faults.join('; ')}`);
    }
  } finally {
    chromium.kill();
  }
  console.log([`| page | ${Object.keys(LEAST).join(' | ')} |`, '|---|---|---|---|', ...table].join('\n'));
  expect(short).toEqual([]);
});
