import { proposeTo } from './accessible-week.ts';
import { expect, scriptStarted, signInAnew, siteWithUsers, test } from './journey.ts';
import { tabTo } from './keyboard.ts';

test.describe.configure({ timeout: 120_000 });

const { site, users } = siteWithUsers();

for (const width of [360, 1280])
  test(`a patient answers the week by keyboard, at ${width} px`, { tag: '@full' }, async ({ page }) => {
    await page.setViewportSize({ width, height: 740 });
    const title = `Respirar em ${width}`;
    const id = await proposeTo({ users }, { title, message: 'Sem pressa.' });
    await signInAnew(page, site.url, users.patient);
    await page.goto(`${site.url}/minha-area`);
    await scriptStarted(page);
    await expect(page.getByRole('region', { name: 'Sua semana' })).toContainText(title);
    await tabTo(page.getByRole('link', { name: 'Abrir a sua semana' }));
    await page.keyboard.press('Enter');
    const card = page.getByRole('article', { name: title });
    await expect(card).toContainText('Sem pressa.');
    await expect(page.getByRole('main')).toContainText('Sem resposta não quer dizer nada.');

    const week = await users.patient.client.week();
    const stored = async () => (await week.list()).find((one) => one.id === id);
    const statesOf = async () => (await stored())?.days.map(({ state }) => state);
    const done = card.getByRole('button', { name: 'Fiz', exact: true });
    await tabTo(done);
    await page.keyboard.press('Enter');
    await expect(done).toHaveAttribute('aria-pressed', 'true');
    await expect(page.getByRole('status').filter({ hasText: `${title}: resposta guardada.` })).toHaveCount(1);
    expect(await statesOf()).toEqual(['done']);
    await expect(card.getByRole('link', { name: 'Anotar como foi' })).toBeVisible();

    // The answer is taken back when the server does not get it, and stored with the next try.
    const no = card.getByRole('button', { name: 'Hoje não' });
    await page.route('**/api/documents/week/**', (route) => route.abort());
    await tabTo(no);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('alert')).toContainText('Sua resposta não foi guardada.');
    await expect(done).toHaveAttribute('aria-pressed', 'true');
    await page.unroute('**/api/documents/week/**');
    await expect(no).toBeFocused();
    await page.keyboard.press('Enter');
    await expect.poll(statesOf).toEqual(['not-done']);
    await expect(page.getByRole('alert')).toHaveCount(0);
    // Pressing quickly keeps the last state.
    for (let press = 0; press < 5; press += 1) await page.keyboard.press('Enter');
    await expect.poll(statesOf).toEqual([]);

    await tabTo(card.getByRole('button', { name: 'Esta semana não' }));
    await page.keyboard.press('Enter');
    await expect(card).toContainText('Esta semana ficou de lado. Tudo bem.');
    await expect.poll(async () => (await stored())?.skippedWeeks.length).toBe(1);
    await expect(card.getByRole('button', { name: 'Voltar a esta semana' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await stored())?.skippedWeeks.length).toBe(0);

    await (await users.admin.client.week()).withdraw(users.patient.uid, id);
    await tabTo(done);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('alert')).toContainText('Esta prática não está mais proposta.');
    await page.reload();
    await expect(page.getByRole('main')).toContainText('Nada combinado para esta semana.');
  });
