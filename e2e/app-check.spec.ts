import type { Page } from '@playwright/test';
import { fillSignUp } from './account-forms.ts';
import { expect, scriptStarted, siteForTests, test } from './journey.ts';
import { signInLink } from './top-bar.ts';

const site = siteForTests();

test('the worker for the proof of work loads only when the form is sent', async ({ page }) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto(`${site.url}/`);
  await scriptStarted(page);
  await signInLink(page).click();
  await page.getByRole('link', { name: 'Criar uma conta' }).click();
  await fillIn(page, 'worker@example.com');
  expect(asked.filter((path) => /challenge-worker/.test(path))).toEqual([]);

  const worker = page.waitForEvent('worker');
  await page.getByRole('button', { name: 'Criar a conta' }).click();
  expect((await worker).url()).toContain('/static/js/challenge-worker-');
  await expect(page).toHaveURL(`${site.url}/minha-area`);
});

for (const [what, prepare] of [
  [
    'there are no workers',
    async (page: Page) =>
      page.addInitScript(() => {
        Reflect.deleteProperty(window, 'Worker');
      }),
  ],
  [
    "the worker's file does not arrive",
    async (page: Page) => page.route('**/challenge-worker-*.js', (route) => route.abort()),
  ],
] as const)
  test(`where ${what}, the page does the work itself`, { tag: '@full' }, async ({ page, watch }) => {
    await prepare(page);
    await page.goto(`${site.url}/register`);
    await fillIn(page, `${what.replaceAll(/\W/g, '-')}@example.com`);
    await page.getByRole('button', { name: 'Criar a conta' }).click();
    await expect(page).toHaveURL(`${site.url}/minha-area`);
    // One of the two tests blocks the worker's file, so ignore the error about it.
    watch.problems = watch.problems.filter((line) => !line.includes('Loading chunk challenge-worker failed'));
  });

async function fillIn(page: Page, email: string) {
  await fillSignUp(page, { name: 'Teresa Trabalho', email, password: 'violeta2025x' });
}
