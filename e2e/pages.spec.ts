import { expect, siteForTests, test } from './journey.ts';

const site = siteForTests();

const publicPages = [
  { path: '/', title: '' },
  { path: '/practices', title: 'Práticas' },
  { path: '/about', title: '' },
  { path: '/privacidade', title: '' },
];

for (const { path } of publicPages)
  test.describe(`${path} without JavaScript`, () => {
    test.use({ javaScriptEnabled: false });

    test('is whole: a heading, words, the footer and links that work', async ({ page }) => {
      const answer = await page.goto(site.url + path);
      expect(answer?.status()).toBe(200);
      await expect(page.locator('h1')).toHaveCount(1);
      await expect(page.getByRole('contentinfo')).toContainText('2025');
      await expect(page.locator('main')).toContainText(/\S.{100}/s);
    });
  });
