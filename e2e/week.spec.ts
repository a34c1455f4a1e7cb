import { sampleActivity } from '#server/testing/samples.ts';
import { endShares, shareDiary } from './accessible-clinicians.ts';
import { nameAdmin, proposeTo } from './accessible-week.ts';
import { expect, scriptStarted, signIn, signInAnew, siteWithUsers, test } from './journey.ts';
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

    // A change that fails does not hide the next one.
    let isPressed = () => {};
    const pressed = new Promise<void>((resolve) => (isPressed = resolve));
    await page.route('**/api/documents/week/*/days/*', async (route) => {
      await pressed;
      await route.abort();
    });
    await tabTo(done);
    await page.keyboard.press('Enter');
    await tabTo(card.getByRole('button', { name: 'Esta semana não' }));
    await page.keyboard.press('Enter');
    isPressed();
    await expect.poll(async () => (await stored())?.skippedWeeks.length).toBe(1);
    await expect(page.getByRole('alert')).toContainText('Sua resposta não foi guardada.');
    await expect(card).toContainText('Esta semana ficou de lado. Tudo bem.');
    await page.unroute('**/api/documents/week/*/days/*');
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await stored())?.skippedWeeks.length).toBe(0);
    await expect(done).toHaveAttribute('aria-pressed', 'false');

    // The answer is stored after a new sign-in, if the session has ended meanwhile.
    await page.context().clearCookies();
    await tabTo(done);
    await page.keyboard.press('Enter');
    await page.getByLabel('Senha', { exact: true }).fill(users.patient.password);
    await page.keyboard.press('Enter');
    await expect.poll(statesOf).toEqual(['done']);

    await (await users.admin.client.week()).withdraw(users.patient.uid, id);
    await tabTo(done);
    await page.keyboard.press('Enter');
    await expect(card).toContainText('Esta prática não está mais proposta. Você não precisa fazer nada.');
    await expect(card.getByRole('button')).toHaveCount(0);
    await expect(page.getByRole('alert')).toHaveCount(0);
    await page.reload();
    await expect(page.getByRole('main')).toContainText('Nada combinado para esta semana.');
  });

for (const width of [360, 1280])
  test(`a clinician proposes a practice, sees what is granted, copies and withdraws it, at ${width} px`, {
    tag: '@full',
  }, async ({ page, context }) => {
    await page.setViewportSize({ width, height: 740 });
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const title = `Folhas em ${width}`;
    await nameAdmin({ users });
    const practice = await users.admin.client.documents.createActivity(sampleActivity({ title }));
    await signIn(page, site.url, users.admin);
    await page.goto(`${site.url}/practices/${practice.id}`);
    await scriptStarted(page);
    await tabTo(page.getByRole('link', { name: 'Propor a alguém' }));
    await page.keyboard.press('Enter');
    await expect(page.getByRole('radio', { name: title })).toBeChecked();
    await tabTo(page.getByRole('button', { name: 'Propor', exact: true }));
    await page.keyboard.press('Enter');
    await expect(page.getByText('Escolha para quem.').first()).toBeVisible();
    await tabTo(page.getByLabel('Procurar uma pessoa por nome ou e-mail'));
    await page.keyboard.type('pedro');
    const pedro = page.getByRole('radio', { name: /^Pedro Paciente \(/ });
    await pedro.waitFor();
    await tabTo(page.getByRole('radio').first());
    await page.keyboard.press('Space');
    await expect(pedro).toBeChecked();
    await tabTo(page.getByLabel('Mensagem (opcional)'));
    await page.keyboard.type('Três folhas bastam.');
    await tabTo(page.getByRole('button', { name: 'Propor', exact: true }));
    await page.keyboard.press('Enter');
    const proposal = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: title }) });
    await expect(proposal).toContainText('Três folhas bastam.');
    const main = page.getByRole('main');
    await expect(main).toContainText('só se o paciente compartilhar as práticas do diário');
    await expect(main).not.toContainText('O paciente vê que você leu');

    const week = await users.patient.client.week();
    const [assignment] = await week.list();
    await week.answer(assignment?.id ?? '', assignment?.fromDay ?? '', 'done');
    await page.reload();
    await expect(proposal).toBeVisible();
    await expect(proposal).not.toContainText('Fez:');
    await shareDiary({ site, users });
    await page.reload();
    await expect(proposal).toContainText('Fez:');
    await tabTo(page.getByRole('button', { name: 'Copiar para o prontuário' }));
    await page.keyboard.press('Enter');
    await expect(page.getByText('Copiado para o prontuário.')).toBeVisible();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toContain(`${title}: 3 vezes por semana, de `);
    expect(copied).toContain('Fez: ');
    expect(copied).not.toContain('Três folhas');
    expect(copied).not.toContain('Dormi pouco');
    await expect(main).toContainText('Dormi pouco.');
    const reads = await (await users.patient.client.diaryShares()).listReads();
    expect(reads.map(({ what }) => what)).toContain('week');

    await tabTo(page.getByRole('button', { name: `Retirar ${title}` }));
    await page.keyboard.press('Enter');
    await expect(proposal).toContainText('Retirada.');
    expect(await week.list()).toEqual([]);
    await endShares({ site });
    await page.reload();
    await expect(main).toContainText('não tem prática proposta por você');
    await expect(main.getByRole('link', { name: 'proponha uma prática' })).toBeVisible();
  });

test('a proposal whose response is lost is stored once, and not instead of its correction', {
  tag: '@full',
}, async ({ page }) => {
  await nameAdmin({ users });
  const practice = await users.admin.client.documents.createActivity(sampleActivity({ title: 'Caminhar' }));
  await signIn(page, site.url, users.admin);
  await page.goto(`${site.url}/admin/propor?pratica=${practice.id}`);
  await page.getByLabel('Procurar uma pessoa por nome ou e-mail').fill('pedro');
  await page.getByRole('radio', { name: /^Pedro Paciente \(/ }).check();
  await page.getByLabel('Mensagem (opcional)').fill('Três folhas bastam.');
  const requests = '**/api/documents/patients/*/assignments';
  let lost = 0;
  await page.route(requests, async (route) => {
    await route.fetch();
    await route.abort();
    lost += 1;
  });
  const propose = page.getByRole('button', { name: 'Propor', exact: true });
  for (const count of [1, 2]) {
    await propose.click();
    await expect.poll(() => lost).toBe(count);
    await expect(propose).toBeEnabled();
  }
  const week = await users.patient.client.week();
  const messages = async () => (await week.list()).map(({ message }) => message).toSorted();
  expect(await messages()).toEqual(['Três folhas bastam.']);
  await page.unroute(requests);
  await page.getByLabel('Mensagem (opcional)').fill('Duas folhas bastam.');
  await propose.click();
  await expect(page.getByRole('main')).toContainText('Duas folhas bastam.');
  await expect.poll(messages).toEqual(['Duas folhas bastam.', 'Três folhas bastam.']);
  for (const { id } of await week.list())
    await (await users.admin.client.week()).withdraw(users.patient.uid, id);
});
