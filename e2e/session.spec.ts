import type { Page } from '@playwright/test';
import { paths } from '#contract/paths.ts';
import { sendSignUp } from './account-forms.ts';
import { titleField } from './activity-form.ts';
import { expect, scriptStarted, signInAnew, siteWithUsers, test } from './journey.ts';
import { signInLink, signOutLink } from './top-bar.ts';

const { site, users } = siteWithUsers();
const minute = 60_000;
const warning = { name: 'Sua sessão está perto do fim' };

test('the settings menu counts the time signed in, second by second', async ({ page }) => {
  await page.clock.install();
  await signInAnew(page, site.url, users.patient);
  await page.goto(`${site.url}/practices`);
  const summary = page.locator('summary').filter({ hasText: 'Pedro' });
  await summary.press('Enter');
  const timer = page.getByRole('timer');
  await expect(timer).toHaveText(/^Nesta sessão há \d+ s$/);
  const before = (await timer.textContent()) ?? '';
  await page.clock.runFor(1_000);
  await expect(timer).not.toHaveText(before);
  await letPass(page, 75 * minute);
  await expect(timer).toHaveText(/^Nesta sessão há 1 h 15 min \d+ s$/);
});

test('sign-out in one tab signs out the others, and no guarded page stays in view', async ({
  page,
  context,
}) => {
  await signInAnew(page, site.url, users.admin);
  const open = async (path: string) => {
    const tab = await context.newPage();
    await tab.goto(site.url + path);
    await expect(tab.locator('summary').filter({ hasText: 'Alice' })).toBeVisible();
    return tab;
  };
  const [list, members, practices] = [
    await open('/admin/mind'),
    await open('/pro'),
    await open('/practices'),
  ];
  await page.goto(`${site.url}/practices`);
  await signOutLink(page).click();
  await expect(list).toHaveURL(`${site.url}/`);
  await expect(members).toHaveURL(`${site.url}/`);
  await expect(signInLink(practices)).toBeVisible();
  await expect(practices).toHaveURL(`${site.url}/practices`);
});

test('when another user signs in, the other tabs show that user', { tag: '@full' }, async ({
  page,
  context,
}) => {
  await signInAnew(page, site.url, users.patient);
  await page.goto(`${site.url}/minha-area`);
  await expect(page.getByRole('heading', { name: 'Olá, Pedro.' })).toBeVisible();
  const other = await context.newPage();
  await other.goto(`${site.url}/register`);
  await sendSignUp(other, { name: 'Rita Recente', email: 'rita@example.com', password: 'violeta2025x' });
  await expect(other).toHaveURL(`${site.url}/minha-area`);
  await expect(page.getByRole('heading', { name: 'Olá, Rita.' })).toBeVisible();
  await expect(page.locator('summary').filter({ hasText: 'Rita' })).toBeVisible();
});

test('before the session ends a dialog offers to extend it; typed text stays', async ({ page }) => {
  await signInAnew(page, site.url, users.admin);
  const end = await sessionEndsIn(page, 6 * minute);
  await page.clock.install();
  await page.goto(`${site.url}/admin/newact`);
  await titleField(page).fill('Pela metade');
  await expect(page.getByRole('dialog')).toBeHidden();
  await letPass(page, 2 * minute);
  const dialog = page.getByRole('dialog', warning);
  await expect(dialog).toContainText(/termina em 3 min \d+ s|termina em 4 min 0 s/);

  end.moveTo(60 * minute);
  await dialog.getByRole('button', { name: 'Continuar' }).press('Enter');
  await expect(dialog).toBeHidden();
  await expect(titleField(page)).toBeFocused();
  await expect(titleField(page)).toHaveValue('Pela metade');
});

test('a session that cannot be extended shows a message, and its end keeps the page', {
  tag: '@full',
}, async ({ page }) => {
  await signInAnew(page, site.url, users.admin);
  const end = await sessionEndsIn(page, 4 * minute);
  await page.clock.install();
  await page.goto(`${site.url}/admin/newact`);
  const dialog = page.getByRole('dialog', warning);
  await dialog.getByRole('button', { name: 'Continuar' }).click();
  await expect(dialog).toContainText('Não dá para estender mais');
  await dialog.getByRole('button', { name: 'Entendi' }).click();
  await expect(dialog).toBeHidden();
  await titleField(page).fill('Pela metade');

  end.reach();
  await letPass(page, 5 * minute);
  await expect(page.getByText('Sua sessão terminou.')).toBeVisible();
  await expect(titleField(page)).toHaveValue('Pela metade');
});

test('after a session has expired, no tab keeps the page of its user when another user signs in', {
  tag: '@full',
}, async ({ page, context }) => {
  const main = page.getByRole('main');
  await signInAnew(page, site.url, users.patient);
  const end = await sessionEndsIn(page, 4 * minute);
  await page.clock.install();
  await page.goto(`${site.url}/account`);
  await expect(main).toContainText(users.patient.email);
  end.reach();
  await letPass(page, 5 * minute);
  await expect(page.getByText('Sua sessão terminou.')).toBeVisible();
  await expect(main).toContainText(users.patient.email);

  await page.unroute(site.url + paths.auth.session);
  const other = await context.newPage();
  await other.goto(`${site.url}/register`);
  await sendSignUp(other, { name: 'Nina Nova', email: 'nina@example.com', password: 'violeta2025x' });
  await expect(other).toHaveURL(`${site.url}/minha-area`);
  await expect(main).toContainText('nina@example.com');
  await expect(page.locator('body')).not.toContainText(users.patient.email);
});

test('a page that the browser restores from its back/forward cache never shows what a user saw on it', {
  tag: '@full',
}, async ({ page }) => {
  // Headless Chromium has no such cache, so the test sends the events of a restored page.
  const send = (type: 'pagehide' | 'pageshow') =>
    page.evaluate((name) => window.dispatchEvent(new PageTransitionEvent(name, { persisted: true })), type);
  await page.goto(`${site.url}/practices`);
  await expect(signInLink(page)).toBeVisible();
  await scriptStarted(page);
  await send('pagehide');
  await expect(page.getByRole('main')).toBeVisible();

  await signInAnew(page, site.url, users.patient);
  await page.goto(`${site.url}/account`);
  await expect(page.getByRole('main')).toContainText(users.patient.email);
  // The code that hides the page loads after the sign-in.
  await expect(async () => {
    await send('pagehide');
    expect(await page.locator('body').isVisible()).toBe(false);
  }).toPass();
  await page.context().clearCookies();
  await send('pageshow');
  await expect(page).toHaveURL(/\/login/);
  await expect(page.locator('body')).not.toContainText(users.patient.email);
});

/**
 * Moves the page's clock forward. On this clock, a chunk that is still loading times out after two minutes,
 * so the function first waits until all chunks are loaded.
 */
async function letPass(page: Page, milliseconds: number) {
  await page.waitForLoadState('networkidle');
  await page.clock.fastForward(milliseconds);
}

/** Makes the page believe that the session ends in `left` milliseconds. */
async function sessionEndsIn(page: Page, left: number) {
  let expiresAt = Date.now() + left;
  let over = false;
  await page.route(site.url + paths.auth.session, async (route) => {
    const response = await route.fetch();
    const session: unknown = await response.json();
    await route.fulfill({ response, json: over ? null : { ...(session as object), expiresAt } });
  });
  return {
    moveTo(later: number) {
      expiresAt = Date.now() + later;
    },
    reach() {
      over = true;
    },
  };
}
