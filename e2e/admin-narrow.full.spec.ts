import { contentField, titleField } from './activity-form.ts';
import { expect, signIn, siteWithUsers, test } from './journey.ts';
import { openSection } from './site-editor.ts';

const { site, users } = siteWithUsers();
const url = 'https://www.gov.br/saude/pt-br';

test.beforeEach(async ({ page }) => {
  await signIn(page, site.url, users.admin);
  await page.setViewportSize({ width: 360, height: 740 });
});

test('the header is one row, and the drawer has the links to the site', async ({ page }) => {
  await page.goto(`${site.url}/admin`);
  const menu = page.getByRole('button', { name: /^Menu da administração/ });
  const user = page.getByRole('banner').locator('summary');
  const [one, other] = [await menu.boundingBox(), await user.boundingBox()];
  if (!one || !other) throw new Error('The header is not visible.');
  expect(Math.abs(one.y + one.height / 2 - (other.y + other.height / 2))).toBeLessThan(4);
  const title = await page.getByRole('heading', { level: 1 }).boundingBox();
  expect(title?.y).toBeLessThan(160);
  await expect(page.getByRole('link', { name: 'Ver o site' })).toBeHidden();
  await menu.press('Enter');
  await page.getByRole('dialog').getByRole('link', { name: 'Ver o site' }).press('Enter');
  await expect(page).toHaveURL(`${site.url}/`);
});

for (const [name, path] of [
  ['a new practice', '/admin/newact'],
  ['a section of the site', '/admin/site/identity'],
] as const)
  test(`the save bar of ${name} stays in view, and covers no field that takes the focus`, async ({
    page,
  }) => {
    if (path === '/admin/newact') await page.goto(site.url + path);
    else await openSection(page, site.url, 'identity');
    const button = page.getByRole('button', { name: /^(?:Criar prática|Salvar rascunho)$/ });
    await expect(button).toBeInViewport({ ratio: 1 });
    const bar = await button.boundingBox();
    const fields = page.locator('main form').locator('input:visible, textarea:visible');
    for (const field of await fields.all()) {
      await field.focus();
      await expect
        .poll(async () => {
          const box = await field.boundingBox();
          // Only the beginning of a field that is taller than the window can be above the bar.
          return box && box.y + Math.min(box.height, 150);
        })
        .toBeLessThan(bar?.y ?? 0);
      await expect(button).toBeInViewport({ ratio: 1 });
    }
    // With a keyboard on the screen, a low window has no bar over its fields.
    await page.setViewportSize({ width: 360, height: 380 });
    await page.evaluate(() => window.scrollTo(0, 0));
    await expect(button).not.toBeInViewport();
  });

test('the search of a list also shows what the other axes have, and leads there', async ({ page }) => {
  const { documents } = users.admin.client;
  await documents.createActivity({ axis: 'mind', title: 'Respiração curta', url, content: 'Um minuto.' });
  await documents.createActivity({ axis: 'move', title: 'Alongar', url, content: 'Com a RESPIRACAO solta.' });
  await documents.createActivity({ axis: 'fun', title: 'Jogar', url, content: 'Sem pressa.' });
  await page.goto(`${site.url}/admin/mind`);
  await page.getByLabel('Procurar por título ou conteúdo').fill('respiracao');
  await expect(page.getByRole('article')).toHaveCount(1);
  const other = page.getByRole('region', { name: 'Também em Move · Movimento' });
  await expect(page.getByText('1 prática em Move · Movimento')).toBeAttached();
  await expect(page.getByRole('region', { name: /^Também em Values/ })).toHaveCount(0);
  await other.getByRole('link', { name: 'Alongar' }).press('Enter');
  await expect(page).toHaveURL(`${site.url}/admin/move`);
  await expect(page.getByRole('button', { name: 'Alongar', exact: true })).toBeFocused();
});

test('fields of a new practice keep their text when the bar saves them', async ({ page }) => {
  await page.goto(`${site.url}/admin/newact?axis=move`);
  await titleField(page).fill('Girar os ombros');
  await page.getByRole('checkbox', { name: 'Esta prática não tem vídeo' }).check();
  await contentField(page).fill('Devagar.');
  await page.getByRole('button', { name: 'Criar prática' }).click();
  await expect(page.getByRole('button', { name: 'Girar os ombros', exact: true })).toBeVisible();
});
