import { demoLibrary } from '#clinic/demo-library.ts';
import { sendSignIn } from './account-forms.ts';
import { titleField } from './activity-form.ts';
import { expect, signIn, siteWithUsers, test } from './journey.ts';
import { nameInBar } from './top-bar.ts';

const { site, users } = siteWithUsers();

test('the dashboard begins with first steps, then shows the five latest changes', async ({ page }) => {
  await signIn(page, site.url, users.admin);
  await page.goto(`${site.url}/admin`);
  const steps = page.getByRole('region', { name: 'Primeiros passos' });
  await expect(steps.getByRole('link')).toHaveCount(3);
  await expect(page.getByRole('region', { name: 'Servidor' })).toContainText(/Backups.*Espaço no disco/);

  const { documents } = users.admin.client;
  const practices = demoLibrary.slice(0, 7);
  const created = [];
  for (const practice of practices) created.push(await documents.createActivity(practice));
  const [first] = created;
  if (!first) throw new Error('The demo library is empty.');
  const { id: _, createdAt, updatedAt, ...input } = first;
  await documents.updateActivity(first, { ...input, title: 'Mudada agora' });

  await page.reload();
  await expect(steps).toBeHidden();
  const latest = page.getByRole('region', { name: 'Últimas mudanças' }).getByRole('link');
  await expect(latest).toHaveCount(5);
  await expect(latest.first()).toContainText(/Mudada agora.*mudada em/);
  await expect(latest.nth(1)).toContainText(/criada em/);
  await latest.first().press('Enter');
  await expect(titleField(page)).toHaveValue('Mudada agora');
});

test('each of the five counts links to its list, and the newsletter has a download', {
  tag: '@full',
}, async ({ page }) => {
  const { documents } = users.admin.client;
  const counts = await documents.getCounts();
  await signIn(page, site.url, users.admin);
  for (const [name, count, path] of [
    ['Usuários', counts.users, '/admin/users'],
    ['Mind · Mente', counts.mind, '/admin/mind'],
    ['Move · Movimento', counts.move, '/admin/move'],
    ['Nutri · Alimentação', counts.nutri, '/admin/nutri'],
    ['Values · Valores', counts.values, '/admin/values'],
  ] as const) {
    await page.goto(`${site.url}/admin`);
    await page
      .getByRole('main')
      .getByRole('link', { name: `${name} ${count}`, exact: true })
      .click();
    await expect(page).toHaveURL(site.url + path);
  }
  await page.goto(`${site.url}/admin`);
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Exportar a carta (CSV)' }).click();
  expect((await download).suggestedFilename()).toMatch(/\.csv$/);
});

test('sign-in reads the mood record; a missing record is logged and breaks nothing', async ({ page }) => {
  const logged: string[] = [];
  page.on('console', (message) => logged.push(message.text()));
  const path = `/api/documents/wordMood/${users.patient.uid}`;
  const response = page.waitForResponse((response) => response.url().endsWith(path));
  await page.goto(`${site.url}/login`);
  await sendSignIn(page, users.patient);
  expect((await response).status()).toBe(204);
  await expect.poll(() => logged).toContain('Este documento não existe.');
  await expect(nameInBar(page, 'Pedro')).toBeVisible();
  expect(logged.filter((text) => text.startsWith('Failed to load resource'))).toEqual([]);
});

test("the link to Pro shows 'Loading...' until the page has loaded", async ({ page }) => {
  const release = Promise.withResolvers<void>();
  await page.route('**/static/js/account-*.js', async (route) => {
    await release.promise;
    await route.continue();
  });
  await signIn(page, site.url, users.admin);
  await page.goto(`${site.url}/`);
  await page.getByRole('banner').getByRole('link', { name: 'Pro', exact: true }).click();
  await expect(page.getByText('Loading...')).toBeVisible();
  release.resolve();
  await expect(page.getByRole('heading', { name: 'Cursos' })).toBeVisible();
});
