import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium } from '@playwright/test';
import { diaryFile } from '#contract/diary/entry.ts';
import { expect, test } from './journey.ts';
import { keptBy, nothing, prepareDevice } from './offline/device.ts';
import { keptHere, keptNames, note, queueText, save, siteWithDiaries } from './offline/diary-device.ts';

const site = siteWithDiaries();

test('when the session has ended, the queue stays, and a sign-in sends it', async ({ page, context }) => {
  const user = await site.patientWithDevice(page);
  await page.goto(`${site.url}/diario/novo`);
  await note(page).fill('depois do fim da sessão');
  await context.clearCookies();
  await save(page);
  await expect(keptHere(page)).toBeVisible();
  await page.getByRole('link', { name: 'Entre para enviar 1 anotação.' }).first().click();
  await page.getByLabel('Email').fill(user.email);
  await page.getByLabel('Senha', { exact: true }).fill(user.password);
  await page.getByRole('button', { name: 'Entrar', exact: true }).click();
  await expect(page).toHaveURL(`${site.url}/diario`);
  await expect.poll(() => site.notesOf(user)).toEqual(['depois do fim da sessão']);
});

test('another user on the device sees and sends nothing of the first, who then sends it', async ({
  page,
  context,
}) => {
  const ana = await site.patientWithDevice(page);
  site.gateway.network = 'cut';
  await site.write(page, 'só da Ana');
  await expect(keptHere(page)).toBeVisible();
  site.gateway.network = 'open';
  await context.clearCookies();
  const bia = await site.newPatient();
  await site.signIn(page, bia);
  await page.goto(`${site.url}/diario`);
  await expect(page.getByRole('link', { name: 'Anotar como estou agora' })).toBeVisible();
  await site.write(page, 'da Bia');
  await expect(page.getByText(/^Está no seu diário/)).toBeVisible();
  await expect(page.getByText(/esperam? para ser enviada/)).toHaveCount(0);
  await page.goto(`${site.url}/aparelho`);
  await expect(page.getByText('Neste aparelho esperam anotações de outra conta.')).toBeVisible();
  expect([await site.notesOf(ana), await site.notesOf(bia)]).toEqual([[], ['da Bia']]);
  // Without network, the first user's pages do not open for the second one.
  await expect.poll(() => keptNames(page)).toEqual(['content', 'diary']);
  site.gateway.network = 'cut';
  await page.goto(`${site.url}/diario`);
  await expect(page.getByText('só da Ana')).toHaveCount(0);
  const cannotDownload = async () => {
    await page.goto(`${site.url}/logout`);
    await expect(page.getByRole('button', { name: 'Sair e apagar deste aparelho' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Baixar' })).toHaveCount(0);
  };
  await cannotDownload();
  site.gateway.network = 'open';
  await page.goto(`${site.url}/logout`);
  await expect(page).toHaveURL(`${site.url}/`);
  await cannotDownload();
  await site.signIn(page, ana);
  await page.goto(`${site.url}/diario`);
  await expect.poll(() => site.notesOf(ana)).toEqual(['só da Ana']);
  expect(await site.notesOf(bia)).toEqual(['da Bia']);
});

test('a page that was asleep stores nothing in the diary of the next user, on any device', async ({
  page,
}) => {
  const [ana, bia] = [await site.newPatient(), await site.newPatient()];
  await site.signIn(page, ana);
  await page.goto(`${site.url}/diario/novo`);
  await note(page).fill('só da Ana');
  await site.signIn(page, bia);
  await save(page);
  await expect(page.getByText('Outra pessoa entrou neste navegador.')).toBeVisible();
  await expect(note(page)).toHaveValue('só da Ana');
  expect([await site.notesOf(ana), await site.notesOf(bia)]).toEqual([[], []]);
});

test('a sign-out asks before anything is lost, and erases the device, also without network', async ({
  page,
}) => {
  const user = await site.patientWithDevice(page);
  site.gateway.network = 'cut';
  await site.write(page, 'uma');
  await expect(keptHere(page)).toBeVisible();
  await page.goto(`${site.url}/logout`);
  await expect(page.getByRole('heading', { name: 'Antes de sair' })).toBeVisible();
  await expect(page.getByText('1 anotação espera para ser enviada.').first()).toBeVisible();
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Baixar' }).click();
  const file = await (await downloading).path();
  const { entries } = diaryFile.parse(JSON.parse(await readFile(file, 'utf8')));
  expect(entries.map((entry) => entry.note)).toEqual(['uma']);
  // The page has tried to send by itself.
  await expect(page.getByText('O site não respondeu.')).toBeVisible();
  site.gateway.network = 'open';
  await page.getByRole('button', { name: 'Enviar agora' }).click();
  await expect(page).toHaveURL(`${site.url}/`);
  expect(await site.notesOf(user)).toEqual(['uma']);
  expect(await keptBy(page)).toEqual(nothing);

  await site.signIn(page, user);
  await prepareDevice(page, site.url);
  await expect.poll(() => keptNames(page)).toContain('session');
  site.gateway.network = 'cut';
  await site.write(page, 'duas');
  await expect(keptHere(page)).toBeVisible();
  await page.goto(`${site.url}/logout`);
  await page.getByRole('button', { name: 'Sair e apagar deste aparelho' }).click();
  await expect(page.getByRole('heading', { name: 'Você saiu deste aparelho' })).toBeVisible();
  expect(await keptBy(page)).toEqual(nothing);
  site.gateway.network = 'open';
});

test('with a network that never answers, the form opens, stores the entry, and the user can sign out', async ({
  page,
}) => {
  const user = await site.patientWithDevice(page);
  site.gateway.network = 'silent';
  await site.write(page, 'a rede não responde');
  await expect(keptHere(page)).toBeVisible();
  await page.goto(`${site.url}/logout`);
  await expect(page.getByRole('heading', { name: 'Antes de sair' })).toBeVisible({ timeout: 15_000 });
  site.gateway.network = 'open';
  await page.reload();
  await expect(page).toHaveURL(`${site.url}/`);
  expect(await site.notesOf(user)).toEqual(['a rede não responde']);
});

test('after the diary was deleted on another device, what waits here can be read, and can go', async ({
  page,
}) => {
  const user = await site.patientWithDevice(page);
  site.gateway.network = 'cut';
  await site.write(page, 'escrita antes de apagar');
  await expect(keptHere(page)).toBeVisible();
  await (await site.clients.get(user.uid)?.diary())?.deleteAll();
  site.gateway.network = 'open';
  await page.goto(`${site.url}/diario`);
  await expect(page.getByRole('heading', { name: 'Antes de começar' })).toBeVisible();
  await expect(page.getByText('Não foi aceita')).toBeVisible();
  await expect(page.getByText('escrita antes de apagar')).toBeVisible();
  await page.getByRole('button', { name: /^Apagar/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Apagar', exact: true }).click();
  await expect.poll(() => queueText(page)).toEqual([]);
  await expect(page.getByText('escrita antes de apagar')).toHaveCount(0);
});

/** Finds a text in all files of a folder, as UTF-8 and UTF-16. */
function filesWith(folder: string, text: string): string[] {
  const forms = [Buffer.from(text), Buffer.from(text, 'utf16le')];
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((file) => {
    if (!file.isFile()) return [];
    const path = join(file.parentPath, file.name);
    const content = readFileSync(path);
    return forms.some((form) => content.includes(form)) ? [path] : [];
  });
}

test('no word of a note is on the disk of the device, before and after the sign-out', async ({
  launchOptions,
}) => {
  const profile = mkdtempSync(join(tmpdir(), 'acolhe-profile-'));
  const launch = (): Promise<BrowserContext> =>
    chromium.launchPersistentContext(profile, { ...launchOptions, locale: 'pt-BR' });
  const canary = 'canarioverdedodisco';
  try {
    let context = await launch();
    let page = await context.newPage();
    const user = await site.patientWithDevice(page);
    // The search finds what the browser does keep.
    const shown = user.uid;
    site.gateway.network = 'cut';
    await site.write(page, `${canary} um`);
    await expect(keptHere(page)).toBeVisible();
    await page.getByRole('link', { name: 'Ver o diário' }).click();
    await expect(page.getByText(`${canary} um`)).toBeVisible();
    await context.close();
    expect(filesWith(profile, shown)).not.toEqual([]);
    expect(filesWith(profile, canary)).toEqual([]);

    context = await launch();
    page = await context.newPage();
    await page.goto(`${site.url}/diario`);
    await expect(page.getByText(`${canary} um`)).toBeVisible();
    site.gateway.network = 'open';
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
    await expect.poll(() => site.notesOf(user)).toEqual([`${canary} um`]);
    await expect.poll(() => queueText(page)).toEqual([]);
    await page.goto(`${site.url}/logout`);
    await expect(page).toHaveURL(`${site.url}/`);
    await context.close();
    expect(filesWith(profile, canary)).toEqual([]);
  } finally {
    rmSync(profile, { recursive: true, force: true });
  }
});
