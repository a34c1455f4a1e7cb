import type { Page } from '@playwright/test';
import type { Activity } from '#contract/activity.ts';
import { paths } from '#contract/paths.ts';
import { practicePath } from '#contract/practices/path.ts';
import { sendSignIn } from './account-forms.ts';
import {
  expect,
  inFullIf,
  scriptStarted,
  signIn,
  signInAnew,
  signOut,
  siteWithUsers,
  test,
} from './journey.ts';
import { fillLibrary } from './site.ts';
import { nameInBar, signInLink, signOutLink } from './top-bar.ts';

test.describe.configure({ timeout: 120_000 });

const { site, users } = siteWithUsers();

test.beforeAll(() => fillLibrary(users.admin));

test.beforeEach(async () => {
  const { documents } = users.patient.client;
  const kept = await documents.getFavourites();
  for (const id of [...kept.documents.map((one) => one.id), ...kept.missing])
    await documents.removeFavourite(id);
});

const breath = 'Um minuto com a respiração';
const body = 'Percorrer o corpo';

async function find(title: string): Promise<Activity> {
  const { activities } = await users.admin.client.documents.getActivities('mindActsList');
  const found = activities.find((activity) => activity.title === title);
  if (!found) throw new Error(`There is no practice ${title}.`);
  return found;
}

async function open(page: Page, path: string) {
  await page.goto(site.url + path);
  await scriptStarted(page);
}

const toggle = (page: Page, title: string) =>
  page.getByRole('button', { name: new RegExp(`^Guarda(r|da): ${title}$`) });
const list = (page: Page) => page.getByRole('main').getByRole('list').locator('> li[data-axis] > a');
const remove = (page: Page, title: string) => page.getByRole('button', { name: `Tirar da lista: ${title}` });
const notice = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text });

async function keptByPatient(): Promise<string[]> {
  const { documents } = await users.patient.client.documents.getFavourites();
  return documents.map(({ title }) => title);
}

for (const width of [360, 1280])
  test(
    `a patient keeps practices, finds them in the menu, removes one and undoes that, at ${width} px`,
    inFullIf(width !== 360),
    async ({ page }) => {
      await page.setViewportSize({ width, height: 800 });
      await signIn(page, site.url, users.patient);
      await open(page, '/practices');
      await expect(toggle(page, breath)).toHaveAttribute('aria-pressed', 'false');
      await toggle(page, breath).click();
      await expect(toggle(page, breath)).toHaveAttribute('aria-pressed', 'true');
      await expect(notice(page, 'Guardada. Só você vê a sua lista.')).toBeVisible();

      await open(page, practicePath(await find(body)));
      await page.getByRole('button', { name: `Guardar: ${body}` }).click();
      await expect(page.getByRole('button', { name: `Guardada: ${body}` })).toHaveText('Guardada');
      await expect.poll(keptByPatient).toEqual([body, breath]);

      if (width < 800) await page.getByRole('banner').locator('summary[aria-label="Menu"]').click();
      else await nameInBar(page, 'Pedro').click();
      await page
        .getByRole('banner')
        .getByRole('link', { name: 'Minhas práticas' })
        .filter({ visible: true })
        .click();
      await expect(page).toHaveURL(`${site.url}/minhas-praticas`);
      await expect(page.getByRole('heading', { level: 1, name: 'Minhas práticas' })).toBeVisible();
      await expect(page).toHaveTitle(/^Minhas práticas/);
      await expect(list(page)).toHaveText([body, breath]);

      await remove(page, body).click();
      await expect(list(page)).toHaveText([breath]);
      await expect.poll(keptByPatient).toEqual([breath]);
      await page.getByRole('button', { name: 'Desfazer' }).click();
      await expect(list(page)).toHaveText([body, breath]);
      await expect.poll(keptByPatient).toEqual([body, breath]);
      await page.reload();
      await expect(list(page)).toHaveText([body, breath]);
      await list(page).last().click();
      await expect(page.getByRole('heading', { level: 1, name: breath })).toBeVisible();
      const { favourites } = await users.patient.client.documents.exportAccount();
      expect(favourites.map(({ title }) => title)).toEqual([breath, body]);
    },
  );

test('after sign-out no favourites are shown, and the next user does not see them', { tag: '@full' }, async ({
  page,
}) => {
  const practice = await find(breath);
  await users.patient.client.documents.keepFavourite(practice.id);
  await signInAnew(page, site.url, users.patient);
  await open(page, '/practices');
  await expect(toggle(page, breath)).toHaveAttribute('aria-pressed', 'true');
  // These links do not reload the page, so favourites that stayed in memory would be shown.
  await page.getByRole('banner').getByRole('link', { name: 'Sair' }).first().click();
  await expect(page).toHaveURL(`${site.url}/`);
  await page.getByRole('banner').getByRole('link', { name: 'Práticas', exact: true }).first().click();
  await expect(page.getByRole('article', { name: breath })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Guarda/ })).toHaveCount(0);
  await page.goto(`${site.url}/minhas-praticas`);
  await expect(page).toHaveURL(`${site.url}/login?para=minhas-praticas`);
  await sendSignIn(page, users.member);
  await expect(page).toHaveURL(`${site.url}/minhas-praticas`);
  await expect(page.getByText('Nenhuma prática guardada por aqui.')).toBeVisible();
  await page.getByRole('link', { name: 'Ver as práticas' }).click();
  await expect(toggle(page, breath)).toHaveAttribute('aria-pressed', 'false');
  await signOut(page, site.url);
});

test('a visitor loads nothing about favourites, and a preview shows none of them', { tag: '@full' }, async ({
  page,
}) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  const practice = await find(breath);
  const about = () => asked.filter((path) => /favourite/.test(path));
  for (const path of ['/practices', practicePath(practice)]) {
    await open(page, path);
    await page.waitForLoadState('networkidle');
    await expect(page.getByRole('button', { name: /^Guarda/ })).toHaveCount(0);
  }
  expect(asked.length).toBeGreaterThan(4);
  expect(about()).toEqual([]);

  await signIn(page, site.url, users.admin);
  await open(page, practicePath(practice));
  await expect(toggle(page, breath)).toBeVisible();
  expect(about()).not.toEqual([]);
  asked.length = 0;
  const { path } = await users.admin.client.site.createPreview();
  await open(page, `${path}practices`);
  await expect(page.getByRole('banner').getByRole('link', { name: 'Sair' }).first()).toBeAttached();
  await expect(page.getByRole('article', { name: breath })).toBeVisible();
  await page.goto(`${site.url}/admin/editact?axis=mind&id=${practice.id}`);
  await page.getByRole('button', { name: 'Ver como paciente' }).click();
  const preview = page.getByRole('dialog', { name: 'Como o paciente vê' });
  await expect(preview.getByRole('article', { name: breath })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Guarda/ })).toHaveCount(0);
  expect(about()).toEqual([]);
});

test('the button moves no other element, and covers no player', { tag: '@full' }, async ({ page, watch }) => {
  const practice = await find(breath);
  const placesOf = () =>
    page.getByRole('main').evaluate((main) =>
      [...main.querySelectorAll('h1, h2, article, article > *, a')]
        // Users also get a link to the diary. Chromium lays out the links of a closed menu only sometimes.
        .filter(
          (element) => !element.matches('[aria-label^="Guardar:"], details:not([open]) a, [href^="/diario"]'),
        )
        .map((element) => {
          const { x, y, width, height } = element.getBoundingClientRect();
          return [element.tagName, x, y, width, height];
        }),
    );
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    for (const path of ['/practices', '/practices?eixo=values', practicePath(practice)]) {
      await page.context().clearCookies();
      await open(page, path);
      await page.waitForLoadState('networkidle');
      const before = await placesOf();
      await signIn(page, site.url, users.patient);
      await open(page, path);
      await expect(page.getByRole('button', { name: /^Guardar:/ }).first()).toBeVisible();
      await page.waitForLoadState('networkidle');
      expect(await placesOf(), `${path} at ${width} px`).toEqual(before);
    }
  }
  await open(page, '/practices');
  const card = page.getByRole('article', { name: breath });
  await card.getByRole('button', { name: /^Assistir/ }).click();
  const player = await card.locator('iframe').boundingBox();
  const button = await toggle(page, breath).boundingBox();
  expect(button?.y).toBeGreaterThanOrEqual((player?.y ?? 0) + (player?.height ?? 0));
  watch.foreign.length = 0;
});

test('a practice that an admin hides or deletes leaves the list, and comes back at its old place', {
  tag: '@full',
}, async ({ page }) => {
  const { documents } = users.admin.client;
  const [one, other] = [await find(breath), await find(body)];
  await users.patient.client.documents.keepFavourite(one.id, 1_000);
  await users.patient.client.documents.keepFavourite(other.id, 2_000);
  const { id: _, createdAt: _1, updatedAt: _2, audioSeconds: _3, ...input } = one;
  const hidden = await documents.updateActivity(one, { ...input, visibility: 'hidden' });
  await documents.deleteActivity(other);

  await signIn(page, site.url, users.patient);
  await open(page, '/minhas-praticas');
  await expect(page.getByText('2 práticas que você guardou saíram da biblioteca.')).toBeVisible();
  await expect(list(page)).toHaveCount(0);
  await documents.restoreActivity(other);
  await page.reload();
  await expect(page.getByText('Uma prática que você guardou saiu da biblioteca.')).toBeVisible();
  await expect(list(page)).toHaveText([body]);
  const shown = await documents.updateActivity(hidden, { ...input, visibility: 'public' });
  await page.reload();
  await expect(list(page)).toHaveText([body, breath]);
  await expect(page.getByText('saiu da biblioteca')).toHaveCount(0);

  await documents.deleteActivity(shown);
  await page.reload();
  await page.getByRole('button', { name: 'Tirar da lista', exact: true }).click();
  await expect(page.getByText('saiu da biblioteca')).toHaveCount(0);
  await expect.poll(async () => (await users.patient.client.documents.getFavourites()).missing).toEqual([]);
  await documents.restoreActivity(shown);
  await page.reload();
  await expect(list(page)).toHaveText([body]);
});

test('without a connection the button and the list go back to what is stored, and say why', {
  tag: '@full',
}, async ({ page, context }) => {
  await signIn(page, site.url, users.patient);
  await open(page, '/practices');
  // The first notice loads the code that places notices, so show one while online.
  await toggle(page, body).click();
  await expect(notice(page, 'Guardada.')).toBeVisible();
  await page.waitForLoadState('networkidle');
  await toggle(page, body).click();
  await expect.poll(keptByPatient).toEqual([]);
  await context.setOffline(true);
  await toggle(page, breath).click();
  await expect(notice(page, 'Esta prática não foi guardada. Sem conexão.')).toBeVisible();
  await expect(toggle(page, breath)).toHaveAttribute('aria-pressed', 'false');
  await context.setOffline(false);
  await toggle(page, breath).click();
  await expect.poll(keptByPatient).toEqual([breath]);

  await open(page, '/minhas-praticas');
  await remove(page, breath).click();
  await page.getByRole('button', { name: 'Desfazer' }).click();
  await expect.poll(keptByPatient).toEqual([breath]);
  await context.setOffline(true);
  await remove(page, breath).click();
  await expect(notice(page, 'Esta prática continua guardada. Sem conexão.')).toBeVisible();
  await expect(list(page)).toHaveText([breath]);
  await context.setOffline(false);
  expect(await keptByPatient()).toEqual([breath]);
});

test('while a request is on its way the button already shows the choice, and the last click wins', {
  tag: '@full',
}, async ({ page }) => {
  await signIn(page, site.url, users.patient);
  await open(page, '/practices');
  const held = Promise.withResolvers<void>();
  await page.route(`**${paths.documents.favourites}/*`, async (route) => {
    await held.promise;
    await route.continue();
  });
  const button = toggle(page, breath);
  for (const pressed of ['true', 'false', 'true']) {
    await button.click();
    await expect(button).toHaveAttribute('aria-pressed', pressed);
  }
  expect(await keptByPatient()).toEqual([]);
  held.resolve();
  await expect.poll(keptByPatient).toEqual([breath]);
  await expect(button).toHaveAttribute('aria-pressed', 'true');
});

test('a request that waits when its user signs out is not sent for the next user', { tag: '@full' }, async ({
  page,
  watch,
}) => {
  await signInAnew(page, site.url, users.patient);
  await open(page, '/practices');
  const first = Promise.withResolvers<void>();
  const requested: string[] = [];
  await page.route(`**${paths.documents.favourites}/*`, async (route) => {
    requested.push(route.request().url());
    await first.promise;
    await route.abort();
  });
  await toggle(page, breath).click();
  await expect.poll(() => requested.length).toBe(1);
  await toggle(page, body).click();
  await signOutLink(page).click();
  await signInLink(page).click();
  await sendSignIn(page, users.member);
  await expect(nameInBar(page, 'Marta')).toBeVisible();

  const failed = page.waitForEvent('requestfailed');
  first.resolve();
  await failed;
  // A request of the next user shows that the queue has gone on.
  await page.unroute(`**${paths.documents.favourites}/*`);
  await open(page, '/practices');
  await expect(toggle(page, body)).toHaveAttribute('aria-pressed', 'false');
  expect(requested).toHaveLength(1);
  const { documents } = await users.member.client.documents.getFavourites();
  expect(documents).toEqual([]);
  watch.problems.length = 0;
});

test('after the session has ended a notice leads to the sign-in form, which keeps the practice', async ({
  page,
}) => {
  const practice = await find(breath);
  await signInAnew(page, site.url, users.patient);
  await open(page, practicePath(practice));
  await expect(toggle(page, breath)).toHaveAttribute('aria-pressed', 'false');
  await page.context().clearCookies();
  await toggle(page, breath).click();
  await expect(notice(page, 'Esta prática não foi guardada. Sua sessão terminou.')).toBeVisible();
  await expect(toggle(page, breath)).toHaveCount(0);
  await page.getByRole('link', { name: 'Entrar de novo' }).click();
  await sendSignIn(page, users.patient);
  await expect(page.getByText(`“${breath}” está guardada.`)).toBeVisible();
});

test('two tabs show the same favourites', { tag: '@full' }, async ({ page, context }) => {
  await signIn(page, site.url, users.patient);
  await open(page, '/practices');
  await expect(toggle(page, breath)).toHaveAttribute('aria-pressed', 'false');
  const other = await context.newPage();
  await open(other, '/minhas-praticas');
  await expect(other.getByText('Nenhuma prática guardada por aqui.')).toBeVisible();
  await toggle(page, breath).click();
  await expect(list(other)).toHaveText([breath]);
  await remove(other, breath).click();
  await expect(toggle(page, breath)).toHaveAttribute('aria-pressed', 'false');
});

test('everything works by keyboard', { tag: '@full' }, async ({ page }) => {
  const practice = await find(breath);
  await signIn(page, site.url, users.patient);
  await open(page, practicePath(practice));
  await toggle(page, breath).focus();
  await page.keyboard.press('Space');
  await expect(toggle(page, breath)).toHaveAttribute('aria-pressed', 'true');
  await expect(toggle(page, breath)).toBeFocused();
  await expect.poll(keptByPatient).toEqual([breath]);

  await open(page, '/minhas-praticas');
  await expect(list(page)).toHaveText([breath]);
  await remove(page, breath).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Desfazer' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(list(page)).toHaveText([breath]);
});
