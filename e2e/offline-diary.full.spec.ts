import { dayMs } from '#contract/calendar.ts';
import type { DiaryEntry } from '#contract/diary/entry.ts';
import { limits } from '#contract/limits.ts';
import { addEntry } from '#server/testing/diaries.ts';
import { expect, test } from './journey.ts';
import { keptHere, note, queueText, save, sent, siteWithDiaries } from './offline/diary-device.ts';

const site = siteWithDiaries();

test('entries of two tabs written without network arrive once, and show where they are', async ({
  page,
  context,
}) => {
  const user = await site.patientWithDevice(page);
  const second = await context.newPage();
  site.gateway.network = 'cut';
  await site.write(page, 'canario da primeira aba');
  await expect(page.getByRole('heading', { name: 'Guardado.' })).toBeFocused();
  await expect(keptHere(page)).toBeVisible();
  await site.write(second, 'canario da segunda aba');
  await expect(keptHere(second)).toBeVisible();
  const rows = await queueText(page);
  expect(rows).toHaveLength(2);
  for (const text of rows) expect(text).not.toMatch(/canario|aba|2026/);

  await page.getByRole('link', { name: 'Ver o diário' }).click();
  const waiting = page.getByRole('region', { name: 'Só neste aparelho, por enquanto' });
  await expect(waiting.getByRole('listitem')).toHaveCount(2);
  await expect(waiting.getByText('Na fila')).toHaveCount(2);
  await expect(page.getByText('2 anotações esperam para ser enviadas.')).toBeVisible();

  site.gateway.network = 'open';
  await second.evaluate(() => window.dispatchEvent(new Event('online')));
  await expect(sent(second)).toBeVisible();
  await expect(waiting).toHaveCount(0);
  // The other tab follows by itself.
  await expect(page.getByText('canario da segunda aba')).toBeVisible();
  expect(await site.notesOf(user)).toEqual(['canario da primeira aba', 'canario da segunda aba']);
  expect(await queueText(page)).toEqual([]);
});

test('lost answers, ten repeats and a correction meanwhile leave one entry', async ({ page }) => {
  const user = await site.patientWithDevice(page);
  site.gateway.network = 'lost';
  await site.write(page, 'antes');
  await expect(keptHere(page)).toBeVisible();
  for (let repeat = 0; repeat < 10; repeat += 1)
    await page.evaluate(async () => {
      window.dispatchEvent(new Event('online'));
      await navigator.locks.request(`acolhe-queue-${localStorage.getItem('acolhe:device')}`, () => {});
    });
  await expect.poll(() => site.notesOf(user)).toEqual(['antes']);
  await page.getByRole('link', { name: 'Ver o diário' }).click();
  await page.getByRole('link', { name: 'Corrigir' }).click();
  await expect(note(page)).toHaveValue('antes');
  await note(page).fill('depois');
  await save(page);
  await expect(keptHere(page)).toBeVisible();
  site.gateway.network = 'open';
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  await expect(sent(page)).toBeVisible();
  expect(await site.notesOf(user)).toEqual(['depois']);
});

test('a tab that ends before the entry is stored loses it, and at any later step sends it once', async ({
  page,
  context,
  watch,
}) => {
  const user = await site.patientWithDevice(page);
  const open = async (script?: () => void) => {
    const tab = await context.newPage();
    if (script) await tab.addInitScript(script);
    return tab;
  };

  let tab = await open(() => {
    // The transaction never begins.
    crypto.subtle.encrypt = () => new Promise(() => {});
  });
  await site.write(tab, 'nunca guardada');
  await expect(tab.getByRole('button', { name: 'Guardando…' })).toBeVisible();
  await tab.close();

  site.gateway.network = 'open';
  tab = await open(() => {
    const send = window.fetch;
    window.fetch = (input, init) => (init?.method === 'PUT' ? new Promise(() => {}) : send(input, init));
  });
  await site.write(tab, 'sem pedido');
  await expect(tab.getByText('Guardado neste aparelho. Enviando…')).toBeVisible();
  await tab.close();

  tab = await open(() => {
    // The request arrives, and its answer does not.
    const send = window.fetch;
    window.fetch = (input, init) => {
      const request = send(input, init);
      return init?.method === 'PUT' ? request.then(() => new Promise(() => {})) : request;
    };
  });
  await site.write(tab, 'sem resposta');
  await expect.poll(() => site.notesOf(user)).toContain('sem resposta');
  await tab.close();

  tab = await open(() => {
    // The answer arrives, and the tab ends before it removes the row.
    IDBObjectStore.prototype.delete = () => {
      throw new DOMException('The tab ends here.', 'AbortError');
    };
  });
  await site.write(tab, 'sem fim');
  await expect.poll(() => site.notesOf(user)).toContain('sem fim');
  await tab.close();
  watch.problems.length = 0;

  await page.goto(`${site.url}/diario`);
  await expect.poll(() => queueText(page)).toEqual([]);
  expect(await site.notesOf(user)).toEqual(['sem fim', 'sem pedido', 'sem resposta']);
});

test('with a full storage, the text stays in the form, and the server stores it', async ({ page }) => {
  const user = await site.patientWithDevice(page);
  await page.goto(`${site.url}/diario/novo`);
  await page.evaluate(() => {
    IDBObjectStore.prototype.put = () => {
      throw new DOMException('The storage is full.', 'QuotaExceededError');
    };
  });
  site.gateway.network = 'cut';
  await note(page).fill('texto que não cabe');
  await save(page);
  await expect(page.getByText('Não deu para guardar neste aparelho: pode faltar espaço.')).toBeVisible();
  await expect(note(page)).toHaveValue('texto que não cabe');
  site.gateway.network = 'open';
  await save(page);
  await expect(page.getByText(/^Está no seu diário/)).toBeVisible();
  expect(await site.notesOf(user)).toEqual(['texto que não cabe']);
});

test('a clock a day ahead or behind keeps its day; what is refused waits for its correction', async ({
  page,
}) => {
  const user = await site.patientWithDevice(page);
  const now = Date.now();
  const dayOf = async (text: string) =>
    ((await (await user.client.diary()).days()).entries as DiaryEntry[]).find((one) => one.note === text)
      ?.day;
  const here = (time: number) => new Date(time).toLocaleDateString('sv', { timeZone: 'America/Sao_Paulo' });
  for (const [text, days] of [
    ['ontem', -1],
    ['amanhã', 1],
  ] as const) {
    await page.clock.setFixedTime(now + days * dayMs);
    site.gateway.network = 'cut';
    await site.write(page, text);
    await expect(keptHere(page)).toBeVisible();
    site.gateway.network = 'open';
    await page.reload();
    await expect.poll(() => dayOf(text)).toBe(here(now + days * dayMs));
  }

  await page.clock.setFixedTime(now + 3 * dayMs);
  site.gateway.network = 'cut';
  await site.write(page, 'longe demais');
  await expect(keptHere(page)).toBeVisible();
  await page.clock.setFixedTime(now);
  await site.write(page, 'de hoje');
  await expect(keptHere(page)).toBeVisible();
  site.gateway.network = 'open';
  await page.goto(`${site.url}/diario`);
  // The refused entry does not hold up the other one.
  await expect.poll(() => site.notesOf(user)).toEqual(['amanhã', 'de hoje', 'ontem']);
  const waiting = page.getByRole('region', { name: 'Só neste aparelho, por enquanto' });
  await expect(waiting.getByText('Escolha um dia do último ano.')).toBeVisible();
  await expect(page.getByText('1 anotação precisa de você.')).toBeVisible();
  await waiting.getByRole('link', { name: 'Corrigir' }).click();
  await expect(page.getByText('Escolha um dia do último ano.')).toBeVisible();
  await page.getByText('Mudar o dia ou a hora').click();
  await page.getByLabel('Dia', { exact: true }).fill(here(now));
  await save(page);
  await expect(sent(page)).toBeVisible();
  expect(await dayOf('longe demais')).toBe(here(now));
});

test('thirty entries on a day: the next one waits, until the patient deletes one', async ({ page }) => {
  const user = await site.patientWithDevice(page);
  const today = new Date().toLocaleDateString('sv', { timeZone: 'America/Sao_Paulo' });
  for (let one = 0; one < limits.diaryEntriesADay; one += 1)
    await addEntry(user, { day: today, note: { base: 0, text: `de antes ${one}` } });
  await site.write(page, 'a mais');
  await expect(page.getByText(/mas não foi aceito: Cabem até 30/)).toBeVisible();
  await page.getByRole('link', { name: 'Ver o diário' }).click();
  const first = page.getByRole('listitem').filter({ hasText: 'de antes 0' });
  await first.getByRole('button', { name: /^Apagar/ }).click();
  await expect(first).toHaveCount(0);
  // Leaving the page sends the deletion at once.
  await page.goto(`${site.url}/diario`);
  const waiting = page.getByRole('region', { name: 'Só neste aparelho, por enquanto' });
  await expect.poll(async () => (await site.notesOf(user)).length).toBe(limits.diaryEntriesADay - 1);
  await waiting.getByRole('button', { name: 'Tentar de novo' }).click();
  await expect.poll(() => site.notesOf(user)).toContain('a mais');
  await expect(waiting).toHaveCount(0);
});

test('a deletion without network waits, and the entry stays hidden', async ({ page }) => {
  const user = await site.patientWithDevice(page);
  await addEntry(user, { note: { base: 0, text: 'para apagar' } });
  await page.goto(`${site.url}/diario`);
  await expect(page.getByText('para apagar')).toBeVisible();
  await page.route('**/api/documents/diary/entries/**', (route) => route.abort());
  await page.getByRole('button', { name: /^Apagar/ }).click();
  await expect.poll(async () => (await queueText(page)).length).toBe(1);
  await page.goto(`${site.url}/diario`);
  await expect(page.getByText('Uma anotação que você apagou.')).toBeVisible();
  await expect(page.getByText('para apagar')).toHaveCount(0);
  await page.unroute('**/api/documents/diary/entries/**');
  await page.getByRole('button', { name: 'Enviar agora' }).click();
  await expect.poll(() => site.notesOf(user)).toEqual([]);
});
