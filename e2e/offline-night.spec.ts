import { practicePath } from '#contract/practices/path.ts';
import { sampleActivity } from '#server/testing/samples.ts';
import { expect, scriptStarted, signIn, siteWithUsers, test } from './journey.ts';
import { eraseDevice, keptBy, nothing, prepareDevice } from './offline/device.ts';

const { site, users } = siteWithUsers();

test('on a chosen device the path for the night opens with the server stopped, and everything can be erased', async ({
  page,
}) => {
  const { documents } = users.admin.client;
  const practice = await documents.createActivity(sampleActivity({ title: 'Três sons', night: 'sleep' }));
  await page.goto(`${site.url}/practices`);
  await signIn(page, site.url, users.patient);
  await page.goto(`${site.url}/aparelho`);
  await scriptStarted(page);
  expect(await keptBy(page)).toEqual(nothing);
  await prepareDevice(page, site.url);
  await site.kill();
  await page.goto(`${site.url}/practices#noite`);
  await scriptStarted(page);
  await page.locator('#noite').getByRole('link', { name: 'Três sons' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Três sons');
  await expect(page).toHaveURL(site.url + practicePath(practice));
  await expect(page.locator('a[href="tel:188"]').first()).toBeVisible();
  await page.goto(`${site.url}/aparelho`);
  await eraseDevice(page);
  expect(await keptBy(page)).toEqual(nothing);
});
