import type { Page } from '@playwright/test';
import type { Activity } from '#contract/activity.ts';
import { dayInBrasilia } from '#contract/calendar.ts';
import { paths } from '#contract/paths.ts';
import { practicePath } from '#contract/practices/path.ts';
import { beginDiary } from '#server/testing/diaries.ts';
import { sendSignIn, sendSignUp } from './account-forms.ts';
import { expect, scriptStarted, signInAnew, signOut, siteWithUsers, test } from './journey.ts';
import { fillLibrary } from './site.ts';

const { site, users } = siteWithUsers();

const practices: Activity[] = [];
test.beforeAll(async () => {
  await fillLibrary(users.admin);
  const { activities } = await users.admin.client.documents.getActivities('mindActsList');
  practices.push(...activities);
});

function practice(index: number): Activity {
  const found = practices[index];
  if (!found) throw new Error(`There is no practice ${index}.`);
  return found;
}

const keepLink = (page: Page, { title }: Activity) => page.getByRole('link', { name: `Guardar: ${title}` });
const section = (page: Page, name: string) => page.getByRole('region', { name });
const openedOnes = (page: Page) =>
  section(page, 'Abertas por último').locator('li > a').filter({ visible: true });

test('what a visitor keeps is kept after the sign-up, or after the sign-in at the second attempt', async ({
  page,
}) => {
  const [one, other] = [practice(0), practice(1)];
  await page.goto(`${site.url}/practices`);
  await scriptStarted(page);
  await keepLink(page, one).click();
  await expect(page.getByText('Crie a conta, e a prática que você escolheu fica guardada.')).toBeVisible();
  await sendSignUp(page, { name: 'Gil Guarda', email: 'gil@example.com', password: 'violeta2025x' });
  await expect(page.getByText(`“${one.title}” está guardada.`)).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Olá, Gil.' })).toBeVisible();
  await expect(section(page, 'Práticas guardadas').getByRole('link', { name: one.title })).toBeVisible();
  await signOut(page, site.url);

  await page.goto(site.url + practicePath(other));
  await keepLink(page, other).click();
  await expect(page.getByRole('heading', { name: 'Criar uma conta' })).toBeVisible();
  await page.getByRole('link', { name: 'Entrar' }).click();
  await expect(page.getByText('Depois de entrar, a prática que você escolheu fica guardada.')).toBeVisible();
  await sendSignIn(page, { ...users.patient, password: 'errada2025x' });
  await expect(page.getByRole('alert')).toBeVisible();
  expect((await users.patient.client.documents.getFavourites()).documents).toEqual([]);
  await sendSignIn(page, users.patient);
  await expect(page.getByText(`“${other.title}” está guardada.`)).toBeVisible();
  const kept = (await users.patient.client.documents.getFavourites()).documents;
  expect(kept.map(({ id }) => id)).toEqual([other.id]);
});

test('the footer is not in view before the area has loaded, so it does not jump', async ({ page }) => {
  await signInAnew(page, site.url, users.member);
  await page.setViewportSize({ width: 412, height: 823 });
  const arrives = Promise.withResolvers<void>();
  await page.route(`**${paths.documents.week}`, async (route) => {
    await arrives.promise;
    await route.continue();
  });
  await page.goto(`${site.url}/minha-area`);
  await expect(page.getByRole('heading', { name: 'Olá' })).toBeVisible();
  await expect(page.getByRole('contentinfo')).not.toBeInViewport();
  await expect(section(page, 'Práticas guardadas')).toBeHidden();
  arrives.resolve();
  await expect(section(page, 'Práticas guardadas')).toBeVisible();
  await expect(page.getByRole('contentinfo')).not.toBeInViewport();
});

test('the area lists the practices opened last on this device, for their user only', async ({ page }) => {
  const { documents } = users.admin.client;
  await signInAnew(page, site.url, users.member);
  for (const index of [2, 3, 4]) {
    await page.goto(site.url + practicePath(practice(index)));
    await expect(page.getByRole('heading', { level: 1, name: practice(index).title })).toBeVisible();
    await expect
      .poll(() => page.evaluate(() => localStorage.getItem('acolhe:opened')))
      .toContain(practice(index).id);
  }
  await documents.deleteActivity(practice(3));
  await page.goto(`${site.url}/minha-area`);
  await expect(page.getByText('Comece por uma que caiba no seu dia.')).toBeVisible();
  await expect(openedOnes(page)).toHaveText([practice(4).title, practice(2).title]);
  await page.getByRole('button', { name: `Apagar da lista: ${practice(4).title}` }).click();
  await expect(openedOnes(page)).toHaveText([practice(2).title]);
  await page.reload();
  await expect(openedOnes(page)).toHaveText([practice(2).title]);

  // The session ends without a sign-out, and another user signs in on the same device.
  await page.context().clearCookies();
  await page.goto(`${site.url}/login`);
  await sendSignIn(page, users.patient);
  await expect(page.getByRole('heading', { name: 'Olá, Pedro.' })).toBeVisible();
  await expect(section(page, 'Práticas guardadas')).toBeVisible();
  await expect(openedOnes(page)).toHaveCount(0);

  await page.goto(site.url + practicePath(practice(2)));
  await expect.poll(() => page.evaluate(() => localStorage.getItem('acolhe:opened'))).not.toBeNull();
  await signOut(page, site.url);
  expect(await page.evaluate(() => localStorage.getItem('acolhe:opened'))).toBeNull();
});

test('a signed-in user who opens the link of a visitor is asked before the practice is kept', {
  tag: '@full',
}, async ({ page }) => {
  const wanted = practice(5);
  for (const user of [users.member, users.admin]) {
    await signInAnew(page, site.url, user);
    await page.goto(`${site.url}/register?guardar=${wanted.id}`);
    await expect(page.getByText(`Guardar “${wanted.title}” na sua área?`)).toBeVisible();
    await page.getByRole('button', { name: 'Guardar', exact: true }).click();
    await expect(page.getByText(`“${wanted.title}” está guardada.`)).toBeVisible();
    await page.goto(`${site.url}/minha-area?guardar=nada`);
    await expect(page.getByText('A prática que você escolheu saiu da biblioteca.')).toBeVisible();
  }
});

test('the area begins with the diary, and a practice leads to an entry about it, for signed-in users only', {
  tag: '@full',
}, async ({ page }) => {
  const { id } = practice(2);
  const path = practicePath(practice(2));
  const howItWas = page.getByRole('link', { name: 'Anotar como foi' });
  await page.goto(site.url + path);
  await scriptStarted(page);
  await expect(page.getByRole('link', { name: 'Entrar' }).first()).toBeVisible();
  await expect(howItWas).toHaveCount(0);

  await signInAnew(page, site.url, users.member);
  await page.goto(site.url + path);
  await expect(howItWas).toHaveAttribute('href', `/diario/novo?pratica=${id}`);

  const diary = await beginDiary(users.member.client);
  const day = dayInBrasilia(Date.now());
  await diary.change(crypto.randomUUID(), {
    ...{ change: crypto.randomUUID(), day, zone: 'America/Sao_Paulo' },
    words: { add: ['Em paz'], remove: [] },
  });
  await page.goto(`${site.url}/minha-area`);
  const ways = section(page, 'Diário').getByRole('link');
  await expect(ways).toHaveText([
    'Anotar como estou',
    'Meu diário',
    'Nota para a consulta',
    'Usar sem internet neste aparelho',
  ]);
  const last = `Última anotação: ${Number(day.slice(8))} de `;
  await expect(section(page, 'Diário').getByText(last)).toBeVisible();
});
