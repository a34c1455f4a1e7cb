import type { Page } from '@playwright/test';
import { type Client, createClient } from '#client/client.ts';
import { createCookieFetch } from '#client/cookie-fetch.ts';
import type { DiaryEntry } from '#contract/diary/entry.ts';
import { beginDiary } from '#server/testing/diaries.ts';
import { expect } from '../journey.ts';
import { register, type TestUser } from '../site.ts';
import { prepareDevice } from './device.ts';
import { siteBehindGateway } from './site-behind-gateway.ts';

/** A site behind a gateway, and patients with diaries. */
export function siteWithDiaries() {
  const site = siteBehindGateway();
  let count = 0;
  /** Clients that reach the server also when the network of the browser is cut, by uid. */
  const clients = new Map<string, Client>();

  /** Registers a user with a diary. */
  async function newPatient(): Promise<TestUser> {
    count += 1;
    const user = await register(site.gateway, `Paciente ${count}`);
    await beginDiary(user.client);
    const direct = `http://localhost:${site.server.port}`;
    const fetch = createCookieFetch(site.url, user.cookies);
    clients.set(user.uid, createClient({ auth: direct, documents: direct, fetch }));
    return user;
  }

  return Object.assign(site, {
    clients,
    newPatient,

    /** A new user with a diary, who has chosen the device of the page. */
    async patientWithDevice(page: Page): Promise<TestUser> {
      const user = await newPatient();
      await site.signIn(page, user);
      await prepareDevice(page, site.url);
      await expect.poll(() => keptNames(page)).toEqual(['content', 'diary', 'session']);
      return user;
    },

    /** The notes that the server has. The request does not pass the gateway. */
    async notesOf({ uid }: TestUser) {
      const { entries = [] } = (await (await clients.get(uid)?.diary())?.days()) ?? {};
      return (entries as DiaryEntry[]).map((one) => one.note).sort();
    },

    /** Writes an entry in the open page, until the form is left. */
    async write(page: Page, text: string) {
      await page.goto(`${site.url}/diario/novo`);
      await note(page).fill(text);
      await save(page);
    },
  });
}

/** The names of what the device keeps for pages without network. */
export const keptNames = (page: Page) =>
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
export const queueText = (page: Page) =>
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

export const note = (page: Page) => page.getByLabel('Quer contar algo?');
export const save = (page: Page) => page.getByRole('button', { name: 'Guardar', exact: true }).click();
export const keptHere = (page: Page) => page.getByText('Guardado neste aparelho.');
export const sent = (page: Page) => page.getByText(/^Enviado\./);
