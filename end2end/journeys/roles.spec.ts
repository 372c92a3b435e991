// D5: every page of an organisation × five roles × two languages × JavaScript on and off. What a role may not do is not
// there: no link to it, no action, no byte of the page.

import type { Page } from '@playwright/test';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { alive } from '../fixtures/alive';
import { navigation } from '../fixtures/frame';
import { houseOf, ROLES, roomsOf, type Room } from '../fixtures/house';
import type { Role } from '../fixtures/installation';
import { expect, test } from '../fixtures/journey';
import { ALL_MODES } from '../fixtures/modes';

/** Where the links of the page lead, menu included. */
async function destinations(page: Page): Promise<string[]> {
  return page.locator('a[href^="/"]').evaluateAll((links) => links.map((link) => link.getAttribute('href')!.split('?')[0]!));
}

function beginning(name: string): RegExp {
  return new RegExp(`^${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`);
}

async function looksAround(page: Page, room: Room, role: Role, closed: Room[]): Promise<void> {
  await page.goto(room.path);
  await alive(page);
  await expect(page, 'let in').toHaveURL(room.path);
  await expect(page.getByRole('main').getByRole('heading', { level: 1 }), room.path).toBeVisible();
  for (const { kind, name, who } of room.acts) {
    const act = page.getByRole('main').getByRole(kind, { name: beginning(name) });
    const what = `${name} on ${room.path}`;
    if (who.includes(role)) await expect(act.first(), what).toBeVisible();
    else await expect(act, what).toHaveCount(0);
  }
  const links = await destinations(page);
  expect(closed.filter(({ path }) => links.includes(path)), `no link of ${room.path} leads to a refusal`).toEqual([]);
}

async function isLedAway(page: Page, { path }: Room): Promise<void> {
  const answer = await page.request.get(path, { maxRedirects: 0 });
  expect([answer.status(), answer.headers()['location']], path).toEqual([303, '/']);
  expect((await answer.body()).byteLength, path).toBe(0);
}

/** The router of an open page takes links without asking the server; it has to know as well. */
async function isLedAwayInside(page: Page, { path }: Room): Promise<void> {
  await page.goto('/account');
  await alive(page);
  await page.evaluate((href) => {
    document.querySelector('main')!.prepend(Object.assign(document.createElement('a'), { href, id: 'elsewhere', textContent: 'x' }));
  }, path);
  await page.locator('#elsewhere').click();
  await expect(page, path).toHaveURL('/');
}

const ROUTES = resolve(import.meta.dirname, '../../app/src/route.rs');
/** For strangers; and records, which are one page with seven names: contacts stand for them. */
const LEFT_OUT = /^\/(login|setup|invite\/:token|(pipelines?|tasks|products|conversations|scheduled)\/(:id|new))$/;

test('D5 no page is left out of the table', async ({ site, t }) => {
  const known = roomsOf(await houseOf(site), t).map(({ path }) => path);
  const paths = [...readFileSync(ROUTES, 'utf8').matchAll(/\bpath: "(\/[^"]*)"/g)].map(([, path]) => path!);
  expect(paths.length).toBeGreaterThan(40);
  const isKnown = (path: string) => known.some((one) => new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`).test(one));
  expect(paths.filter((path) => !LEFT_OUT.test(path) && !isKnown(path))).toEqual([]);
});

test.describe.configure({ timeout: 300_000 });

for (const mode of ALL_MODES) {
  test.describe(mode.title, () => {
    test.use(mode.use);

    for (const role of ROLES) {
      test(`D5 what is there for a ${role}, and nothing else`, async ({ open, site, t }) => {
        const house = await houseOf(site);
        const rooms = roomsOf(house, t);
        const [mine, closed] = [rooms.filter(({ who }) => who.includes(role)), rooms.filter(({ who }) => !who.includes(role))];
        const page = await open('/', { as: await site.person({ role, tenant: house.tenant }) });
        await expect(page.locator('html')).toHaveAttribute('lang', mode.use.locale.startsWith('pt') ? /^pt/ : /^en/);
        const links = await navigation(page, t).getByRole('link').evaluateAll((all) => all.map((link) => link.getAttribute('href')));
        expect(links.sort()).toEqual(mine.filter(({ isInNavigation }) => isInNavigation).map(({ path }) => path).sort());
        for (const room of mine) await looksAround(page, room, role, closed);
        for (const room of closed) await isLedAway(page, room);
        if (mode.javaScriptEnabled) await isLedAwayInside(page, closed.at(0)!);
      });
    }
  });
}
