import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { dayAfter, dayInBrasilia } from '#contract/calendar.ts';
import type { DiaryEntry } from '#contract/diary/entry.ts';
import { noteSeparator } from '#contract/diary/merge.ts';
import { limits } from '#contract/limits.ts';
import { addEntry, beginDiary } from '#server/testing/diaries.ts';
import { expect, signIn, siteWithUsers, test } from './journey.ts';
import { prepareDevice } from './offline/device.ts';
import type { TestUser } from './site.ts';

const { site, users } = siteWithUsers();

const canary = 'canario-azul-do-diario';

test.beforeAll(async () => {
  for (const user of [users.patient, users.member, users.admin]) await beginDiary(user.client);
});

const entriesOf = async (user: TestUser) =>
  (await (await user.client.diary()).days()).entries as DiaryEntry[];
const saved = (page: Page) => page.getByRole('heading', { name: 'Guardado.' });
const save = (page: Page) => page.getByRole('button', { name: 'Guardar', exact: true }).click();

test('three touches store an entry; it can be edited, found, deleted and brought back', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await signIn(page, site.url, users.patient);
  await page.goto(`${site.url}/minha-area`);
  await page.getByRole('link', { name: 'Anotar como estou' }).click();
  await page.getByRole('button', { name: 'Cansaço' }).click();
  await save(page);
  await expect(saved(page)).toBeFocused();
  expect((await entriesOf(users.patient)).map(({ words }) => words)).toEqual([['Cansaço']]);

  await page.getByRole('link', { name: 'Ver o diário' }).click();
  await page.getByRole('link', { name: /^Editar/ }).click();
  await page.getByLabel('Outra palavra, sua').fill('saudade');
  await page.getByRole('button', { name: 'um pouco' }).click();
  await page.getByLabel('Quer contar algo?').fill('Caminhei até o mercado.');
  await page.getByRole('button', { name: 'Lazer' }).click();
  await page.getByLabel('O que foi?').fill('Ouvi um disco inteiro.');
  await save(page);
  await expect(saved(page)).toBeVisible();
  expect(await entriesOf(users.patient)).toMatchObject([
    {
      ...{ words: ['Cansaço', 'saudade'], intensity: 2, note: 'Caminhei até o mercado.' },
      toward: { axis: 'fun', words: 'Ouvi um disco inteiro.' },
    },
  ]);

  await page.getByRole('link', { name: 'Ver o diário' }).click();
  await page.getByLabel('Procurar nas anotações').fill('ate o MERCADO');
  await expect(page.getByText('Uma anotação.')).toBeVisible();
  await page.getByRole('button', { name: /^Apagar/ }).click();
  await expect(page.getByText('Caminhei até o mercado.')).toHaveCount(0);
  await page.getByRole('button', { name: 'Desfazer' }).click();
  await expect(page.getByText('Caminhei até o mercado.')).toBeVisible();
  await page.getByRole('button', { name: /^Apagar/ }).click();
  await expect(page.getByText('Caminhei até o mercado.')).toHaveCount(0);
  // Leaving the page does not wait for the end of the ten seconds.
  await page.getByRole('link', { name: 'Práticas' }).first().click();
  await expect.poll(() => entriesOf(users.patient)).toEqual([]);
});

test('on a chosen device, an entry written without network waits and is sent once', async ({
  page,
  context,
}) => {
  await signIn(page, site.url, users.admin);
  await prepareDevice(page, site.url);
  await page.goto(`${site.url}/diario/novo`);
  await context.setOffline(true);
  await page.getByLabel('Quer contar algo?').fill('Sem sinal.');
  await save(page);
  await expect(page.getByText('Guardado neste aparelho.')).toBeVisible();
  expect(await entriesOf(users.admin)).toEqual([]);
  await expect(page.getByRole('link', { name: '1 anotação espera para ser enviada.' })).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText(/^Enviado\./)).toBeVisible();
  expect((await entriesOf(users.admin)).map(({ note }) => note)).toEqual(['Sem sinal.']);
});

test.describe('at the full level', { tag: '@full' }, () => {
  test('a note that another device has changed keeps both texts', async ({ page }) => {
    const id = await addEntry(users.member, { note: { base: 0, text: 'Manhã.' } });
    await signIn(page, site.url, users.member);
    await page.goto(`${site.url}/diario/novo?id=${id}`);
    const note = page.getByLabel('Quer contar algo?');
    await expect(note).toHaveValue('Manhã.');
    const [entry] = await entriesOf(users.member);
    const laptop = await users.member.client.diary();
    await laptop.change(id, {
      ...{ change: crypto.randomUUID(), day: entry?.day ?? '', zone: 'America/Sao_Paulo' },
      ...{ note: { base: entry?.revision ?? 0, text: 'No laptop.' }, intensity: 1 },
    });
    await note.fill('No celular.');
    await save(page);
    await expect(page.getByText('A nota juntou os textos de dois aparelhos.')).toBeVisible();
    expect(await entriesOf(users.member)).toMatchObject([
      { note: `No laptop.${noteSeparator}No celular.`, joined: true, intensity: 1 },
    ]);
    await page.goto(`${site.url}/diario`);
    await expect(page.getByText('Junte os dois textos.')).toBeVisible();

    await page.goto(`${site.url}/diario/novo?id=${id}`);
    await expect(note).toBeVisible();
    await laptop.deleteEntry(id);
    await note.fill('Depois de apagada.');
    await save(page);
    await page.getByRole('button', { name: 'Guardar como uma nova' }).click();
    await expect(saved(page)).toBeVisible();
    expect((await entriesOf(users.member)).map((one) => one.note)).toEqual(['Depois de apagada.']);
  });

  test('a lost response, no network and an ended session lose nothing, and store nothing twice', async ({
    page,
  }) => {
    await signIn(page, site.url, users.admin);
    await page.goto(`${site.url}/diario/novo`);
    await page.getByRole('button', { name: 'Alegria' }).click();
    let isLost = false;
    await page.route('**/api/documents/diary/entries/*', async (route) => {
      if (route.request().method() !== 'PUT' || isLost) return route.fallback();
      isLost = true;
      await route.fetch();
      await route.abort();
    });
    await save(page);
    await expect(page.getByText('Sem conexão.')).toBeVisible();
    // The user goes on before the repetition: both must arrive.
    await page.getByRole('button', { name: 'Esperança' }).click();
    await page.context().setOffline(true);
    await save(page);
    await expect(page.getByText('Sem conexão.')).toBeVisible();
    await page.context().setOffline(false);
    await page.context().clearCookies();
    await save(page);
    const again = page.getByRole('dialog', { name: 'Entre de novo' });
    await again.getByLabel('Senha', { exact: true }).fill(users.admin.password);
    await again.getByRole('button', { name: 'Entrar e continuar' }).click();
    await expect(saved(page)).toBeVisible();
    const entries = await entriesOf(users.admin);
    expect(entries.map(({ words }) => words)).toEqual([['Alegria', 'Esperança']]);
  });

  test('an entry whose response was lost goes to the day that the user chooses then', async ({ page }) => {
    for (const isStored of [true, false]) {
      const diary = await beginDiary(users.patient.client);
      for (const entry of await entriesOf(users.patient)) await diary.deleteEntry(entry.id);
      await signIn(page, site.url, users.patient);
      await page.goto(`${site.url}/diario/novo`);
      await page.getByRole('button', { name: 'Alegria' }).click();
      await page.getByText('Mudar o dia ou a hora').click();
      const day = page.getByLabel('Dia', { exact: true });
      const yesterday = dayAfter(await day.inputValue(), -1);
      await page.route(
        '**/api/documents/diary/entries/*',
        async (route) => {
          if (isStored) await route.fetch();
          await route.abort();
        },
        { times: 1 },
      );
      await save(page);
      await expect(page.getByText('Sem conexão.')).toBeVisible();
      await day.fill(yesterday);
      await save(page);
      await expect(saved(page)).toBeVisible();
      expect(await entriesOf(users.patient)).toMatchObject([{ day: yesterday, words: ['Alegria'] }]);
    }
  });

  test('a sign-out waits for a deletion, and hiding the page sends it', async ({ page }) => {
    const diary = await beginDiary(users.member.client);
    for (const entry of await entriesOf(users.member)) await diary.deleteEntry(entry.id);
    // Not `signIn`, because the sign-out ends this session.
    await page.goto(`${site.url}/login`);
    await page.getByLabel('Email').fill(users.member.email);
    await page.getByLabel('Senha', { exact: true }).fill(users.member.password);
    await page.getByRole('button', { name: 'Entrar', exact: true }).click();
    await expect(page).toHaveURL(`${site.url}/minha-area`);
    const hide = () => {
      Object.defineProperty(document, 'visibilityState', { value: 'hidden' });
      document.dispatchEvent(new Event('visibilitychange'));
    };
    for (const leave of [
      () => page.evaluate(hide),
      async () => {
        await page.getByRole('link', { name: 'Sair' }).first().click();
        await expect(page).toHaveURL(`${site.url}/`);
      },
    ]) {
      await addEntry(users.member);
      await page.goto(`${site.url}/diario`);
      await page.getByRole('button', { name: /^Apagar/ }).click();
      await expect(page.getByText('Anotação apagada.')).toBeVisible();
      // Sooner than the ten seconds of "Desfazer".
      const answer = page.waitForResponse((one) => one.request().method() === 'DELETE', { timeout: 5_000 });
      await leave();
      expect((await answer).status()).toBe(204);
    }
  });

  test('leaving with unsaved text asks first, and no word stays on the device', async ({ page }) => {
    await signIn(page, site.url, users.admin);
    await page.goto(`${site.url}/diario/novo`);
    await page.getByLabel('Quer contar algo?').fill(canary);
    await page.getByRole('link', { name: 'Ver o diário' }).click();
    const guard = page.getByRole('dialog', { name: 'Sair sem salvar?' });
    await guard.getByRole('button', { name: 'Continuar editando' }).click();
    await save(page);
    await expect(saved(page)).toBeVisible();
    await page.goto(`${site.url}/diario`);
    await expect(page.getByText(canary)).toBeVisible();
    const kept = await page.evaluate(async () => {
      const names = await caches.keys();
      const databases = await indexedDB.databases();
      return JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, names, databases]);
    });
    expect(kept).not.toContain(canary);
    expect(JSON.parse(kept).slice(3)).toEqual([[], []]);
  });

  for (const [zone, beforeMidnight, afterMidnight] of [
    ['America/Sao_Paulo', '2026-11-27T02:59:00Z', '2026-11-27T03:01:00Z'],
    ['America/Rio_Branco', '2026-11-27T04:59:00Z', '2026-11-27T05:01:00Z'],
    ['America/Noronha', '2026-11-27T01:59:00Z', '2026-11-27T02:01:00Z'],
    ['Europe/Lisbon', '2026-11-26T23:59:00Z', '2026-11-27T00:01:00Z'],
  ] as const)
    test(`an entry stays on the day that the patient saw, around midnight in ${zone}`, async ({
      browser,
    }) => {
      const diary = await users.member.client.diary();
      await diary.deleteAll();
      await beginDiary(users.member.client);
      const context = await browser.newContext({ timezoneId: zone });
      const page = await context.newPage();
      await signIn(page, site.url, users.member);
      for (const [time, word] of [
        [beforeMidnight, 'Alegria'],
        [afterMidnight, 'Cansaço'],
      ] as const) {
        await page.clock.setFixedTime(time);
        await page.goto(`${site.url}/diario/novo`);
        await page.getByRole('button', { name: word }).click();
        // Midnight passes before the entry is saved.
        if (word === 'Alegria') await page.clock.setFixedTime(afterMidnight);
        await save(page);
        await expect(saved(page)).toBeVisible();
      }
      await context.close();
      const entries = await entriesOf(users.member);
      expect(entries.map(({ day, words, zone: stored }) => [day, words[0], stored])).toEqual([
        ['2026-11-27', 'Cansaço', zone],
        ['2026-11-26', 'Alegria', zone],
      ]);
      const elsewhere = await browser.newContext({ timezoneId: 'Asia/Tokyo' });
      const later = await elsewhere.newPage();
      await signIn(later, site.url, users.member);
      await later.goto(`${site.url}/diario`);
      for (const day of ['quinta-feira, 26 de novembro', 'sexta-feira, 27 de novembro'])
        await expect(later.getByRole('heading', { name: day })).toBeVisible();
      await elsewhere.close();
    });

  test('the chart and its table have the same numbers', async ({ page }) => {
    const diary = await users.patient.client.diary();
    await diary.deleteAll();
    await beginDiary(users.patient.client);
    const today = dayInBrasilia(Date.now());
    for (const [days, word] of [
      [0, 'Alegria'],
      [7, 'Alegria'],
      [7, 'Alegria'],
      [14, 'Medo'],
    ] as const)
      await addEntry(users.patient, { day: dayAfter(today, -days), words: { add: [word], remove: [] } });
    await signIn(page, site.url, users.patient);
    await page.goto(`${site.url}/diario`);
    await page.getByText('Ver em números').click();
    const rows = page.getByRole('table').getByRole('row');
    await expect(rows.nth(1)).toHaveText(`Alegria${'0'.repeat(10)}21`);
    await expect(rows.nth(2)).toHaveText(`Medo${'0'.repeat(9)}100`);
    // Each drawn word has a dot for each week with a number, and a larger number has a larger dot.
    const dots = await page.locator('svg:has(> circle)').evaluateAll((drawings) =>
      drawings.map((drawing) =>
        [...drawing.querySelectorAll('circle')].map((dot) => ({
          week: Math.floor(Number(dot.getAttribute('cx')) / 20),
          size: Number(dot.getAttribute('r')),
        })),
      ),
    );
    expect(dots.map((row) => row.map(({ week }) => week))).toEqual([[10, 11], [9]]);
    const [more, fewer] = dots[0] ?? [];
    expect(more?.size).toBeGreaterThan(fewer?.size ?? 0);
  });

  test('a copy has the chosen days and parts; it comes back after the diary was deleted', async ({
    page,
  }) => {
    const diary = await users.patient.client.diary();
    await diary.deleteAll();
    await beginDiary(users.patient.client);
    const today = dayInBrasilia(Date.now());
    await addEntry(users.patient, { note: { base: 0, text: 'Hoje.' } });
    await addEntry(users.patient, { day: dayAfter(today, -60), note: { base: 0, text: 'Antes.' } });
    await signIn(page, site.url, users.patient);
    await page.goto(`${site.url}/diario/copias`);
    await expect(page.getByText('Uma anotação.')).toBeVisible();
    await page.emulateMedia({ media: 'print' });
    await expect(page.getByText('Hoje.')).toBeVisible();
    await expect(page.getByText('Antes.')).toHaveCount(0);
    await page.emulateMedia({ media: 'screen' });
    await page.getByRole('checkbox', { name: 'Notas' }).uncheck();
    await expect(page.getByText('Hoje.')).toHaveCount(0);
    await page.getByRole('checkbox', { name: 'Notas' }).check();
    await page.getByLabel('De', { exact: true }).fill(dayAfter(today, -90));
    await expect(page.getByText('2 anotações.')).toBeVisible();
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Baixar arquivo do diário' }).click();
    const file = await readFile(await (await download).path());
    await page.getByRole('button', { name: 'Apagar o diário inteiro' }).click();
    await page.getByRole('button', { name: 'Apagar para sempre' }).click();
    await expect(page.getByRole('heading', { name: 'Antes de começar' })).toBeVisible();

    await beginDiary(users.patient.client);
    await page.goto(`${site.url}/diario/copias`);
    const chooser = page.getByLabel('Arquivo do diário');
    await chooser.setInputFiles({
      name: 'foto.json',
      mimeType: 'application/json',
      buffer: Buffer.from('{'),
    });
    await expect(page.getByText('Este arquivo não é um diário deste site.')).toBeVisible();
    await chooser.setInputFiles({ name: 'diario.json', mimeType: 'application/json', buffer: file });
    await page.getByRole('button', { name: 'Trazer também as apagadas' }).click();
    await expect(page.getByText('2 anotações voltaram.')).toBeVisible();
    expect((await entriesOf(users.patient)).map(({ note }) => note)).toEqual(['Hoje.', 'Antes.']);
  });

  test('older entries load on request, and a search looks into all of them', async ({ page }) => {
    const diary = await users.patient.client.diary();
    await diary.deleteAll();
    await beginDiary(users.patient.client);
    const today = dayInBrasilia(Date.now());
    const count = limits.diaryDaysPageItems + 5;
    for (let days = 0; days < count; days++)
      await addEntry(users.patient, { day: dayAfter(today, -days), note: { base: 0, text: `Dia ${days}.` } });
    await signIn(page, site.url, users.patient);
    await page.goto(`${site.url}/diario`);
    await expect(page.getByText('Dia 29.')).toBeVisible();
    await expect(page.getByText('Dia 30.')).toHaveCount(0);
    await page.getByRole('button', { name: 'Mais antigas' }).press('Enter');
    await expect(page.getByText('Dia 34.')).toBeVisible();
    await expect(page.getByRole('link', { name: /^Editar/ }).nth(30)).toBeFocused();
    await page.reload();
    const search = page.getByLabel('Procurar nas anotações');
    await search.fill('dia 34');
    await expect(page.getByText('Dia 34.')).toBeVisible();
    // The search has loaded all entries, and the list still shows the newest.
    await search.clear();
    await expect(page.getByText('Dia 29.')).toBeVisible();
    await expect(page.getByText('Dia 30.')).toHaveCount(0);
    await page.getByRole('button', { name: 'Mais antigas' }).click();
    await expect(page.getByText('Dia 34.')).toBeVisible();
    await page.reload();
    await search.fill('dia');
    await expect(page.getByText(`${count} anotações.`)).toBeVisible();
    await expect(page.getByText('Dia 30.')).toHaveCount(0);
    await page.getByRole('button', { name: 'Mais antigas' }).click();
    await expect(page.getByText('Dia 34.')).toBeVisible();
  });

  test('a paused diary is not offered, and keeps its entries', async ({ page }) => {
    await addEntry(users.member, { note: { base: 0, text: 'Fica aqui.' } });
    await signIn(page, site.url, users.member);
    await page.goto(`${site.url}/diario`);
    await page.getByRole('button', { name: 'O diário está me fazendo mal?' }).click();
    await page.getByRole('button', { name: 'Pausar o diário' }).click();
    await expect(page.getByText('Seu diário está em pausa')).toBeVisible();
    await page.goto(`${site.url}/minha-area`);
    await expect(page.getByText('Em pausa')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Anotar como estou' })).toHaveCount(0);
    await page.getByRole('link', { name: 'Meu diário' }).first().click();
    await expect(page.getByText('Fica aqui.')).toBeVisible();
    await page.getByRole('button', { name: 'Retomar' }).click();
    await expect(page.getByRole('link', { name: 'Anotar como estou agora' })).toBeVisible();
  });
});
