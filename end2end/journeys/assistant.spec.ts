// The assistant and what it saved: a message, the menu, a choice, the item; changed, deleted and brought back.

import { alive, listening } from '../fixtures/alive';
import { expect, test } from '../fixtures/journey';
import { tabTo } from '../fixtures/keyboard';
import { WITH_AND_WITHOUT_SCRIPTS } from '../fixtures/modes';

for (const mode of WITH_AND_WITHOUT_SCRIPTS) {
  test.describe(mode.title, () => {
    test.use(mode.use);

    for (const role of ['viewer', 'operator'] as const) {
      test(`a ${role} saves a note, finds, changes, deletes and restores it`, async ({ open, site, t }) => {
        const person = await site.person({ role, tenant: await site.tenant(site.unique('Oficina')) });
        const page = await open('/assistant', { as: person });
        await expect(page.getByText(t('assistant_empty_title'))).toBeVisible();
        await page.getByLabel(t('assistant_say')).fill('Comprar pão');
        await page.getByRole('button', { name: t('send') }).click();
        const choices = page.getByRole('group', { name: t('assistant_choices') });
        await expect(page.getByRole('main')).toContainText(t('assistant_state.AwaitingChoice'));
        await alive(page);
        await choices.getByRole('button', { name: t('tool.save_note') }).click();
        await expect(page.getByRole('main')).toContainText('💡');
        await expect(page.getByRole('main')).toContainText(t('assistant_state.Done'));
        await expect(choices).toHaveCount(0);

        await page.goto('/items');
        await alive(page);
        const item = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Comprar pão' }) });
        await expect(item).toBeVisible();
        await item.getByText(t('edit'), { exact: true }).click();
        await item.getByLabel(t('item_title')).fill('Feira');
        await item.getByLabel(t('item_tags')).fill('Casa, sábado');
        await item.getByRole('button', { name: t('save') }).click();
        await expect(page.getByRole('heading', { name: 'Feira' })).toBeVisible();
        await expect(page.getByRole('link', { name: '#sábado' })).toBeVisible();
        await alive(page);

        await page.getByRole('button', { name: `${t('delete')}: Feira` }).click();
        await expect(page.getByRole('heading', { name: 'Feira' })).toHaveCount(0);
        await alive(page);
        await page.getByRole('button', { name: t('undo') }).click();
        await expect(page.getByRole('heading', { name: 'Feira' })).toBeVisible();

        await page.goto('/items?q=pao');
        await alive(page);
        await expect(page.getByRole('heading', { name: 'Feira' }), 'found by what it says').toBeVisible();
        const tag = page.getByLabel(t('items_tag'), { exact: true });
        await tag.fill('#Sábado');
        await tag.press('Enter');
        await expect(page).toHaveURL(/q=pao.*tag=/);
        await expect(page.getByRole('heading', { name: 'Feira' }), 'found by its tag').toBeVisible();
        await alive(page);
        await tag.fill('casa, sab');
        await tag.press('Enter');
        await expect(page).toHaveURL(/sab/);
        await expect(page.getByRole('heading', { name: 'Feira' }), 'several, half typed, without accents').toBeVisible();
        await alive(page);
        await tag.fill('domingo');
        await tag.press('Enter');
        await expect(page.getByText(t('items_none_title'))).toBeVisible();
        await page.goto('/items?q=nada');
        await expect(page.getByText(t('items_none_title'))).toBeVisible();
      });
    }

    test('a button of an old menu is explained, and the menu of now is shown', async ({ open, site, t }) => {
      const person = await site.person({ role: 'viewer', tenant: await site.tenant(site.unique('Oficina')) });
      const old = await open('/assistant', { as: person });
      await old.getByLabel(t('assistant_say')).fill('Comprar pão');
      await old.getByRole('button', { name: t('send') }).click();
      const choices = old.getByRole('group', { name: t('assistant_choices') });
      await expect(choices).toBeVisible();

      const other = await open('/assistant', { as: person });
      await other.getByRole('group', { name: t('assistant_choices') }).getByRole('button').last().click();
      await expect(other.getByRole('main')).toContainText(t('assistant_state.Cancelled'));
      await alive(other);
      await other.getByLabel(t('assistant_say')).fill('Comprar leite');
      await other.getByRole('button', { name: t('send') }).click();
      await expect(other.getByRole('main')).toContainText(t('assistant_state.AwaitingChoice'));

      await alive(old);
      await choices.getByRole('button', { name: t('tool.save_note') }).click();
      await expect(old.getByRole('main')).toContainText(/não está mais aberto|no longer open/);
      await expect(old.getByRole('main'), 'what it is about now').toContainText('“Comprar leite”');
      await alive(old);
      await choices.getByRole('button', { name: t('tool.save_note') }).click();
      await expect(old.getByRole('main')).toContainText(t('assistant_state.Done'));
      await old.goto('/items');
      await expect(old.getByRole('heading', { name: 'Comprar leite' })).toBeVisible();
      await expect(old.getByRole('heading', { name: 'Comprar pão' })).toHaveCount(0);
    });

    test('a choice is cancelled, and nothing is saved', async ({ open, site, t }) => {
      const person = await site.person({ role: 'auditor', tenant: await site.tenant(site.unique('Oficina')) });
      const page = await open('/assistant', { as: person });
      await page.getByLabel(t('assistant_say')).fill('https://example.org/receita');
      await page.getByRole('button', { name: t('send') }).click();
      const choices = page.getByRole('group', { name: t('assistant_choices') });
      await expect(choices.getByRole('button').first(), 'the likely one first').toContainText(t('tool.save_link'));
      await alive(page);
      await choices.getByRole('button').last().click();
      await expect(page.getByRole('main')).toContainText(t('assistant_state.Cancelled'));
      await page.goto('/items');
      await expect(page.getByText(t('items_empty_title'))).toBeVisible();
    });
  });
}

test('an administrator’s switch is seen in the next menu', async ({ open, site, t }) => {
  const { admin } = site;
  const person = await site.person({ role: 'operator', tenant: await site.tenant(site.unique('Oficina')) });
  const page = await open('/assistant', { as: person });
  const say = async (text: string) => {
    await page.getByLabel(t('assistant_say')).fill(text);
    await page.getByRole('button', { name: t('send') }).click();
  };
  await say('Matrix');
  const choices = page.getByRole('group', { name: t('assistant_choices') });
  await expect(choices.getByRole('button', { name: t('tool.save_tv_show') })).toBeVisible();
  await site.call(admin, 'switch_global_tool', { tool_name: 'save_tv_show', enabled: 'false' });
  try {
    await choices.getByRole('button', { name: t('tool.save_tv_show') }).click();
    await expect(choices.getByRole('button', { name: t('tool.save_tv_show') })).toHaveCount(0);
    await expect(choices.getByRole('button', { name: t('tool.save_note') }), 'a new menu').toBeVisible();
  } finally {
    await site.call(admin, 'switch_global_tool', { tool_name: 'save_tv_show', enabled: 'true' });
  }
});

test('a choice that is made on another device goes on here', async ({ open, site, t }) => {
  const person = await site.person({ role: 'viewer', tenant: await site.tenant(site.unique('Oficina')) });
  const here = await open('/assistant', { as: person });
  await here.getByLabel(t('assistant_say')).fill('Comprar pão');
  await here.getByRole('button', { name: t('send') }).click();
  await expect(here.getByRole('main')).toContainText(t('assistant_state.AwaitingChoice'));
  await listening(here);
  const there = await open('/assistant', { as: person });
  await there.getByRole('group', { name: t('assistant_choices') }).getByRole('button', { name: t('tool.save_note') }).click();
  await expect(there.getByRole('main')).toContainText(t('assistant_state.Done'));
  await expect(here.getByRole('main')).toContainText(t('assistant_state.Done'));
  await expect(here.getByRole('group', { name: t('assistant_choices') })).toHaveCount(0);
});

test('B10 a note is saved by keyboard alone', async ({ open, site, t }) => {
  const person = await site.person({ role: 'viewer', tenant: await site.tenant(site.unique('Oficina')) });
  const page = await open('/assistant', { as: person });
  await page.locator('#content').focus();
  await tabTo(page, page.getByLabel(t('assistant_say')), 3);
  await page.keyboard.type('Comprar fermento');
  await tabTo(page, page.getByRole('button', { name: t('send') }), 1);
  await page.keyboard.press('Enter');
  const choice = page.getByRole('group', { name: t('assistant_choices') }).getByRole('button', { name: t('tool.save_note') });
  await expect(choice).toBeVisible();
  // The menu stands above the field that was just sent.
  await tabTo(page, choice, 20, 'Shift+Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toContainText(t('assistant_state.Done'));
  await page.goto('/items');
  await expect(page.getByRole('heading', { name: 'Comprar fermento' })).toBeVisible();
});
