import type { Page } from '@playwright/test';
import { demoContent } from '#clinic/demo-content.ts';
import type { SectionName, SiteContent } from '#contract/site/content.ts';
import { expect } from './journey.ts';
import type { TestUser } from './site.ts';

/** Opens the editor of a section, and waits until its preview has loaded. */
export async function openSection(page: Page, url: string, section: SectionName) {
  await page.goto(`${url}/admin/site/${section}`);
  await expect(preview(page).locator('h1')).toBeAttached();
}

/** The page inside of the editor's preview. */
export const preview = (page: Page) => page.frameLocator('iframe[title="Como a página ficará"]');

export const saveButton = (page: Page) => page.getByRole('button', { name: 'Salvar rascunho' });

/** Saves the section and waits until the server has stored it. */
export async function save(page: Page) {
  await saveButton(page).click();
  await expectSaved(page);
}

/** Waits until the server has stored the typed text. */
export async function expectSaved(page: Page) {
  // The message below may still be visible from the previous save, so this check comes first.
  await expect(page.getByText(/^Ainda não salvo/)).toBeHidden();
  await expect(page.getByText('Rascunho salvo. O site ainda não mudou.').last()).toBeVisible();
}

/** The sentence beside the save button which says that the typed text is not saved yet. */
export const kept = (page: Page) =>
  page.getByText('Ainda não salvo. O que você digitou fica neste aparelho.');

/** Opens a closed part of a long section. */
export const openPart = (page: Page, name: string) =>
  page
    .locator('summary')
    .filter({ has: page.getByRole('heading').getByText(name, { exact: true }) })
    .click();

/** Changes a section of the draft, without the browser. */
export async function changeSection<Name extends SectionName>(
  { client }: TestUser,
  section: Name,
  change: (content: SiteContent[Name]) => SiteContent[Name],
) {
  const { tag, content } = await readSection({ client }, section);
  await client.site.saveSection({ section, tag, content: change(content) });
}

/** Reads a section of the draft. */
export async function readSection<Name extends SectionName>(
  { client }: Pick<TestUser, 'client'>,
  section: Name,
): Promise<{ tag: string; changed: boolean; content: SiteContent[Name] }> {
  const { sections } = await client.site.getDraft();
  const found = sections.find((one) => one.section === section);
  if (!found) throw new Error(`There is no section ${section}.`);
  return { ...found, content: found.content as SiteContent[Name] };
}

/** Publishes the draft, without the browser. */
export async function publish({ client }: TestUser, note = '') {
  const { tag } = await client.site.getDraft();
  return client.site.publish(tag, { note, warningsConfirmed: true });
}

/** Publishes the demo's identity, because nothing can be published with the sample identity. */
export async function publishClinic(admin: TestUser) {
  await changeSection(admin, 'identity', () => demoContent.identity);
  await publish(admin);
}
