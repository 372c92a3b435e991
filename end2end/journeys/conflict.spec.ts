// Two administrators use the same switch at the same moment.

import { alive, listening } from '../fixtures/alive';
import { expect, test } from '../fixtures/journey';
import { WITH_AND_WITHOUT_SCRIPTS } from '../fixtures/modes';
import { rowOf, switchOf, switchWithReason } from '../fixtures/tools';

for (const mode of WITH_AND_WITHOUT_SCRIPTS) {
  test.describe(mode.title, () => {
    test.use(mode.use);

    test('G7 the late one learns of it and sees the true state', async ({ open, console, site, t }) => {
      console.expectRefusal(409);
      const other = await site.person({ isAdmin: true });
      const late = await open('/admin/tools', { as: other });
      const first = await open('/admin/tools', { as: site.admin });
      await listening(late);
      // "At the same moment" is before the news reaches the second page: it is held back here.
      let release = () => {};
      const arrived = new Promise<void>((done) => (release = done));
      await late.route('**/fn/list_global_tools', async (route) => {
        await arrived;
        await route.continue();
      });

      await switchWithReason(first, 'save_movie', 'Fui mais rápida', t);
      await expect(switchOf(first, 'save_movie', t)).not.toBeChecked();
      await alive(first);
      await switchOf(late, 'save_movie', t).click();
      await expect(late.getByRole('alert')).toContainText(t('error_code.Conflict'));
      release();
      await expect(switchOf(late, 'save_movie', t), 'switched once, not twice').not.toBeChecked();
      const row = rowOf(late, 'save_movie');
      await expect(row).toContainText(t('changed_by', site.admin.name));
      await expect(row).toContainText('Fui mais rápida');
      await alive(late);

      await switchOf(late, 'save_movie', t).click();
      await expect(switchOf(late, 'save_movie', t), 'now that they have seen it').toBeChecked();
      await expect(rowOf(first, 'save_movie')).toBeVisible();
    });
  });
}
