import type { Locator, Page } from '@playwright/test';

/** The fields of the forms that create and edit an activity. */
export const titleField = (form: Page | Locator) => form.getByLabel('Título');
export const contentField = (form: Page | Locator) => form.getByLabel('Conteúdo');
export const linkField = (form: Page | Locator) => form.getByLabel('Link do vídeo');
