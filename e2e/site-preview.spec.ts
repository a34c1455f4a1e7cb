import type { Page } from '@playwright/test';
import { paths } from '#contract/paths.ts';
import type { SectionName } from '#contract/site/content.ts';
import { pictureOf } from './files.ts';
import { expect, signIn, siteWithUsers, test } from './journey.ts';
import { changeSection, openPart, openSection, preview, save } from './site-editor.ts';

const { site, users } = siteWithUsers();

test.beforeEach(({ page }) => signIn(page, site.url, users.admin));

/** The frame of the preview. */
const previewFrame = (page: Page) => {
  const [frame] = page.mainFrame().childFrames();
  if (!frame) throw new Error('The editor has no preview.');
  return frame;
};

test('the preview shows what is typed within a second, in the width of a phone and of a computer', async ({
  page,
}) => {
  await openSection(page, site.url, 'home');
  const title = preview(page).locator('h1');
  for (const [width, pixels, sentence] of [
    ['Celular', 390, 'Um lugar calmo.'],
    ['Computador', 1280, 'Um lugar bem calmo.'],
  ] as const) {
    await page.getByRole('button', { name: width }).click();
    await expect.poll(() => previewFrame(page).evaluate(() => innerWidth)).toBe(pixels);
    await page.getByRole('textbox', { name: 'Frase 1' }).fill(sentence);
    await expect(title).toContainText(sentence, { timeout: 1_000 });
  }
  await expect(page.getByText('Ainda não salvo.')).toBeVisible();
});

test('the preview of a slow computer shows what was typed while it was loading', { tag: '@full' }, async ({
  page,
}) => {
  // The preview begins to load when the editor is ready, so that every letter is typed while it loads.
  const editorReady = Promise.withResolvers<void>();
  await page.route(`**${paths.site.preview}`, async (route) => {
    await editorReady.promise;
    await route.continue();
  });
  await page.goto(`${site.url}/admin/site/home`);
  const sentence = page.getByRole('textbox', { name: 'Frase 1' });
  await sentence.fill('Um');
  const computer = await page.context().newCDPSession(page);
  await computer.send('Emulation.setCPUThrottlingRate', { rate: 5 });
  editorReady.resolve();
  const slowly = { timeout: 30_000 };
  await sentence.pressSequentially(' lugar calmo.', slowly);
  await expect(preview(page).locator('h1')).toContainText('Um lugar calmo.', slowly);
});

test('the preview scrolls to the place that is edited; the form stays where it is', { tag: '@full' }, async ({
  page,
}) => {
  await openSection(page, site.url, 'home');
  await openPart(page, 'A abordagem');
  const text = page.locator('textarea[name="about.paragraphs"]');
  const [first = '', second = ''] = (await text.inputValue()).split('\n\n');
  await text.scrollIntoViewIfNeeded();
  const before = await page.evaluate(() => scrollY);
  await text.fill(`${first}\n\nO que se vê aqui. ${second}`);
  await expect(preview(page).getByText('O que se vê aqui.')).toBeInViewport();
  expect(await page.evaluate(() => scrollY)).toBe(before);

  // The page hides each answer until the visitor opens its question.
  await openSection(page, site.url, 'questions');
  expect(await page.evaluate(() => scrollY)).toBe(0);
  await page.locator('summary').filter({ hasText: 'Pergunta 2:' }).click();
  await page.getByLabel('Resposta').filter({ visible: true }).fill('Mais ou menos uma hora.');
  await expect(preview(page).getByText('Mais ou menos uma hora.')).toBeInViewport();
});

const pages: [section: SectionName, path: string][] = [
  ['identity', '/'],
  ['home', '/'],
  ['about', '/about'],
  ['practices', '/practices'],
  ['questions', '/'],
  ['member', '/pro'],
  ['diary', '/diario/novo'],
  ['privacy', '/privacidade'],
];

test('the preview shows the page of each section, also those for members', { tag: '@full' }, async ({
  page,
}) => {
  for (const [section, path] of pages) {
    await openSection(page, site.url, section);
    expect(new URL(previewFrame(page).url()).pathname.replace(/^\/previa\/[^/]+/, '')).toBe(path);
  }
  await openSection(page, site.url, 'member');
  await page.getByLabel('Abertura').first().fill('Este espaço é seu, Marta.');
  await expect(preview(page).getByText('Este espaço é seu, Marta.')).toBeVisible();
});

test('links of the preview open inside it, and going back still shows the unsaved text', {
  tag: '@full',
}, async ({ page }) => {
  await openSection(page, site.url, 'about');
  await page.getByLabel('Título', { exact: true }).first().fill('O meu jeito de cuidar');
  await expect(preview(page).locator('h1')).toHaveText('O meu jeito de cuidar');
  await preview(page).getByRole('contentinfo').getByRole('link', { name: 'Privacidade' }).first().click();
  await expect(preview(page).locator('h1')).toContainText('rivacidade');
  expect(previewFrame(page).url()).toMatch(/\/previa\/[^/]+\/privacidade$/);
  await previewFrame(page).evaluate(() => history.back());
  await expect(preview(page).locator('h1')).toHaveText('O meu jeito de cuidar');
  await expect(page).toHaveURL(`${site.url}/admin/site/about`);
});

test('the administration opens from a preview, also after a reload', { tag: '@full' }, async ({ page }) => {
  const { path } = await users.admin.client.site.createPreview();
  await page.goto(site.url + path);
  await page.getByRole('banner').getByRole('link', { name: 'Admin', exact: true }).click();
  const title = page.getByRole('heading', { level: 1 });
  await expect(title).toHaveText('Início');
  await page.reload();
  await expect(title).toHaveText('Início');
});

test('a stranger with the link sees the saved draft, which is neither indexed nor stored', {
  tag: '@full',
}, async ({ page, browser }) => {
  await openSection(page, site.url, 'home');
  await page.getByRole('textbox', { name: 'Frase 2' }).fill('Ainda em segredo.');
  await save(page);
  await page.goto(`${site.url}/admin/site`);
  await page.getByRole('button', { name: 'Ver como ficará' }).click();
  const link = await page.getByLabel('Endereço da prévia').inputValue();
  await expect(page.getByRole('link', { name: 'Abrir a prévia' })).toHaveAttribute('href', link);

  const stranger = await browser.newContext();
  const visit = await stranger.newPage();
  const response = await visit.goto(link);
  expect(response?.headers()).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' });
  await expect(visit.locator('h1')).toContainText('Ainda em segredo.');
  await visit.goto(site.url);
  await expect(visit.locator('h1')).not.toContainText('Ainda em segredo.');
  await stranger.close();
});

/** A message that would change the words in a preview, if the preview accepted the message. */
const forged = {
  kind: 'acolhe:typed',
  sections: { home: { hero: { lines: ['Texto forjado', ''] } } },
  words: 'Texto forjado',
};

test('the preview takes no messages from other windows', { tag: '@full' }, async ({ page, context }) => {
  await openSection(page, site.url, 'home');
  // The message first comes from two windows that have the editor's origin but are not the editor's window:
  // another frame and the preview itself.
  const address = previewFrame(page).url();
  await page.evaluate((url) => {
    const frame = document.body.appendChild(document.createElement('iframe'));
    frame.id = 'outra';
    frame.src = url;
  }, address);
  await expect(page.frameLocator('#outra').locator('h1')).toBeAttached();
  const other = await (await page.waitForSelector('#outra')).contentFrame();
  await other?.evaluate((message) => window.parent.frames[0]?.postMessage(message, '*'), forged);
  await previewFrame(page).evaluate((message) => window.postMessage(message, '*'), forged);
  // Messages arrive in order, so the forged ones arrive before this text.
  await page.getByRole('textbox', { name: 'Frase 1' }).fill('Texto verdadeiro.');
  await expect(preview(page).locator('h1')).toContainText('Texto verdadeiro.');
  await expect(preview(page).getByText('Texto forjado')).toHaveCount(0);

  // A page of another origin opens the preview in a window.
  const attacker = await context.newPage();
  await attacker.goto(`${site.url.replace('localhost', '127.0.0.1')}/privacidade`);
  const opened = attacker.waitForEvent('popup');
  await attacker.evaluate((url) => Object.assign(window, { victim: window.open(url) }), address);
  const victim = await opened;
  await expect(victim.locator('h1')).toContainText('Espaço para o que você sente.');
  // The browser separates the two windows. For the attacker's page, the opened window is closed and receives
  // no messages.
  const isClosed = () => attacker.evaluate(() => (window as unknown as { victim: Window }).victim.closed);
  await expect.poll(isClosed).toBe(true);
});

test('when the link of a preview has expired, the page says so', { tag: '@full' }, async ({ page }) => {
  const response = await page.goto(`${site.url}/previa/x`);
  expect(response?.status()).toBe(404);
  await expect(page.locator('h1')).toBeVisible();
});

test('the editor renews the link of its preview, which shows again what is typed', { tag: '@full' }, async ({
  page,
}) => {
  await page.clock.install();
  await openSection(page, site.url, 'home');
  await page.getByRole('textbox', { name: 'Frase 1' }).fill('Depois de meia hora.');
  // Moving the clock (below) makes the preview's link expire, so wait until the preview has fully loaded.
  await expect(preview(page).locator('h1')).toContainText('Depois de meia hora.');
  await expect(preview(page).getByText(/^Estamos atendendo agora|^Agora estamos fechados/)).toBeAttached();
  // An empty svg is a mural whose code is still loading. When the clock moves, that loading would time out.
  await expect(preview(page).locator('svg:empty')).toHaveCount(0);
  const before = previewFrame(page).url();
  await page.clock.fastForward('31:00');
  await expect.poll(() => previewFrame(page).url()).not.toBe(before);
  await expect(preview(page).locator('h1')).toContainText('Depois de meia hora.');
});

test('a new portrait removes the dark version of the old one, which can come back', { tag: '@full' }, async ({
  page,
}) => {
  await openSection(page, site.url, 'home');
  const portrait = page.getByRole('group', { name: 'Retrato', exact: true });
  const inputs = portrait.locator('input[type="file"]');
  const shown = portrait.getByRole('img');
  const sources = () => shown.evaluateAll((images) => images.map((image) => image.getAttribute('src')));
  const upload = async (place: number, name: string) => {
    const before = await sources();
    await inputs.nth(place).setInputFiles(await pictureOf(300, name));
    await expect.poll(sources).not.toEqual(before);
    await expect(page.getByText('Imagem enviada.').last()).toBeVisible();
  };
  await upload(0, 'primeira.jpg');
  await expect(shown).toHaveCount(1);
  await upload(1, 'escura.jpg');
  await expect(shown).toHaveCount(2);
  await upload(0, 'segunda.jpg');
  await expect(shown).toHaveCount(1);
  await page.getByRole('button', { name: 'Desfazer' }).click();
  await expect(shown).toHaveCount(2);
});

test('a sentence replaces a picture that is no longer stored', { tag: '@full' }, async ({ page }) => {
  await changeSection(users.admin, 'home', (home) => ({
    ...home,
    hero: { ...home.hero, portrait: { file: '/images/removida.png', alt: 'A médica' } },
  }));
  await page.goto(`${site.url}/admin/site/publicar`);
  const changes = page.getByRole('region', { name: 'O que muda' });
  await expect(changes.getByText('Esta imagem não pôde ser mostrada.')).toHaveCount(1);
});
