import type { Page } from '@playwright/test';
import { diaryTerms } from '#contract/diary/consent.ts';
import { beginDiary } from '#server/testing/diaries.ts';
import { expectFits, expectNoViolations } from './accessible.ts';
import { expect, signIn, siteWithUsers, test } from './journey.ts';
import { openSection, preview } from './site-editor.ts';

const { site, users } = siteWithUsers();

const question = (page: Page) => page.getByRole('heading', { name: 'Como você está agora?' });
const panel = (page: Page) => page.getByRole('complementary', { name: 'Algumas palavras pesam.' });

for (const width of [360, 1280])
  test(`a diary begins only with the age and the consent, which the server keeps, at ${width} px`, {
    tag: '@full',
  }, async ({ page }) => {
    const user = width === 360 ? users.member : users.patient;
    await page.setViewportSize({ width, height: 800 });
    await signIn(page, site.url, user);
    await page.goto(`${site.url}/diario/novo`);
    await expect(page.getByRole('heading', { name: 'Antes de começar' })).toBeVisible();
    await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(0);
    const start = page.getByRole('button', { name: 'Começar meu diário' });
    await start.press('Enter');
    await expect(page.getByRole('region', { name: 'Confira estes campos' })).toBeFocused();
    await expectNoViolations(page, 'start of a diary');
    await expectFits(page, 'start of a diary');
    await page.getByRole('checkbox', { name: 'Tenho 18 anos ou mais.' }).press('Space');
    await start.press('Enter');
    await expect(page.getByRole('region', { name: 'Confira este campo' })).toBeFocused();
    const diary = await user.client.diary();
    expect(await diary.getConsent()).toBeNull();
    await page.getByRole('checkbox', { name: /^Autorizo a clínica/ }).press('Space');
    await start.press('Enter');
    await expect(question(page)).toBeVisible();
    expect(await diary.getConsent()).toMatchObject(diaryTerms);
  });

test('a phrase of self-harm shows the help with the focus in it, and sends the same requests as any note', {
  tag: '@full',
}, async ({ page }) => {
  await beginDiary(users.admin.client);
  await signIn(page, site.url, users.admin);
  await page.setViewportSize({ width: 360, height: 800 });

  /** Saves a note. @returns the requests after that, without the ids in them */
  async function save(note: string): Promise<string[]> {
    await page.goto(`${site.url}/diario/novo`);
    await page.getByLabel('Quer contar algo?').fill(note);
    const sent: string[] = [];
    page.on('request', (request) =>
      sent.push(`${request.method()} ${request.url().replace(/[\da-f-]{36}/, 'id')}`),
    );
    const suggestion = page.waitForResponse(/\/api\/documents\/practices/);
    await page.getByRole('button', { name: 'Guardar' }).click();
    await expect(page.getByRole('heading', { name: 'Guardado.' })).toBeVisible();
    await suggestion;
    page.removeAllListeners('request');
    return sent.filter((one) => one.includes('/api/')).sort();
  }

  const usual = await save('Hoje choveu.');
  await expect(panel(page)).toHaveCount(0);
  expect(await save('Às vezes não quero mais viver…')).toEqual(usual);
  await expect(panel(page)).toBeFocused();
  for (const number of ['188', '192'])
    await expect(panel(page).getByRole('link', { name: number })).toHaveAttribute('href', `tel:${number}`);
  await expectNoViolations(page, 'help in a crisis');
  await expectFits(page, 'help in a crisis');
  await panel(page).getByRole('button', { name: 'Fechar' }).press('Enter');
  await expect(panel(page)).toHaveCount(0);
  await expect(page.getByRole('main')).toBeFocused();
});

test('the preview of the diary shows the words that an admin types, also without a diary', {
  tag: '@full',
}, async ({ page }) => {
  await (await users.admin.client.diary()).deleteAll();
  await signIn(page, site.url, users.admin);
  await openSection(page, site.url, 'diary');
  await page.locator('summary').filter({ hasText: 'Em paz' }).click();
  await page.getByLabel('Palavra', { exact: true }).first().fill('Sossego');
  await expect(preview(page).getByText('Sossego', { exact: true })).toBeVisible();
});
