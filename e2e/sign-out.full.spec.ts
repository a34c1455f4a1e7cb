import type { BrowserContext, Page } from '@playwright/test';
import { paths } from '#contract/paths.ts';
import { sendSignIn } from './account-forms.ts';
import { titleField } from './activity-form.ts';
import { audioOf, chooserOf, pictureOf, uploadField } from './files.ts';
import { expect, fillStorage, scriptStarted, signInAnew, siteWithUsers, test } from './journey.ts';
import type { TestUser } from './site.ts';
import { nameInBar, signInLink, signOutLink } from './top-bar.ts';

const { site, users } = siteWithUsers();

const sessionCookie = async (context: BrowserContext) =>
  (await context.cookies()).find(({ name }) => name === 'acolhe-session')?.value;

/** True if the server accepts this cookie as a session. */
async function isOpen(cookie: string): Promise<boolean> {
  const response = await fetch(site.url + paths.auth.session, {
    headers: { cookie: `acolhe-session=${cookie}` },
  });
  return (await response.json()) !== null;
}

async function openSignedIn(page: Page, user: TestUser, path: string) {
  await signInAnew(page, site.url, user);
  await page.goto(site.url + path);
  await expect(nameInBar(page, user.name.split(' ')[0] ?? '')).toBeVisible();
}

/** Signs the patient in, goes offline and signs out. Returns the session cookie, which is still valid. */
async function signOutOffline(page: Page, context: BrowserContext): Promise<string> {
  await openSignedIn(page, users.patient, '/practices');
  const cookie = (await sessionCookie(context)) ?? '';
  await context.setOffline(true);
  await signOutLink(page).click();
  await expect(page.getByRole('heading', { name: 'Você saiu deste aparelho' })).toBeVisible();
  return cookie;
}

/** Returns, as JSON, everything that scripts in the open tabs can read from storage, history and cookies. */
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

test('sign-out without a connection clears the device at once, and ends the session when the server responds again', async ({
  page,
  context,
  watch,
}) => {
  const cookie = await signOutOffline(page, context);
  await expect(page.getByText('Não conseguimos falar com o site agora.')).toBeVisible();
  await expect(nameInBar(page, 'Pedro')).toHaveCount(0);
  await expectNothingOf(context, users.patient.uid, users.patient.email, 'Pedro');

  expect(await isOpen(cookie)).toBe(true);
  await context.setOffline(false);
  await expect(page.getByText('A conexão voltou')).toBeVisible();
  expect(await isOpen(cookie)).toBe(false);
  await expect.poll(() => sessionCookie(context)).toBeUndefined();
  watch.problems.length = 0;
});

test('sign-out without a connection ends the session later, even if the storage of the device is full', async ({
  page,
  context,
  watch,
}) => {
  await page.goto(site.url);
  await fillStorage(page);
  const cookie = await signOutOffline(page, context);
  await page.close();
  await context.setOffline(false);
  expect(await isOpen(cookie)).toBe(true);
  const later = await context.newPage();
  await later.goto(site.url);
  await expect(signInLink(later)).toBeVisible();
  await expect.poll(() => isOpen(cookie)).toBe(false);
  watch.problems.length = 0;
});

test('after a sign-out without a connection no page shows the user as signed in', async ({
  page,
  context,
  watch,
}) => {
  await openSignedIn(page, users.patient, '/practices');
  const cookie = (await sessionCookie(context)) ?? '';
  await context.route(`**${paths.auth.signOut}`, (route) => route.abort());
  await signOutLink(page).click();
  await expect(page.getByRole('heading', { name: 'Você saiu deste aparelho' })).toBeVisible();

  // Pages load, but the sign-out request still fails.
  const refused = page.waitForRequest(`**${paths.auth.signOut}`);
  await page.goto(`${site.url}/account`);
  await refused;
  await expect(page).toHaveURL(/\/login/);
  const other = await context.newPage();
  await other.goto(`${site.url}/practices`);
  await scriptStarted(other);
  await expect(signInLink(other)).toBeVisible();
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
  const cookie = await signOutOffline(page, context);
  await context.setOffline(false);
  await page.goto(`${site.url}/login`);
  await sendSignIn(page, users.member);
  await expect(page).toHaveURL(`${site.url}/minha-area`);
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
  const { admin } = users;
  await openSignedIn(page, admin, '/account');
  const other = await context.newPage();
  await other.goto(`${site.url}/admin/newact?axis=mind`);
  await titleField(other).fill('Só de Alice');
  await expect(other.getByText('O rascunho fica neste aparelho')).toBeVisible();

  // One upload (audio) has begun; the other (photo) still waits for the response to its first request.
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

  await signOutLink(page).click();
  await page.getByRole('button', { name: 'Sair sem salvar' }).click();
  await expect(page).toHaveURL(`${site.url}/`);
  begun.resolve();
  await expect(signInLink(page)).toBeVisible();
  await expect.poll(() => keptOnDevice(context)).not.toContain('alice');
  await expectNothingOf(context, admin.uid, admin.email, 'Alice', 'postAudios', 'profilePics');
  await page.reload();
  await expectNothingOf(context, admin.uid, admin.email, 'Alice', 'postAudios', 'profilePics');
  watch.problems.length = 0;
});
