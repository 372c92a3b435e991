// Signing in and out.

import { alive } from '../fixtures/alive';
import { signIn, signOut } from '../fixtures/frame';
import { expect, test } from '../fixtures/journey';
import { ALL_MODES } from '../fixtures/modes';

for (const mode of ALL_MODES) {
  test.describe(mode.title, () => {
    test.use(mode.use);

    test('a wrong password is refused, the right one leads to the page that was wanted', async ({ open, site, t }) => {
      const person = await site.stranger({ role: 'owner' });
      const page = await open('/members?x=1');
      await expect(page).toHaveURL('/login?next=/members%3Fx%3D1');

      await signIn(page, { email: person.email, password: 'não é essa' }, t);
      await expect(page.getByRole('alert')).toHaveText(t('error_code.InvalidCredentials'));
      await alive(page);
      await expect(page.getByLabel(t('password'))).toHaveValue('');
      if (mode.javaScriptEnabled) {
        await expect(page.getByLabel(t('email')), 'the e-mail is kept').toHaveValue(person.email);
        await expect(page, 'a reload does not show the error again').not.toHaveURL(/__err/);
      }

      await signIn(page, person, t);
      await expect(page).toHaveURL('/members?x=1');
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('members_title'));
      await alive(page);

      await signOut(page, t);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('sign_in'));
      await page.goto('/members');
      await expect(page, 'signed out').toHaveURL('/login?next=/members');
      await alive(page);
    });
  });
}

test('`next` never leads to another site, and nobody signs in twice', async ({ open, site, t }) => {
  const person = await site.stranger({ role: 'viewer' });
  const page = await open('/login?next=https://example.org/');
  await signIn(page, person, t);
  await expect(page).toHaveURL('/');
  await page.goto('/login');
  await expect(page).toHaveURL('/');
  await alive(page);
});
