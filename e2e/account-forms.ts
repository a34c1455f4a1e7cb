import type { Locator, Page } from '@playwright/test';

type Credentials = { email: string; password: string };

/** Matches the label exactly, because the button beside the field is named "Mostrar senha". */
export const passwordField = (form: Page | Locator) => form.getByLabel('Senha', { exact: true });

/** Matches the name exactly, because the form of /login also has "Entrar com Google". */
export const signInButton = (page: Page) => page.getByRole('button', { name: 'Entrar', exact: true });

/** Fills the form of /login. */
export async function fillSignIn(page: Page, { email, password }: Credentials) {
  await page.getByLabel('Email').fill(email);
  await passwordField(page).fill(password);
}

/** Fills and sends the form of /login. */
export async function sendSignIn(page: Page, credentials: Credentials) {
  await fillSignIn(page, credentials);
  await signInButton(page).click();
}

/** Fills the form of /register. */
export async function fillSignUp(page: Page, { name, email, password }: Credentials & { name: string }) {
  await page.getByLabel('Nome completo').fill(name);
  await page.getByLabel('Email').fill(email);
  await passwordField(page).fill(password);
}

/** Fills and sends the form of /register. */
export async function sendSignUp(page: Page, account: Credentials & { name: string }) {
  await fillSignUp(page, account);
  await page.getByRole('button', { name: 'Criar a conta' }).click();
}
