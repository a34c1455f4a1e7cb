import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { demoLibrary } from '../commands/demo-library.ts';
import { expect, signIn, siteWithPeople, test } from './journey.ts';

const { site, people } = siteWithPeople();
const widths = [320, 1280];
const schemes = ['light', 'dark'] as const;

test.beforeAll(async () => {
  const { documents } = people.admin.client;
  for (const practice of demoLibrary) await documents.createActivity(practice);
});

const publicPages = ['/', '/practices', '/about', '/privacidade', '/nao-existe'];
const accountPages = ['/login', '/login/recover', '/login/x', '/register', '/nova-senha', '/primeiro-acesso'];
const adminPages = ['/pro', '/admin', '/admin/newact', '/admin/mind', '/admin/values', '/admin/users'];

for (const scheme of schemes)
  for (const width of widths) {
    test.describe(`${scheme}, ${width} px`, () => {
      test.use({ colorScheme: scheme, viewport: { width, height: 800 } });

      test('visitors: axe finds nothing and nothing is wider than the window', async ({ page }) => {
        for (const path of [...publicPages, ...accountPages]) await checkPage(page, path);
      });

      test('admin: axe finds nothing and nothing is wider than the window', async ({ page }) => {
        await signIn(page, site.url, people.admin);
        for (const path of adminPages) await checkPage(page, path);

        await page.goto(`${site.url}/admin/mind`);
        await page
          .getByRole('link', { name: /^Editar / })
          .first()
          .click();
        await expect(page.getByLabel('Título')).not.toHaveValue('');
        await check(page, 'edit form');
        await page.getByLabel('Título').fill('');
        await page.getByRole('button', { name: 'Salvar' }).click();
        await check(page, 'edit form with an error');
      });

      test('open dialogs and forms with errors', async ({ page }) => {
        await page.goto(`${site.url}/practices`);
        await page.getByRole('button', { name: 'Ver as seis dicas' }).click();
        await expect(page.getByRole('dialog')).toBeVisible();
        await check(page, 'six tips');

        await page.goto(`${site.url}/register`);
        await page.getByRole('button', { name: 'Criar a conta' }).click();
        await check(page, 'register with errors');

        await signIn(page, site.url, people.admin);
        await page.goto(`${site.url}/admin/mind`);
        await page
          .getByRole('button', { name: /^Deletar / })
          .first()
          .click();
        await expect(page.getByRole('dialog')).toBeVisible();
        await check(page, 'delete question');
      });
    });
  }

async function checkPage(page: Page, path: string) {
  await page.goto(site.url + path);
  await expect(page.locator('h1')).toHaveCount(1);
  await page.waitForLoadState('networkidle');
  await check(page, path);
}

async function check(page: Page, what: string) {
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze();
  const found = violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html}`));
  expect(found, what).toEqual([]);
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow, `${what} is wider than the window`).toBe(0);
}
