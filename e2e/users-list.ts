import type { Locator, Page } from '@playwright/test';
import { expect, signIn } from './journey.ts';
import type { Site, TestUser } from './site.ts';

/** Opens a list of users, signed in as `admin`, and waits for its first row. */
export async function openUsers(page: Page, site: Site, admin: TestUser, path = '/participants') {
  await signIn(page, site.url, admin);
  await page.goto(site.url + path);
  await expect(page.getByRole('rowheader').first()).toBeVisible();
}

/** Opens the dialog for editing a user with a click. */
export async function editUser(page: Page, name: string) {
  await page.getByRole('button', { name: `Editar ${name}` }).click();
  const dialog = page.getByRole('dialog', { name, exact: true });
  await expect(dialog).toBeVisible();
  return dialog;
}

export const saveButton = (dialog: Locator) => dialog.getByRole('button', { name: 'Salvar', exact: true });

export const save = (dialog: Locator) => saveButton(dialog).click();
