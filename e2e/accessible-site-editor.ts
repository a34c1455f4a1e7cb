import { demoContent } from '#clinic/demo-content.ts';
import { sectionNames } from '#contract/site/content.ts';
import { type Group, pagesOf, type Stage, type State } from './accessible.ts';
import { expect } from './journey.ts';
import { changeSection, kept, preview, publishClinic, saveButton } from './site-editor.ts';

/** Opens every part of a section and leaves a required field empty, which then shows an error. */
async function makeError({ page }: Stage) {
  await expect(preview(page).locator('h1')).toBeAttached();
  await page.evaluate(() => {
    for (const part of document.querySelectorAll<HTMLDetailsElement>('main details')) part.open = true;
  });
  const field = page.locator('main form').locator('input[type="text"], textarea').first();
  await field.fill('');
  await field.blur();
  await expect(page.locator('main form [aria-invalid="true"]').first()).toBeVisible();
}

/** Another admin saves the section while this page edits it, and changes the picture too. */
async function meetSectionConflict({ page, users }: Stage) {
  const { hero } = demoContent.home;
  await page.getByLabel('Apresentação').fill('De um jeito.');
  await changeSection(users.admin, 'home', (home) => ({
    ...home,
    hero: { ...hero, lead: 'De outro jeito.', portrait: { ...hero.portrait, file: '/images/aurora.svg' } },
  }));
  await saveButton(page).click();
  await expect(page.getByRole('heading', { name: 'Alguém salvou esta parte antes de você' })).toBeVisible();
  await page.getByRole('button', { name: 'Salvar o que escolhi' }).click();
}

const wide = { width: 1280, height: 800 };

export const siteEditor: Group = {
  name: 'the editor of the site',
  fill: () => Promise.resolve(),
  states: [
    {
      name: 'sections',
      path: '/admin/site',
      role: 'admin',
      shows: 'Faltam 13 campos',
    },
    {
      name: 'link of a preview',
      async prepare({ page }) {
        await page.getByRole('button', { name: 'Ver como ficará' }).click();
        await expect(page.getByRole('dialog', { name: 'Prévia do site' })).toBeVisible();
      },
    },
    {
      name: 'publication that something prevents',
      path: '/admin/site/publicar',
      role: 'admin',
      shows: /^O site já mostra tudo|^Antes de publicar, corrija/,
    },
    {
      name: 'empty history',
      path: '/admin/site/historico',
      role: 'admin',
      shows: 'Nada foi publicado ainda.',
    },
    {
      name: 'section that does not exist',
      path: '/admin/site/nada',
      role: 'admin',
      shows: 'Esta parte do site não existe.',
    },
    { name: 'preview that is over', path: '/previa/x' },
    // Tab also stops inside the preview, which the walk cannot see. `site-keyboard.spec.ts` tests this.
    ...pagesOf(['/admin/site/identity', '/admin/site/home', '/admin/site/arrangement'], 'admin').map(
      (state) => ({
        ...state,
        isWalked: false,
      }),
    ),
    ...sectionNames
      .filter((section) => section !== 'arrangement')
      .map(
        (section): State => ({
          name: `section ${section}, with an error`,
          path: `/admin/site/${section}`,
          role: 'admin',
          prepare: makeError,
        }),
      ),
    {
      name: 'order of the parts, with an error',
      path: '/admin/site/arrangement',
      role: 'admin',
      async prepare({ page }) {
        await expect(preview(page).locator('h1')).toBeAttached();
        await page.getByRole('button', { name: 'Esconder Carta' }).click();
        for (const part of ['ACT', 'FAP', 'Remédio e terapia'])
          await page.getByRole('button', { name: `Esconder ${part}` }).click();
        await expect(page.getByText('Deixe pelo menos uma parte na página')).toBeVisible();
      },
    },
    {
      name: 'refused text',
      role: 'admin',
      async path({ users }) {
        await changeSection(users.admin, 'home', (home) => ({ ...home, title: 'Outro título' }));
        return '/admin/site/home';
      },
      async prepare({ page }) {
        await expect(preview(page).locator('h1')).toBeAttached();
        await page.getByRole('textbox', { name: 'Frase 1' }).fill('a'.repeat(10_000));
        await saveButton(page).click();
        await expect(page.getByRole('region', { name: 'Confira este campo' })).toBeFocused();
      },
    },
    {
      name: 'question before a draft is discarded',
      async prepare({ page }) {
        await page.getByRole('textbox', { name: 'Frase 1' }).fill('Uma frase.');
        await expect(kept(page)).toBeVisible();
        await page.getByRole('button', { name: 'Descartar rascunho' }).click();
        await expect(page.getByRole('dialog')).toBeVisible();
      },
    },
    {
      name: 'recovered text',
      async prepare({ page }) {
        await page.keyboard.press('Escape');
        await page.reload();
        await expect(page.getByText(/está de volta/)).toBeVisible();
      },
    },
    { name: 'conflict of a section', prepare: meetSectionConflict },
    {
      name: 'offer to undo a removal',
      path: '/admin/site/questions',
      role: 'admin',
      onlyAt: wide,
      async prepare({ page }) {
        await expect(preview(page).locator('h1')).toBeAttached();
        await page.getByRole('button', { name: 'Remover pergunta 1', exact: true }).press('Enter');
        await expect(page.getByRole('button', { name: 'Desfazer' })).toBeFocused();
      },
    },
    {
      name: 'the switch of the counting of uses',
      path: '/admin/site/practices#campo-countsUse',
      role: 'admin',
      prepare: ({ page }) => page.getByRole('checkbox', { name: 'Contar o uso das práticas' }).press('Space'),
    },
    {
      name: 'publication with warnings',
      role: 'admin',
      async path({ users: { admin } }) {
        await publishClinic(admin);
        await changeSection(admin, 'home', () => ({ ...demoContent.home, title: 'A cura, de volta' }));
        return '/admin/site/publicar';
      },
      async prepare({ page }) {
        await page.getByRole('button', { name: 'Publicar agora' }).click();
        await expect(page.getByText('Marque cada aviso')).toBeVisible();
      },
    },
    {
      name: 'history with differences',
      async prepare({ page }) {
        for (const box of await page.getByRole('checkbox').all()) await box.check();
        await page.getByRole('button', { name: 'Publicar agora' }).click();
        await expect(page.getByText('Publicado.')).toBeVisible();
        await page.getByRole('link', { name: 'Histórico' }).click();
        const title = page.getByRole('heading', { name: /^Versão/ });
        const versions = page.getByRole('listitem').filter({ has: title });
        for (const row of [0, 1])
          await versions.nth(row).getByRole('button', { name: 'Ver o que mudou' }).click();
        await expect(page.getByRole('heading', { level: 4, name: 'CRM' })).toBeVisible();
      },
    },
    {
      name: 'question before a version is restored',
      async prepare({ page }) {
        await page.getByRole('button', { name: 'Voltar a esta versão' }).click();
        await expect(page.getByRole('dialog')).toBeVisible();
      },
    },
  ],
};
