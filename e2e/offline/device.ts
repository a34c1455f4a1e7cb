import type { Page } from '@playwright/test';
import { expect } from '../journey.ts';

/** Lets the signed-in user of the page use the site without network. */
export async function prepareDevice(page: Page, url: string) {
  await page.goto(`${url}/aparelho`);
  await page.getByLabel('Este aparelho é só meu.').check();
  await page.getByRole('button', { name: 'Usar sem internet neste aparelho' }).click();
  await expect(page.getByText('Este aparelho está pronto para usar sem internet.')).toBeVisible();
}

/** What the browser keeps for the open site. It opens the caches, which creates one that just goes. */
export const keptBy = (page: Page) =>
  page.evaluate(async () => {
    const entries: Record<string, string[]> = {};
    for (const name of await caches.keys())
      entries[name] = (await (await caches.open(name)).keys()).map(({ url }) =>
        url.slice(window.location.origin.length),
      );
    return {
      workers: (await navigator.serviceWorker.getRegistrations()).length,
      caches: entries,
      databases: (await indexedDB.databases()).map(({ name }) => name),
      chosen: localStorage.getItem('acolhe:device'),
    };
  });

/** Erases the device on the open page /aparelho. */
export async function eraseDevice(page: Page) {
  await page.getByRole('button', { name: 'Parar e apagar deste aparelho' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Apagar', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Guardado aqui', exact: true })).toHaveCount(0);
}

export const nothing = { workers: 0, caches: {}, databases: [], chosen: null };
