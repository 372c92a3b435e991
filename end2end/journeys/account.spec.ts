// A person's own account.

import type { Page } from '@playwright/test';
import { alive, listening } from '../fixtures/alive';
import type { Texts } from '../fixtures/catalogue';
import { accountMenuButton, signIn } from '../fixtures/frame';
import { PASSWORD } from '../fixtures/installation';
import { expect, test } from '../fixtures/journey';
import { WITH_AND_WITHOUT_SCRIPTS } from '../fixtures/modes';

function sessionRows(page: Page, t: Texts) {
  return page.getByRole('table', { name: t('sessions') }).getByRole('row').filter({ has: page.getByRole('cell') });
}

async function changePassword(page: Page, current: string, next: string, t: Texts): Promise<void> {
  await page.getByLabel(t('current_password')).fill(current);
  await page.getByLabel(t('new_password')).fill(next);
  await page.getByRole('button', { name: t('change_password') }).click();
}

for (const mode of WITH_AND_WITHOUT_SCRIPTS) {
  test.describe(mode.title, () => {
    test.use(mode.use);

    test('a new name is everywhere at once', async ({ open, site, t }) => {
      const page = await open('/account', { as: await site.person({ role: 'viewer' }) });
      await page.getByLabel(t('name'), { exact: true }).fill('Zélia Duncan');
      await page.getByRole('button', { name: t('save') }).click();
      await expect(page.getByRole('status').filter({ hasText: t('saved') })).toBeVisible();
      await expect(accountMenuButton(page, t)).toContainText('Zélia Duncan');
      await alive(page);
      await page.goto('/');
      await alive(page);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('greeting', 'Zélia Duncan'));
    });

    test('language and colours are remembered, also by a new page', async ({ open, site, t }) => {
      const page = await open('/account', { as: await site.person({ role: 'viewer' }) });
      const html = page.locator('html');
      const choice = (group: string, name: string) =>
        page.getByRole('main').getByLabel(group, { exact: true }).getByRole('button', { name, exact: true });
      await choice(t('theme_label'), t('theme.Dark')).click();
      await expect(html).toHaveAttribute('data-theme', 'dark');
      await expect(choice(t('theme_label'), t('theme.Dark'))).toHaveAttribute('aria-pressed', 'true');
      await alive(page);
      await choice(t('language_label'), 'English').click();
      await expect(html).toHaveAttribute('lang', 'en');
      await expect(page).toHaveURL('/account');
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your account');
      await alive(page);

      const next = await page.context().newPage();
      await next.goto('/');
      await expect(next.locator('html')).toHaveAttribute('lang', 'en');
      await expect(next.locator('html')).toHaveAttribute('data-theme', 'dark');
      const colour = () => next.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
      expect(await colour()).toBe('dark');
    });

    test('a session can be ended from another one', async ({ open, console, site, t }) => {
      console.expectRefusal(401);
      const person = await site.stranger({ role: 'viewer' });
      const [here, there] = [await open('/login?next=/account'), await open('/login')];
      for (const page of [there, here]) await signIn(page, person, t);
      await expect(there).toHaveURL('/');
      await listening(there);
      await expect(here).toHaveURL('/account');
      await alive(here);

      await expect(sessionRows(here, t)).toHaveCount(2);
      await expect(sessionRows(here, t).filter({ hasText: t('session_current') })).toHaveCount(1);
      await here.getByRole('button', { name: t('session_end_named', 'Chrome · Linux') }).click();
      await expect(sessionRows(here, t)).toHaveCount(1);
      if (!mode.javaScriptEnabled) await there.reload();
      await expect(there).toHaveURL(/\/login/);
      await alive(there);
      await here.reload();
      await expect(here, 'this one goes on').toHaveURL(/\/account\??$/);
      await alive(here);
    });

    test('a new password signs out every other session', async ({ open, console, site, t }) => {
      console.expectRefusal(401, 422);
      const person = await site.person({ role: 'viewer' });
      const there = await open('/', { as: { ...person, state: await site.signIn(person) } });
      await listening(there);
      const here = await open('/account', { as: person });

      await changePassword(here, 'não é essa', 'quatro pratos de trigo', t);
      await expect(here.getByRole('alert')).toContainText(t('current_password'));
      await alive(here);
      await changePassword(here, person.password, 'quatro pratos de trigo', t);
      const words = mode.javaScriptEnabled ? t('password_changed') : t('saved');
      await expect(here.getByRole('status').filter({ hasText: words })).toBeVisible();
      await alive(here);

      if (!mode.javaScriptEnabled) await there.reload();
      await expect(there).toHaveURL(/\/login/);
      await alive(there);
      await here.reload();
      await expect(here).toHaveURL(/\/account\??$/);
      await alive(here);
      await expect(sessionRows(here, t)).toHaveCount(1);
      await expect(site.signIn(person)).rejects.toThrow('401');
      await expect(site.signIn({ ...person, password: 'quatro pratos de trigo' })).resolves.toBeTruthy();
    });
  });
}

test('whoever changes the password stays signed in, also on a slow connection', async ({ open, site, t }) => {
  const page = await open('/account', { as: await site.person({ role: 'viewer' }) });
  await listening(page);
  // The news of the change then reaches the page before the answer to its own request does.
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  const slow = { offline: false, latency: 400, downloadThroughput: -1, uploadThroughput: -1 };
  await session.send('Network.emulateNetworkConditions', slow);
  await changePassword(page, PASSWORD, 'quatro pratos de trigo', t);
  await expect(page.getByRole('status').filter({ hasText: t('password_changed') })).toBeVisible();
  await page.reload();
  await expect(page).toHaveURL('/account');
  await alive(page);
});
