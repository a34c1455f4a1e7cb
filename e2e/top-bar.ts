import type { Page } from '@playwright/test';

const bar = (page: Page) => page.getByRole('banner');

/** The first name of the signed-in user in the top bar. */
export const nameInBar = (page: Page, name: string) => bar(page).getByText(name, { exact: true });

/** The bar has each link twice: for wide windows, and in the menu for narrow windows. */
export const signInLink = (page: Page) => bar(page).getByRole('link', { name: 'Entrar' }).first();

export const signOutLink = (page: Page) => bar(page).getByRole('link', { name: 'Sair' }).first();
