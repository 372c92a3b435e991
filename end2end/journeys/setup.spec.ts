// The first start: from the code in the log to the home page.

import { alive } from '../fixtures/alive';
import { PASSWORD } from '../fixtures/installation';
import { expect, test } from '../fixtures/journey';
import { ALL_MODES, WITH_AND_WITHOUT_SCRIPTS } from '../fixtures/modes';
import { startServer, type Server } from '../fixtures/server';
import { labelOf } from '../fixtures/tools';

// A first start happens once per server, so each of these has its own.
let fresh: Server;
test.beforeEach(async () => {
  fresh = await startServer();
});
test.afterEach(async ({ browser }) => {
  // A page that is still open would ask the server that is gone for news.
  await Promise.all(browser.contexts().map((context) => context.close()));
  await fresh?.stop(); // nothing, when not even the first one started
});

for (const mode of ALL_MODES) {
  test.describe(mode.title, () => {
    test.use(mode.use);

    test('D6 from the code in the log to the home page, with demo data', async ({ open, t, locale }) => {
      const page = await open('/', { baseURL: fresh.url });
      await expect(page, 'every page leads to the set-up').toHaveURL('/setup');
      await expect(page.locator('html')).toHaveAttribute('lang', locale!.startsWith('pt') ? 'pt-BR' : 'en');
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('setup_title'));

      await page.getByLabel(t('setup_code')).fill(await fresh.setupCode());
      await page.getByLabel(t('your_name')).fill('Ana Lúcia');
      await page.getByLabel(t('email')).fill('ana@example.org');
      await page.getByLabel(t('password')).fill(PASSWORD);
      await page.getByLabel(t('organisation_name')).fill('Oficina do Zé');
      await page.getByLabel(t('demo_data')).check();
      await page.getByRole('button', { name: t('setup_submit') }).click();

      await expect(page).toHaveURL('/');
      await alive(page);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('greeting', 'Ana Lúcia'));
      await expect(page.getByRole('listitem').filter({ hasText: labelOf('save_note', t) })).toBeVisible();

      // The demo data is a second organisation to change to.
      const organisation = (name: string) => page.getByRole('complementary').getByRole('button', { name });
      await organisation('Oficina do Zé').first().click();
      await organisation('Padaria Exemplo').click();
      await expect(page.getByRole('main')).toContainText(t('home_role', 'Padaria Exemplo', t('tenant_role.Owner')));

      await page.goto('/setup');
      await expect(page, 'the set-up is over').toHaveURL('/');
      await alive(page);
    });
  });
}

for (const mode of WITH_AND_WITHOUT_SCRIPTS) {
  test.describe(mode.title, () => {
    test.use(mode.use);

    test('D6 what is refused says why, keeps what was typed but the password, and creates nobody', async ({ open, t }) => {
      const page = await open('/setup', { baseURL: fresh.url });
      await page.getByLabel(t('setup_code')).fill('AAAA-BBBB-CCCC-DDDD');
      await page.getByLabel(t('your_name')).fill('Ana');
      await page.getByLabel(t('email')).fill('ana@example.org');
      await page.getByLabel(t('password')).fill(PASSWORD);
      await page.getByLabel(t('organisation_name')).fill('Oficina');
      await page.getByLabel(t('demo_data')).check();
      await page.getByRole('button', { name: t('setup_submit') }).click();
      await expect(page.getByRole('alert')).toContainText(t('error_code.InvalidSetupCode'));
      await alive(page);

      // Only what was wrong is typed again, and the password.
      await expect(page.getByLabel(t('setup_code'))).toHaveValue('AAAA-BBBB-CCCC-DDDD');
      await expect(page.getByLabel(t('password'))).toHaveValue('');
      const code = await fresh.setupCode();
      await page.getByLabel(t('setup_code')).fill(code);
      await page.getByLabel(t('password')).fill('curta');
      await page.getByRole('button', { name: t('setup_submit') }).click();
      await expect(page.getByRole('alert')).toContainText(t('field_code.TooShort'));
      await alive(page);
      await expect(page.getByLabel(t('setup_code'))).toHaveValue(code);
      await expect(page.getByLabel(t('your_name'))).toHaveValue('Ana');
      await expect(page.getByLabel(t('email'))).toHaveValue('ana@example.org');
      await expect(page.getByLabel(t('organisation_name'))).toHaveValue('Oficina');
      await expect(page.getByLabel(t('demo_data'))).toBeChecked();
      await expect(page.getByLabel(t('password'))).toHaveValue('');
      await page.goto('/login');
      await expect(page).toHaveURL('/setup');
      await alive(page);
    });
  });
}
