import type { BrowserContext, Page } from '@playwright/test';
import { paths } from '#contract/paths.ts';
import { audioOf, chooserOf, pictureOf, uploadField } from './files.ts';
import { expect, scriptStarted, signIn, siteWithPeople, test } from './journey.ts';
import type { Person } from './site.ts';

const { site, people } = siteWithPeople();

const signOut = (page: Page) => page.getByRole('banner').getByRole('link', { name: 'Sair' }).first().click();
const nameInBar = (page: Page, name: string) => page.getByRole('banner').getByText(name, { exact: true });
const sessionCookie = async (context: BrowserContext) =>
  (await context.cookies()).find(({ name }) => name === 'acolhe-session')?.value;

/** Whether the server accepts this cookie as a session. */
async function isOpen(cookie: string): Promise<boolean> {
  const answer = await fetch(site.url + paths.auth.session, {
    headers: { cookie: `acolhe-session=${cookie}` },
  });
  return (await answer.json()) !== null;
}

async function openSignedIn(page: Page, person: Person, path: string) {
  await signIn(page, site.url, person);
  await page.goto(site.url + path);
  await expect(nameInBar(page, person.name.split(' ')[0] ?? '')).toBeVisible();
}

/** All storage that scripts can use, in every open tab. */
async function keptOnDevice(context: BrowserContext): Promise<string> {
  const kept = await Promise.all(
    context.pages().map((page) =>
      page.evaluate(async () => ({
        ...{ local: { ...localStorage }, session: { ...sessionStorage } },
        ...{ history: history.state, cookie: document.cookie, name: window.name },
        databases: await indexedDB.databases(),
        caches: await caches.keys(),
      })),
    ),
  );
  return JSON.stringify(kept);
}

async function expectNothingOf(context: BrowserContext, ...words: string[]) {
  const kept = await keptOnDevice(context);
  for (const word of words) expect(kept).not.toContain(word);
}

test('sign-out without a connection clears the device at once, and ends the session at the next contact', async ({
  page,
  context,
  watch,
}) => {
  await openSignedIn(page, people.patient, '/practices');
  const cookie = (await sessionCookie(context)) ?? '';
  await context.setOffline(true);
  await signOut(page);
  await expect(page.getByRole('heading', { name: 'Você saiu deste aparelho' })).toBeVisible();
  await expect(page.getByText('Sem conexão com o servidor')).toBeVisible();
  await expect(nameInBar(page, 'Pedro')).toHaveCount(0);
  await expectNothingOf(context, people.patient.uid, people.patient.email, 'Pedro');

  expect(await isOpen(cookie)).toBe(true);
  await context.setOffline(false);
  await expect(page.getByText('A conexão voltou')).toBeVisible();
  expect(await isOpen(cookie)).toBe(false);
  await expect.poll(() => sessionCookie(context)).toBeUndefined();
  watch.problems.length = 0;
});

test('after a sign-out without a connection no page shows the user as signed in', async ({
  page,
  context,
  watch,
}) => {
  await openSignedIn(page, people.patient, '/practices');
  const cookie = (await sessionCookie(context)) ?? '';
  await context.route(`**${paths.auth.signOut}`, (route) => route.abort());
  await signOut(page);
  await expect(page.getByRole('heading', { name: 'Você saiu deste aparelho' })).toBeVisible();

  // Pages load, but the sign-out request still fails.
  const refused = page.waitForRequest(`**${paths.auth.signOut}`);
  await page.goto(`${site.url}/account`);
  await refused;
  await expect(page).toHaveURL(/\/login/);
  const other = await context.newPage();
  await other.goto(`${site.url}/practices`);
  await scriptStarted(other);
  await expect(other.getByRole('banner').getByRole('link', { name: 'Entrar' }).first()).toBeVisible();
  await expect(nameInBar(other, 'Pedro')).toHaveCount(0);
  expect(await isOpen(cookie)).toBe(true);

  await context.unroute(`**${paths.auth.signOut}`);
  await other.reload();
  await expect.poll(() => isOpen(cookie)).toBe(false);
  await expect.poll(() => sessionCookie(context)).toBeUndefined();
  await expect(nameInBar(other, 'Pedro')).toHaveCount(0);
  watch.problems.length = 0;
});

test('the next user to sign in stays signed in, and the earlier session ends', async ({
  page,
  context,
  watch,
}) => {
  await openSignedIn(page, people.patient, '/practices');
  const cookie = (await sessionCookie(context)) ?? '';
  await context.setOffline(true);
  await signOut(page);
  await expect(page.getByRole('heading', { name: 'Você saiu deste aparelho' })).toBeVisible();
  await context.setOffline(false);
  await page.goto(`${site.url}/login`);
  await page.getByLabel('Email').fill(people.member.email);
  await page.getByLabel('Senha', { exact: true }).fill(people.member.password);
  await page.getByRole('button', { name: 'Entrar', exact: true }).click();
  await expect(page).toHaveURL(`${site.url}/pro`);
  await page.reload();
  await expect(nameInBar(page, 'Marta')).toBeVisible();
  expect(await isOpen(cookie)).toBe(false);
  watch.problems.length = 0;
});

test('sign-out during uploads in two tabs leaves no personal data on the device', async ({
  page,
  context,
  watch,
}) => {
  const { admin } = people;
  await openSignedIn(page, admin, '/account');
  const other = await context.newPage();
  await other.goto(`${site.url}/admin/newact?axis=mind`);
  await other.getByLabel('Título').fill('Só de Alice');
  await expect(other.getByText('Rascunho guardado')).toBeVisible();

  // One upload has begun; the other still waits for the answer to its first request.
  await context.route('**/api/storage/resumable/*', async () => {});
  await chooserOf(other, 'Áudio').setInputFiles(audioOf(600_000, 'voz-de-alice.mp3'));
  await expect.poll(() => keptOnDevice(context)).toContain('voz-de-alice');
  const begun = Promise.withResolvers<void>();
  await page.route('**/api/storage/resumable', async (route) => {
    const response = await route.fetch();
    await begun.promise;
    await route.fulfill({ response }).catch(() => {});
  });
  const asked = page.waitForRequest('**/api/storage/resumable');
  await chooserOf(page, 'Foto').setInputFiles(await pictureOf(1_200, 'rosto-de-alice.jpg'));
  await asked;
  await expect(uploadField(page, 'Foto')).toContainText('rosto-de-alice.jpg');

  await signOut(page);
  await page.getByRole('button', { name: 'Sair sem salvar' }).click();
  await expect(page).toHaveURL(`${site.url}/`);
  begun.resolve();
  await expect(page.getByRole('banner').getByRole('link', { name: 'Entrar' }).first()).toBeVisible();
  await expect.poll(() => keptOnDevice(context)).not.toContain('alice');
  await expectNothingOf(context, admin.uid, admin.email, 'Alice', 'postAudios', 'profilePics');
  await page.reload();
  await expectNothingOf(context, admin.uid, admin.email, 'Alice', 'postAudios', 'profilePics');
  watch.problems.length = 0;
});
