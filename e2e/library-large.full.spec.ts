import type { Page } from '@playwright/test';
import { activity as activitySchema } from '#contract/activity.ts';
import { limits } from '#contract/limits.ts';
import { expect, signIn, siteWithUsers, test } from './journey.ts';

test.describe.configure({ timeout: 120_000 });

const { site, users } = siteWithUsers();

const sentence = 'Note o ar que entra e o ar que sai, sem pressa e sem brigar com o que aparece. ';

test.beforeAll(async () => {
  const { documents } = users.admin.client;
  const { tag } = await documents.getActivities('mindActsList');
  const many = Array.from({ length: limits.listMaxItems }, (_, index) =>
    activitySchema.parse({
      id: `a${index}`,
      createdAt: 1_700_000_000_000 + index,
      updatedAt: 1_700_000_000_000 + index,
      axis: 'mind',
      title: index === 7_777 ? 'A agulha no palheiro' : `Prática ${index + 1}`,
      url: 'https://youtu.be/aBcDeFgHiJ0',
      content: index === 9_000 ? 'Só aqui: jabuticaba.' : sentence.repeat(6),
    }),
  );
  await documents.replaceActivities('mindActsList', many, tag);
});

/** The longest task since `watchLongTasks`, in milliseconds. */
const longestTask = (page: Page) =>
  page.evaluate(() => Math.max(0, ...(window as unknown as { longTasks: number[] }).longTasks));

async function watchLongTasks(page: Page) {
  await page.evaluate(() => {
    const longTasks: number[] = [];
    Object.assign(window, { longTasks });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) longTasks.push(duration);
    }).observe({ type: 'longtask' });
  });
}

test('a list of 10,000 renders only visible rows, scrolls, searches and counts', async ({ page }) => {
  await signIn(page, site.url, users.admin);
  await page.goto(`${site.url}/admin/mind`);
  await expect(page.getByText('10.000 práticas')).toBeVisible();
  const cards = page.getByRole('article');
  await expect(cards.first()).toContainText('Prática 1');
  expect(await cards.count()).toBeLessThan(40);
  await expect(page.locator('[aria-setsize="10000"][aria-posinset="1"]')).toContainText('Prática 1');

  await watchLongTasks(page);
  // The list measures rows during a scroll, which must never interrupt it. Scroll several times, because a
  // fault would not interrupt every scroll.
  for (let time = 0; time < 4; time += 1) {
    await page.keyboard.press('End');
    await expect(cards.last()).toContainText('Prática 10000');
    const last = page.locator('[aria-setsize="10000"][aria-posinset="10000"]');
    await expect(last).toContainText('Prática 10000');
    expect(await cards.count()).toBeLessThan(40);
    await page.keyboard.press('Home');
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
    await expect(cards.first()).toContainText('Prática 1');
  }

  await page.getByRole('searchbox').pressSequentially('AGULHA');
  await expect(cards).toHaveCount(1);
  await expect(page.getByText('1 de 10.000 práticas')).toBeVisible();
  await page.getByRole('searchbox').fill('Jabutícaba');
  await expect(cards).toHaveCount(1);
  await expect(cards).toContainText('Prática 9001');
  await page.getByRole('searchbox').fill('');
  await expect(page.getByText('10.000 práticas')).toBeVisible();
  // The limit is high enough for slow machines. Rendering all rows would exceed it by tens of seconds.
  expect(await longestTask(page)).toBeLessThan(1_000);
});

test('deleting and undoing far down keeps the scroll position', async ({ page }) => {
  await signIn(page, site.url, users.admin);
  await page.goto(`${site.url}/admin/mind`);
  await page.getByRole('searchbox').fill('palheiro');
  await page.getByRole('button', { name: 'Deletar A agulha no palheiro' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Deletar' }).click();
  await expect(page.getByText('Nenhuma prática tem essas palavras')).toBeVisible();
  await page.getByRole('searchbox').fill('');
  await expect(page.getByText('9.999 práticas')).toBeVisible();
  await page.getByRole('button', { name: 'Desfazer' }).click();
  await expect(page.getByRole('button', { name: 'A agulha no palheiro', exact: true })).toBeFocused();
  await expect(page.getByRole('article').filter({ hasText: 'Prática 7777' })).toBeVisible();
  await expect(page.getByText('10.000 práticas')).toBeVisible();
});
