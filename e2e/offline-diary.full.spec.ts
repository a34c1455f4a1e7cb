import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Page } from '@playwright/test';
import { type Client, createClient } from '#client/client.ts';
import { createCookieFetch } from '#client/cookie-fetch.ts';
import { dayMs } from '#contract/calendar.ts';
import { type DiaryEntry, diaryFile } from '#contract/diary/entry.ts';
import { limits } from '#contract/limits.ts';
import { paths } from '#contract/paths.ts';
import { addEntry, beginDiary } from '#server/testing/diaries.ts';
import { type ServerProcess, startServerProcess } from '#server/testing/server-process.ts';
import { expect, test } from './journey.ts';
import { keptBy, nothing, prepareDevice } from './offline/device.ts';
import { type Gateway, openGateway } from './offline/gateway.ts';
import { register, type TestUser } from './site.ts';

let gateway: Gateway;
let dataDir: string;
let server: ServerProcess;
let url: string;
let count = 0;
/** Clients that reach the server also when the network of the browser is cut, by uid. */
const clients = new Map<string, Client>();

test.beforeAll(async () => {
  gateway = await openGateway();
  ({ url } = gateway);
  dataDir = mkdtempSync(join(tmpdir(), 'acolhe-queue-'));
  server = await startServerProcess(dataDir, { PUBLIC_URL: url });
  gateway.target = server.port;
});
test.beforeEach(() => {
  gateway.network = 'open';
});
test.afterAll(async () => {
  await server.stop();
  await gateway.close();
  rmSync(dataDir, { recursive: true, force: true });
});

async function signInAs(page: Page, { email, password }: TestUser) {
  const data = { email, password };
  const response = await page.request.post(url + paths.auth.signIn, { data, headers: { origin: url } });
  expect(response.status()).toBe(200);
}

/** Registers a user with a diary. */
async function newPatient(): Promise<TestUser> {
  count += 1;
  const user = await register(gateway, `Paciente ${count}`);
  await beginDiary(user.client);
  const direct = `http://localhost:${server.port}`;
  const fetch = createCookieFetch(url, user.cookies);
  clients.set(user.uid, createClient({ auth: direct, documents: direct, fetch }));
  return user;
}

/** A new user with a diary, who has chosen the device of the page. */
async function patientWithDevice(page: Page): Promise<TestUser> {
  const user = await newPatient();
  await signInAs(page, user);
  await prepareDevice(page, url);
  await expect.poll(() => keptNames(page)).toEqual(['content', 'diary', 'session']);
  return user;
}

/** The names of what the device keeps for pages without network. */
const keptNames = (page: Page) =>
  page.evaluate(
    () =>
      new Promise((resolve, reject) => {
        const opening = indexedDB.open(`acolhe-${localStorage.getItem('acolhe:device')}`);
        opening.onerror = reject;
        opening.onsuccess = () => {
          const keys = opening.result.transaction('kept').objectStore('kept').getAllKeys();
          keys.onsuccess = () => {
            opening.result.close();
            resolve(keys.result);
          };
        };
      }),
  );

/** The rows of the queue as text, also the sealed bytes. */
const queueText = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<string[]>((resolve) => {
        const opening = indexedDB.open(`acolhe-${localStorage.getItem('acolhe:device')}`);
        opening.onsuccess = () => {
          const rows = opening.result.transaction('queue').objectStore('queue').getAll();
          rows.onsuccess = () => {
            opening.result.close();
            const decoder = new TextDecoder('latin1');
            resolve(rows.result.map((row) => JSON.stringify(row) + decoder.decode(row.data)));
          };
        };
      }),
  );

/** The notes that the server has. The request does not pass the gateway. */
const notesOf = async ({ uid }: TestUser) => {
  const { entries = [] } = (await (await clients.get(uid)?.diary())?.days()) ?? {};
  return (entries as DiaryEntry[]).map((one) => one.note).sort();
};

const note = (page: Page) => page.getByLabel('Quer contar algo?');
const save = (page: Page) => page.getByRole('button', { name: 'Guardar', exact: true }).click();
const keptHere = (page: Page) => page.getByText('Guardado neste aparelho.');
const sent = (page: Page) => page.getByText(/^Enviado\./);

/** Writes an entry in the open page, until the form is left. */
async function write(page: Page, text: string) {
  await page.goto(`${url}/diario/novo`);
  await note(page).fill(text);
  await save(page);
}

test('entries of two tabs written without network arrive once, and show where they are', async ({
  page,
  context,
}) => {
  const user = await patientWithDevice(page);
  const second = await context.newPage();
  gateway.network = 'cut';
  await write(page, 'canario da primeira aba');
  await expect(page.getByRole('heading', { name: 'Guardado.' })).toBeFocused();
  await expect(keptHere(page)).toBeVisible();
  await write(second, 'canario da segunda aba');
  await expect(keptHere(second)).toBeVisible();
  const rows = await queueText(page);
  expect(rows).toHaveLength(2);
  for (const text of rows) expect(text).not.toMatch(/canario|aba|2026/);

  await page.getByRole('link', { name: 'Ver o diário' }).click();
  const waiting = page.getByRole('region', { name: 'Só neste aparelho, por enquanto' });
  await expect(waiting.getByRole('listitem')).toHaveCount(2);
  await expect(waiting.getByText('Na fila')).toHaveCount(2);
  await expect(page.getByText('2 anotações esperam para ser enviadas.')).toBeVisible();

  gateway.network = 'open';
  await second.evaluate(() => window.dispatchEvent(new Event('online')));
  await expect(sent(second)).toBeVisible();
  await expect(waiting).toHaveCount(0);
  // The other tab follows by itself.
  await expect(page.getByText('canario da segunda aba')).toBeVisible();
  expect(await notesOf(user)).toEqual(['canario da primeira aba', 'canario da segunda aba']);
  expect(await queueText(page)).toEqual([]);
});

test('lost answers, ten repeats and a correction meanwhile leave one entry', async ({ page }) => {
  const user = await patientWithDevice(page);
  gateway.network = 'lost';
  await write(page, 'antes');
  await expect(keptHere(page)).toBeVisible();
  for (let repeat = 0; repeat < 10; repeat += 1)
    await page.evaluate(async () => {
      window.dispatchEvent(new Event('online'));
      await navigator.locks.request(`acolhe-queue-${localStorage.getItem('acolhe:device')}`, () => {});
    });
  await expect.poll(() => notesOf(user)).toEqual(['antes']);
  await page.getByRole('link', { name: 'Ver o diário' }).click();
  await page.getByRole('link', { name: 'Corrigir' }).click();
  await expect(note(page)).toHaveValue('antes');
  await note(page).fill('depois');
  await save(page);
  await expect(keptHere(page)).toBeVisible();
  gateway.network = 'open';
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  await expect(sent(page)).toBeVisible();
  expect(await notesOf(user)).toEqual(['depois']);
});

test('a tab that ends before the entry is stored loses it, and at any later step sends it once', async ({
  page,
  context,
  watch,
}) => {
  const user = await patientWithDevice(page);
  const open = async (script?: () => void) => {
    const tab = await context.newPage();
    if (script) await tab.addInitScript(script);
    return tab;
  };

  let tab = await open(() => {
    // The transaction never begins.
    crypto.subtle.encrypt = () => new Promise(() => {});
  });
  await write(tab, 'nunca guardada');
  await expect(tab.getByRole('button', { name: 'Guardando…' })).toBeVisible();
  await tab.close();

  gateway.network = 'open';
  tab = await open(() => {
    const send = window.fetch;
    window.fetch = (input, init) => (init?.method === 'PUT' ? new Promise(() => {}) : send(input, init));
  });
  await write(tab, 'sem pedido');
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
  await write(tab, 'sem resposta');
  await expect.poll(() => notesOf(user)).toContain('sem resposta');
  await tab.close();

  tab = await open(() => {
    // The answer arrives, and the tab ends before it removes the row.
    IDBObjectStore.prototype.delete = () => {
      throw new DOMException('The tab ends here.', 'AbortError');
    };
  });
  await write(tab, 'sem fim');
  await expect.poll(() => notesOf(user)).toContain('sem fim');
  await tab.close();
  watch.problems.length = 0;

  await page.goto(`${url}/diario`);
  await expect.poll(() => queueText(page)).toEqual([]);
  expect(await notesOf(user)).toEqual(['sem fim', 'sem pedido', 'sem resposta']);
});

test('with a full storage, the text stays in the form, and the server stores it', async ({ page }) => {
  const user = await patientWithDevice(page);
  await page.goto(`${url}/diario/novo`);
  await page.evaluate(() => {
    IDBObjectStore.prototype.put = () => {
      throw new DOMException('The storage is full.', 'QuotaExceededError');
    };
  });
  gateway.network = 'cut';
  await note(page).fill('texto que não cabe');
  await save(page);
  await expect(page.getByText('Não deu para guardar neste aparelho: pode faltar espaço.')).toBeVisible();
  await expect(note(page)).toHaveValue('texto que não cabe');
  gateway.network = 'open';
  await save(page);
  await expect(page.getByText(/^Está no seu diário/)).toBeVisible();
  expect(await notesOf(user)).toEqual(['texto que não cabe']);
});

test('a clock a day ahead or behind keeps its day; what is refused waits for its correction', async ({
  page,
}) => {
  const user = await patientWithDevice(page);
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
    gateway.network = 'cut';
    await write(page, text);
    await expect(keptHere(page)).toBeVisible();
    gateway.network = 'open';
    await page.reload();
    await expect.poll(() => dayOf(text)).toBe(here(now + days * dayMs));
  }

  await page.clock.setFixedTime(now + 3 * dayMs);
  gateway.network = 'cut';
  await write(page, 'longe demais');
  await expect(keptHere(page)).toBeVisible();
  await page.clock.setFixedTime(now);
  await write(page, 'de hoje');
  await expect(keptHere(page)).toBeVisible();
  gateway.network = 'open';
  await page.goto(`${url}/diario`);
  // The refused entry does not hold up the other one.
  await expect.poll(() => notesOf(user)).toEqual(['amanhã', 'de hoje', 'ontem']);
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
  const user = await patientWithDevice(page);
  const today = new Date().toLocaleDateString('sv', { timeZone: 'America/Sao_Paulo' });
  for (let one = 0; one < limits.diaryEntriesADay; one += 1)
    await addEntry(user, { day: today, note: { base: 0, text: `de antes ${one}` } });
  await write(page, 'a mais');
  await expect(page.getByText(/mas não foi aceito: Cabem até 30/)).toBeVisible();
  await page.getByRole('link', { name: 'Ver o diário' }).click();
  const first = page.getByRole('listitem').filter({ hasText: 'de antes 0' });
  await first.getByRole('button', { name: /^Apagar/ }).click();
  await expect(first).toHaveCount(0);
  // Leaving the page sends the deletion at once.
  await page.goto(`${url}/diario`);
  const waiting = page.getByRole('region', { name: 'Só neste aparelho, por enquanto' });
  await expect.poll(async () => (await notesOf(user)).length).toBe(limits.diaryEntriesADay - 1);
  await waiting.getByRole('button', { name: 'Tentar de novo' }).click();
  await expect.poll(() => notesOf(user)).toContain('a mais');
  await expect(waiting).toHaveCount(0);
});

test('a deletion without network waits, and the entry stays hidden', async ({ page }) => {
  const user = await patientWithDevice(page);
  await addEntry(user, { note: { base: 0, text: 'para apagar' } });
  await page.goto(`${url}/diario`);
  await expect(page.getByText('para apagar')).toBeVisible();
  await page.route('**/api/documents/diary/entries/**', (route) => route.abort());
  await page.getByRole('button', { name: /^Apagar/ }).click();
  await page.goto(`${url}/diario`);
  await expect(page.getByText('Uma anotação que você apagou.')).toBeVisible();
  await expect(page.getByText('para apagar')).toHaveCount(0);
  await page.unroute('**/api/documents/diary/entries/**');
  await page.getByRole('button', { name: 'Enviar agora' }).click();
  await expect.poll(() => notesOf(user)).toEqual([]);
});

test('when the session has ended, the queue stays, and a sign-in sends it', async ({ page, context }) => {
  const user = await patientWithDevice(page);
  await page.goto(`${url}/diario/novo`);
  await note(page).fill('depois do fim da sessão');
  await context.clearCookies();
  await save(page);
  await expect(keptHere(page)).toBeVisible();
  await page.getByRole('link', { name: 'Entre para enviar 1 anotação.' }).first().click();
  await page.getByLabel('Email').fill(user.email);
  await page.getByLabel('Senha', { exact: true }).fill(user.password);
  await page.getByRole('button', { name: 'Entrar', exact: true }).click();
  await expect(page).toHaveURL(`${url}/diario`);
  await expect.poll(() => notesOf(user)).toEqual(['depois do fim da sessão']);
});

test('another user on the device sees and sends nothing of the first, who then sends it', async ({
  page,
  context,
}) => {
  const ana = await patientWithDevice(page);
  gateway.network = 'cut';
  await write(page, 'só da Ana');
  await expect(keptHere(page)).toBeVisible();
  gateway.network = 'open';
  await context.clearCookies();
  const bia = await newPatient();
  await signInAs(page, bia);
  await page.goto(`${url}/diario`);
  await expect(page.getByRole('link', { name: 'Anotar como estou agora' })).toBeVisible();
  await write(page, 'da Bia');
  await expect(page.getByText(/^Está no seu diário/)).toBeVisible();
  await expect(page.getByText(/esperam? para ser enviada/)).toHaveCount(0);
  await page.goto(`${url}/aparelho`);
  await expect(page.getByText('Neste aparelho esperam anotações de outra conta.')).toBeVisible();
  expect([await notesOf(ana), await notesOf(bia)]).toEqual([[], ['da Bia']]);
  // Without network, the first user's pages do not open for the second one.
  await expect.poll(() => keptNames(page)).toEqual(['content', 'diary']);
  gateway.network = 'cut';
  await page.goto(`${url}/diario`);
  await expect(page.getByText('só da Ana')).toHaveCount(0);
  const cannotDownload = async () => {
    await page.goto(`${url}/logout`);
    await expect(page.getByRole('button', { name: 'Sair e apagar deste aparelho' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Baixar' })).toHaveCount(0);
  };
  await cannotDownload();
  gateway.network = 'open';
  await page.goto(`${url}/logout`);
  await expect(page).toHaveURL(`${url}/`);
  await cannotDownload();
  await signInAs(page, ana);
  await page.goto(`${url}/diario`);
  await expect.poll(() => notesOf(ana)).toEqual(['só da Ana']);
  expect(await notesOf(bia)).toEqual(['da Bia']);
});

test('a page that was asleep stores nothing in the diary of the next user, on any device', async ({
  page,
}) => {
  const [ana, bia] = [await newPatient(), await newPatient()];
  await signInAs(page, ana);
  await page.goto(`${url}/diario/novo`);
  await note(page).fill('só da Ana');
  await signInAs(page, bia);
  await save(page);
  await expect(page.getByText('Outra pessoa entrou neste navegador.')).toBeVisible();
  await expect(note(page)).toHaveValue('só da Ana');
  expect([await notesOf(ana), await notesOf(bia)]).toEqual([[], []]);
});

test('a sign-out asks before anything is lost, and erases the device, also without network', async ({
  page,
}) => {
  const user = await patientWithDevice(page);
  gateway.network = 'cut';
  await write(page, 'uma');
  await expect(keptHere(page)).toBeVisible();
  await page.goto(`${url}/logout`);
  await expect(page.getByRole('heading', { name: 'Antes de sair' })).toBeVisible();
  await expect(page.getByText('1 anotação espera para ser enviada.').first()).toBeVisible();
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Baixar' }).click();
  const file = await (await downloading).path();
  const { entries } = diaryFile.parse(JSON.parse(await readFile(file, 'utf8')));
  expect(entries.map((entry) => entry.note)).toEqual(['uma']);
  // The page has tried to send by itself.
  await expect(page.getByText('O site não respondeu.')).toBeVisible();
  gateway.network = 'open';
  await page.getByRole('button', { name: 'Enviar agora' }).click();
  await expect(page).toHaveURL(`${url}/`);
  expect(await notesOf(user)).toEqual(['uma']);
  expect(await keptBy(page)).toEqual(nothing);

  await signInAs(page, user);
  await prepareDevice(page, url);
  await expect.poll(() => keptNames(page)).toContain('session');
  gateway.network = 'cut';
  await write(page, 'duas');
  await expect(keptHere(page)).toBeVisible();
  await page.goto(`${url}/logout`);
  await page.getByRole('button', { name: 'Sair e apagar deste aparelho' }).click();
  await expect(page.getByRole('heading', { name: 'Você saiu deste aparelho' })).toBeVisible();
  expect(await keptBy(page)).toEqual(nothing);
  gateway.network = 'open';
});

test('with a network that never answers, the form opens, stores the entry, and the user can sign out', async ({
  page,
}) => {
  const user = await patientWithDevice(page);
  gateway.network = 'silent';
  await write(page, 'a rede não responde');
  await expect(keptHere(page)).toBeVisible();
  await page.goto(`${url}/logout`);
  await expect(page.getByRole('heading', { name: 'Antes de sair' })).toBeVisible({ timeout: 15_000 });
  gateway.network = 'open';
  await page.reload();
  await expect(page).toHaveURL(`${url}/`);
  expect(await notesOf(user)).toEqual(['a rede não responde']);
});

test('after the diary was deleted on another device, what waits here can be read, and can go', async ({
  page,
}) => {
  const user = await patientWithDevice(page);
  gateway.network = 'cut';
  await write(page, 'escrita antes de apagar');
  await expect(keptHere(page)).toBeVisible();
  await (await clients.get(user.uid)?.diary())?.deleteAll();
  gateway.network = 'open';
  await page.goto(`${url}/diario`);
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
    const user = await patientWithDevice(page);
    // The search finds what the browser does keep.
    const shown = user.uid;
    gateway.network = 'cut';
    await write(page, `${canary} um`);
    await expect(keptHere(page)).toBeVisible();
    await page.getByRole('link', { name: 'Ver o diário' }).click();
    await expect(page.getByText(`${canary} um`)).toBeVisible();
    await context.close();
    expect(filesWith(profile, shown)).not.toEqual([]);
    expect(filesWith(profile, canary)).toEqual([]);

    context = await launch();
    page = await context.newPage();
    await page.goto(`${url}/diario`);
    await expect(page.getByText(`${canary} um`)).toBeVisible();
    gateway.network = 'open';
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
    await expect.poll(() => notesOf(user)).toEqual([`${canary} um`]);
    await expect.poll(() => queueText(page)).toEqual([]);
    await page.goto(`${url}/logout`);
    await expect(page).toHaveURL(`${url}/`);
    await context.close();
    expect(filesWith(profile, canary)).toEqual([]);
  } finally {
    rmSync(profile, { recursive: true, force: true });
  }
});
