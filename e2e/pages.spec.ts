import { identity } from '#clinic/identity.ts';
import { practices } from '#clinic/practices.ts';
import { visitorPages } from '#contract/site/public-pages.ts';
import { expect, scriptStarted, siteForTests, test } from './journey.ts';

const site = siteForTests();
const { shortName } = identity;

for (const path of visitorPages)
  test.describe(`${path} without JavaScript`, () => {
    test.use({ javaScriptEnabled: false });

    test('the page has one heading, its text, a title and the footer', async ({ page }) => {
      const response = await page.goto(site.url + path);
      expect(response?.status()).toBe(200);
      await expect(page).toHaveTitle(new RegExp(`^.+ \\| ${shortName}$`));
      await expect(page.locator('meta[name="description"]')).toHaveAttribute('content', /.{20}/);
      await expect(page.locator('h1')).toHaveCount(1);
      await expect(page.locator('main')).toContainText(/\S.{200}/s);
      await expect(page.getByRole('contentinfo')).toContainText('2025');
      await expect(page.getByRole('contentinfo')).toContainText('188');
    });
  });

test.describe('without JavaScript on a phone', () => {
  test.use({ javaScriptEnabled: false, viewport: { width: 360, height: 740 } });

  test('the menu opens, questions open and close, and WhatsApp is one link away', async ({ page }) => {
    await page.goto(site.url);
    await page.getByRole('banner').locator('summary').click();
    const link = page.getByRole('banner').getByRole('link', { name: 'Práticas' });
    await expect(link.filter({ visible: true })).toBeVisible();

    const question = page.locator('main details').first();
    const answer = question.locator('> :not(summary)');
    await expect(answer).toBeHidden();
    await question.locator('summary').click();
    await expect(answer).toBeVisible();
    await question.locator('summary').click();
    await expect(answer).toBeHidden();

    const booking = page.getByRole('main').locator(`a[href^="https://wa.me/${identity.whatsapp}?text="]`);
    await expect(booking.first()).toBeVisible();
  });
});

test('every navigation sets the page’s title, and pages that are not public are noindex', async ({
  page,
}) => {
  await page.goto(site.url);
  await scriptStarted(page);
  const bar = page.getByRole('banner');
  await bar.getByRole('link', { name: 'Práticas' }).click();
  await expect(page).toHaveTitle(`Práticas | ${shortName}`);
  await bar.getByRole('link', { name: 'A abordagem' }).click();
  await expect(page).not.toHaveTitle(`Práticas | ${shortName}`);
  await bar.getByRole('link', { name: 'Entrar' }).click();
  await expect(page).toHaveTitle(`Entrar | ${shortName}`);
  for (const path of ['/login/recover', '/admin', '/pro'])
    expect(await (await page.request.get(site.url + path)).text()).toContain('content="noindex"');
  await page.goBack();
  await expect(page.getByRole('banner').locator('[aria-current="page"]').first()).toHaveText('A abordagem');
});

test('a phone can put the site on its home screen', { tag: '@full' }, async ({ page }) => {
  await page.goto(site.url);
  const manifest = page.locator('link[rel="manifest"]');
  await expect(manifest).toHaveAttribute('href', '/site.webmanifest');
  expect((await page.request.get(`${site.url}/site.webmanifest`)).status()).toBe(200);
});

test('the header changes when the page is scrolled', async ({ page }) => {
  await page.goto(site.url);
  await scriptStarted(page);
  await expect(page.getByRole('banner')).not.toHaveAttribute('data-scrolled');
  await page.mouse.wheel(0, 600);
  await expect(page.getByRole('banner')).toHaveAttribute('data-scrolled');
});

test('the card of six tips opens and closes, and gives the focus back', async ({ page }) => {
  await page.goto(`${site.url}/practices`);
  await scriptStarted(page);
  const card = page.getByRole('button', { name: 'Ver as seis dicas' });
  await card.click();
  const tips = page.getByRole('dialog');
  await expect(tips.getByRole('listitem')).toHaveCount(6);
  await page.keyboard.press('Escape');
  await expect(tips).toBeHidden();
  await expect(card).toBeFocused();
});

test('a card links to the video that the clinic chose, in a new tab without access to the page', async ({
  page,
}) => {
  await page.goto(`${site.url}/practices`);
  const card = page.locator(`main a[href="${practices.externalVideo.url}"]`);
  await expect(card).toHaveAttribute('target', '_blank');
  await expect(card).toHaveAttribute('rel', 'noopener');
});
