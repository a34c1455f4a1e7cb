import { demoContent } from '#clinic/demo-content.ts';
import type { SectionName } from '#contract/site/content.ts';
import { expectAccessible } from './accessible.ts';
import { expect, signIn, siteWithUsers, test } from './journey.ts';
import { changeSection, kept, openSection, publishClinic, saveButton } from './site-editor.ts';

test.describe.configure({ timeout: 180_000 });

const { site, users } = siteWithUsers();

test.beforeEach(({ page }) => signIn(page, site.url, users.admin));

const sections: SectionName[] = ['identity', 'home', 'about', 'practices', 'questions', 'member', 'privacy'];

test('the first steps of a new installation are accessible: the list of sections, problems, and the questions', async ({
  page,
}) => {
  await page.goto(`${site.url}/admin/site`);
  await expect(page.getByText('Faltam 13 campos')).toBeVisible();
  await expectAccessible(page, 'sections');
  await page.getByRole('button', { name: 'Ver como ficará' }).click();
  await expect(page.getByRole('dialog', { name: 'Prévia do site' })).toBeVisible();
  await expectAccessible(page, 'link of a preview', { within: 'dialog' });
  await page.goto(`${site.url}/admin/site/publicar`);
  await page.getByText('O site já mostra tudo').or(page.getByText('Antes de publicar, corrija')).waitFor();
  await expectAccessible(page, 'publication that something prevents');
  await page.goto(`${site.url}/admin/site/historico`);
  await expect(page.getByText('Nada foi publicado ainda.')).toBeVisible();
  await expectAccessible(page, 'empty history', { within: 'main' });
  await page.goto(`${site.url}/admin/site/nada`);
  await expect(page.getByText('Esta parte do site não existe.')).toBeVisible();
  await expectAccessible(page, 'section that does not exist', { within: 'main' });
  await page.goto(`${site.url}/previa/x`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expectAccessible(page, 'preview that is over');
});

test('the editor of every section is accessible, with all of its parts open and with errors', async ({
  page,
}) => {
  for (const section of sections) {
    await openSection(page, site.url, section);
    if (section === 'identity' || section === 'home')
      await expectAccessible(page, `${section}, as it opens`, { within: 'main' });
    await page.evaluate(() => {
      for (const part of document.querySelectorAll<HTMLDetailsElement>('main details')) part.open = true;
    });
    // An empty required field shows an error after it loses the focus.
    const field = page.locator('main form').locator('input[type="text"], textarea').first();
    await field.fill('');
    await field.blur();
    await expect(page.locator('main form [aria-invalid="true"]').first()).toBeVisible();
    await expectAccessible(page, `${section}, with an error`, { within: 'main' });
  }
});

test('the views of the editor are accessible: refused text, removal, conflict, and the questions', async ({
  page,
}) => {
  await changeSection(users.admin, 'home', (home) => ({ ...home, title: 'Outro título' }));
  await openSection(page, site.url, 'home');
  await page.getByRole('textbox', { name: 'Frase 1' }).fill('a'.repeat(10_000));
  await saveButton(page).click();
  await expect(page.getByRole('region', { name: 'Confira este campo' })).toBeFocused();
  await expectAccessible(page, 'refused text', { within: 'main' });
  await page.getByRole('textbox', { name: 'Frase 1' }).fill('Uma frase.');
  await expect(kept(page)).toBeVisible();
  await page.getByRole('button', { name: 'Descartar rascunho' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectAccessible(page, 'question before a draft is discarded', { within: 'dialog' });
  await page.keyboard.press('Escape');
  page.once('dialog', (dialog) => void dialog.accept());
  await page.reload();
  await expect(page.getByText(/está de volta/)).toBeVisible();
  await expectAccessible(page, 'recovered text', { within: 'main' });

  const { hero } = demoContent.home;
  await page.getByLabel('Apresentação').fill('De um jeito.');
  await changeSection(users.admin, 'home', (home) => ({
    ...home,
    hero: { ...hero, lead: 'De outro jeito.', portrait: { ...hero.portrait, file: '/images/aurora.svg' } },
  }));
  await saveButton(page).click();
  await expect(page.getByRole('heading', { name: 'Alguém salvou esta parte antes de você' })).toBeVisible();
  await page.getByRole('button', { name: 'Salvar o que escolhi' }).click();
  await expectAccessible(page, 'conflict', { within: 'main' });

  await openSection(page, site.url, 'questions');
  await page.getByRole('button', { name: 'Remover pergunta 1', exact: true }).press('Enter');
  await expect(page.getByRole('button', { name: 'Desfazer' })).toBeFocused();
  await expectAccessible(page, 'offer to undo', {
    sizes: [
      { width: 1280, height: 800 },
      { width: 320, height: 800 },
    ],
  });
});

test('publication and history are accessible, with warnings and with what changed', async ({ page }) => {
  await publishClinic(users.admin);
  await changeSection(users.admin, 'home', () => ({ ...demoContent.home, title: 'A cura, de volta' }));
  await page.goto(`${site.url}/admin/site/publicar`);
  await page.getByRole('button', { name: 'Publicar agora' }).click();
  await expect(page.getByText('Marque cada aviso')).toBeVisible();
  await expectAccessible(page, 'publication with warnings');
  for (const box of await page.getByRole('checkbox').all()) await box.check();
  await page.getByRole('button', { name: 'Publicar agora' }).click();
  await expect(page.getByText('Publicado.')).toBeVisible();
  await page.getByRole('link', { name: 'Histórico' }).click();
  const versions = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: /^Versão/ }) });
  for (const row of [0, 1]) await versions.nth(row).getByRole('button', { name: 'Ver o que mudou' }).click();
  await expect(page.getByRole('heading', { level: 4, name: 'CRM' })).toBeVisible();
  await expectAccessible(page, 'history with differences');
  await page.getByRole('button', { name: 'Voltar a esta versão' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectAccessible(page, 'question before a version is restored', { within: 'dialog' });
});
