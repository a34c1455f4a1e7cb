import type { Page } from '@playwright/test';
import { demoContent } from '#clinic/demo-content.ts';
import { expect, scriptStarted, signIn, siteWithUsers, test } from './journey.ts';
import { changeSection, publish, publishClinic, readSection } from './site-editor.ts';

const { site, users } = siteWithUsers();

test.beforeEach(({ page }) => signIn(page, site.url, users.admin));

const open = async (page: Page, path: string) => {
  await page.goto(`${site.url}/admin/site${path}`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
};

/** The bytes of the response that a visitor gets. */
const bytes = async (path = '/') => Buffer.from(await (await fetch(site.url + path)).arrayBuffer());

test('publishing shows old beside new, and the history says who, when, why and what', async ({ page }) => {
  await changeSection(users.admin, 'home', () => demoContent.home);
  await changeSection(users.admin, 'questions', () => demoContent.questions);
  await publishClinic(users.admin);
  const first = { home: await bytes(), manifest: await bytes('/site.webmanifest') };

  await changeSection(users.admin, 'identity', (identity) => ({ ...identity, shortName: 'Clínica Jatobá' }));
  await changeSection(users.admin, 'home', (home) => ({
    ...home,
    hero: { ...home.hero, lead: 'Atendo adultos, com calma.' },
  }));
  await open(page, '');
  await expect(page.getByText('Com mudanças')).toHaveCount(2);
  await page.getByRole('link', { name: 'Publicar' }).click();
  const changes = page.getByRole('region', { name: 'O que muda' });
  await expect(changes.getByRole('heading', { level: 4 })).toHaveText([
    'Nome curto',
    'Abertura, Apresentação',
  ]);
  await expect(changes).toContainText('Aurora Jatobá');
  await expect(changes).toContainText('Clínica Jatobá');

  const tooLong = 'x'.repeat(300);
  await page.getByLabel('Nota (opcional)').fill(tooLong);
  for (const box of await page.getByRole('checkbox').all()) await box.check();
  await page.getByRole('button', { name: 'Publicar agora' }).click();
  await expect(page.getByText(/^Até \d+ letras\.$/)).toBeVisible();
  await expect(page.getByLabel('Nota (opcional)')).toBeFocused();
  await page.getByLabel('Nota (opcional)').fill('nome novo');
  await page.getByRole('button', { name: 'Publicar agora' }).click();
  await expect(page.getByText('Publicado. Quem abrir o site já vê a versão nova.')).toBeVisible();
  await expect(page).toHaveURL(`${site.url}/admin/site`);
  await expect(page.getByText('Com mudanças')).toHaveCount(0);
  expect((await bytes()).toString()).toContain('Atendo adultos, com calma.');

  await page.getByRole('link', { name: 'Histórico' }).click();
  const rows = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: /^Versão/ }) });
  const [newest, oldest] = [rows.first(), rows.last()];
  await expect(newest).toContainText(/Versão 2No site agoraAlice Admin, .*nome novo/);
  for (const row of [newest, oldest]) await row.getByRole('button', { name: 'Ver o que mudou' }).click();
  await expect(newest.getByRole('heading', { level: 4 })).toHaveText([
    'Nome curto',
    'Abertura, Apresentação',
  ]);

  await changeSection(users.admin, 'about', (about) => ({ ...about, lead: 'Ainda não publicado.' }));
  await oldest.getByRole('button', { name: 'Voltar a esta versão' }).click();
  const question = page.getByRole('dialog', { name: 'Voltar à versão 1?' });
  await expect(question).toContainText('o rascunho atual se perde nestas partes: A abordagem.');
  await question.getByRole('button', { name: 'Pôr no rascunho' }).click();
  await expect(page.getByText('A versão 1 está no rascunho.')).toBeVisible();
  await expect(changes.getByRole('heading', { level: 4 })).toHaveText([
    'Nome curto',
    'Abertura, Apresentação',
  ]);
  expect((await bytes()).toString()).toContain('Atendo adultos, com calma.');
  expect((await readSection(users.admin, 'about')).changed).toBe(false);

  for (const box of await page.getByRole('checkbox').all()) await box.check();
  await page.getByRole('button', { name: 'Publicar agora' }).click();
  // Checks the URL instead of the notice, because the notice of the first publication may still be visible.
  await expect(page).toHaveURL(`${site.url}/admin/site`);
  const again = { home: await bytes(), manifest: await bytes('/site.webmanifest') };
  expect(again.manifest.equals(first.manifest)).toBe(true);
  expect(withoutVersion(again.home)).toBe(withoutVersion(first.home));
});

test('an admin erases an older version from the history', { tag: '@full' }, async ({ page }) => {
  await publishClinic(users.admin);
  await changeSection(users.admin, 'identity', (identity) => ({ ...identity, shortName: 'Sem engano' }));
  await publish(users.admin);
  await open(page, '/historico');
  const versions = page.getByRole('heading', { name: /^Versão/ });
  await expect(versions.nth(1)).toBeVisible();
  const count = await versions.count();
  await page.getByRole('button', { name: 'Deletar' }).first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Deletar para sempre' }).click();
  await expect(page.getByText(/^A versão \d+ foi deletada\.$/)).toBeVisible();
  await expect(versions).toHaveCount(count - 1);
});

/** Removes the version number of the content from a document, and from the share image's URL in it. */
const withoutVersion = (html: Buffer) =>
  html
    .toString()
    .replace(/"version":\d+/g, '"version":_')
    .replace(/\/share\/\d+\.png/g, '/share/_.png');

test('without changes there is nothing to publish', async ({ page }) => {
  await publish(users.admin).catch(() => {});
  await open(page, '/publicar');
  await expect(page.getByText('O site já mostra tudo o que foi escrito.')).toBeVisible();
  await page.getByRole('link', { name: 'Voltar ao site' }).click();
  await expect(page).toHaveURL(`${site.url}/admin/site`);
});

test('titles of privacy sections do not take the ids of the page’s own elements', { tag: '@full' }, async ({
  page,
}) => {
  const titles = ['Content', 'Hydration data', 'Root', 'Content', 'Content 2', '…'];
  await changeSection(users.admin, 'identity', () => demoContent.identity);
  await changeSection(users.admin, 'privacy', (privacy) => ({
    ...privacy,
    sections: titles.map((title) => ({ title, blocks: ['Um texto.'] })),
  }));
  await publish(users.admin);
  await page.goto(`${site.url}/privacidade`);
  await page.getByRole('link', { name: 'Hydration data' }).click();
  await expect(page.getByRole('heading', { name: 'Hydration data' })).toBeInViewport();
  const ids = await page.locator('[id]').evaluateAll((elements) => elements.map(({ id }) => id));
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  // Checks that the page's code works: it must open another page without loading a document.
  await scriptStarted(page);
  await page.evaluate(() => Object.assign(window, { stays: true }));
  await page.getByRole('banner').getByRole('link', { name: 'A abordagem' }).click();
  await expect(page).toHaveURL(`${site.url}/about`);
  expect(await page.evaluate(() => 'stays' in window)).toBe(true);
});
