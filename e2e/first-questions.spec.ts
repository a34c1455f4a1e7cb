import type { Page } from '@playwright/test';
import { demoContent } from '#clinic/demo-content.ts';
import { titleField } from './activity-form.ts';
import { expect, scriptStarted, signIn, siteWithUsers, test } from './journey.ts';
import {
  changeSection,
  openPart,
  openSection,
  publish,
  publishClinic,
  readSection,
  save,
} from './site-editor.ts';

const { site, users } = siteWithUsers();
const { facts } = demoContent.home.hero;

/** The demo clinic closes at 19:00 from Monday to Thursday and at 13:00 on Friday. 2026-11-23 is a Monday. */
const open = new Date('2026-11-23T15:00:00-03:00');
const closed = new Date('2026-11-27T20:00:00-03:00');
const openSentence = 'Estamos atendendo agora, até 19h.';
const closedSentence = 'Agora estamos fechados; respondemos na segunda às 9h.';
const plainSentence = 'Segunda a quinta, das 9h às 19h; sexta, das 9h às 13h.';

test.beforeAll(async () => {
  await changeSection(users.admin, 'home', () => demoContent.home);
  await changeSection(users.admin, 'practices', () => demoContent.practices);
  await publishClinic(users.admin);
});

const hero = (page: Page) => page.getByRole('region', { name: demoContent.home.hero.lines[0] });
const bookingLink = (page: Page) => hero(page).getByRole('link', { name: 'Agendar pelo WhatsApp' });
const callLinks = (page: Page) => page.getByRole('link', { name: 'Ligar para o CVV, 188' });
const factsList = (page: Page) => page.getByRole('region', { name: 'Em poucas palavras' });
const menu = (page: Page) => page.getByRole('banner').locator('summary');

const bar = (page: Page) => page.getByRole('navigation', { name: 'Principal' });

async function expectOnFirstScreen(page: Page) {
  await expect(bookingLink(page)).toBeInViewport({ ratio: 1 });
  await expect(callLinks(page).filter({ visible: true }).first()).toBeInViewport({ ratio: 1 });
  const onScreen = callLinks(page).evaluateAll(
    (links) =>
      links
        .map((link) => link.getBoundingClientRect())
        .filter(({ top, width }) => width > 0 && top < innerHeight).length,
  );
  expect(await onScreen).toBe(1);
  expect(await page.evaluate(() => window.scrollY)).toBe(0);
}

for (const [width, height] of [
  [1366, 625],
  [1280, 800],
  [360, 640],
] as const)
  test(`at ${width} × ${height} the first screen has the booking button and the number for help`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height });
    await page.goto(site.url);
    await expectOnFirstScreen(page);
    if (width === 1366)
      for (const fact of facts)
        await expect(factsList(page).getByText(fact, { exact: true })).toBeInViewport({ ratio: 1 });
    await expect(factsList(page).getByRole('listitem')).toHaveText(facts);
  });

test('the sample content, too, has the booking button and the facts on the first screen', {
  tag: '@full',
}, async ({ page }) => {
  const { version } = await users.admin.client.site.getDraft();
  await changeSection(users.admin, 'home', (home) => ({
    ...home,
    hero: {
      ...home.hero,
      lines: ['Espaço para o que você sente.', 'Passos para o que importa.'],
      lead: 'Sou médica psiquiatra. Atendo adultos com ACT e FAP, duas abordagens que se completam: dar lugar aos pensamentos difíceis, sem brigar com cada um deles, e cuidar do que tem valor para você.',
    },
  }));
  await publish(users.admin);
  for (const [width, height] of [
    [1366, 625],
    [360, 640],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.goto(site.url);
    await expect(
      page.getByRole('main').getByRole('link', { name: 'Agendar pelo WhatsApp' }).first(),
    ).toBeInViewport({ ratio: 1 });
    await expect(callLinks(page).filter({ visible: true }).first()).toBeInViewport({ ratio: 1 });
    if (width === 1366) await expect(factsList(page).getByText('Adultos')).toBeInViewport({ ratio: 1 });
  }
  await users.admin.client.site.restoreVersion(version, (await users.admin.client.site.getDraft()).tag);
  await publish(users.admin);
});

test.describe('the menu', () => {
  test('in a wide window leads to the fees, to WhatsApp and to help', { tag: '@full' }, async ({ page }) => {
    await page.goto(`${site.url}/about`);
    await scriptStarted(page);
    const booking = page.getByRole('banner').getByRole('link', { name: 'Agendar pelo WhatsApp' });
    await expect(booking).toBeVisible();
    await expect(booking).toHaveAttribute('href', /^https:\/\/wa\.me\/5532900000000\?text=/);
    await expect(bar(page).getByRole('link', { name: 'Ligar para o CVV, 188' })).toHaveAttribute(
      'href',
      'tel:188',
    );
    await bar(page).getByRole('link', { name: 'Valores e convênio' }).click();
    await expect(page).toHaveURL(`${site.url}/#valores`);
    await expect(page.getByRole('heading', { name: 'Valores e convênio' })).toBeInViewport();
  });

  test('on a phone does the same, with the keyboard', async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 640 });
    await page.goto(`${site.url}/practices`);
    await scriptStarted(page);
    await menu(page).press('Enter');
    await expect(bar(page).getByRole('link', { name: 'Agendar pelo WhatsApp' })).toBeVisible();
    await expect(bar(page).getByRole('link', { name: 'Ligar para o CVV, 188' })).toBeVisible();
    await bar(page).getByRole('link', { name: 'Valores e convênio' }).press('Enter');
    await expect(page).toHaveURL(`${site.url}/#valores`);
    await expect(bar(page)).toBeHidden();
    await expect(page.getByRole('heading', { name: 'Valores e convênio' })).toBeInViewport();
  });
});

test('on a phone, fonts that arrive late shift the layout by at most 0.02', { tag: '@full' }, async ({
  page,
}) => {
  await recordShifts(page);
  for (const width of [360, 390]) {
    await page.setViewportSize({ width, height: 640 });
    const painted = Promise.withResolvers<void>();
    await page.route('**/*.woff2', async (route) => {
      await painted.promise;
      await route.continue();
    });
    await page.goto(site.url, { waitUntil: 'commit' });
    await expect(bookingLink(page)).toBeVisible();
    await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0);
    expect(await page.evaluate(() => document.fonts.status), `${width} px`).toBe('loading');
    painted.resolve();
    await page.evaluate(() => document.fonts.ready.then(() => undefined));
    // The browser reports a layout shift only after the frame in which it happens.
    await page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    );
    const sum = (await shiftsOf(page)).reduce((total, shift) => total + shift, 0);
    expect(sum, `${width} px`).toBeLessThanOrEqual(0.02);
    await page.unroute('**/*.woff2');
  }
});

/** Records the layout shifts of each page that is opened afterwards. */
async function recordShifts(page: Page) {
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as unknown as { value: number }).value);
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

const shiftsOf = (page: Page) => page.evaluate(() => (window as unknown as { shifts: number[] }).shifts);

test.describe('the sentence beside the booking button', () => {
  for (const [state, now, sentence] of [
    ['open', open, openSentence],
    ['closed', closed, closedSentence],
  ] as const)
    test(`while the clinic is ${state}, says so in the clinic's time zone`, { tag: '@full' }, async ({
      page,
    }) => {
      await page.clock.setFixedTime(now);
      await page.goto(site.url);
      await expect(hero(page).getByText(sentence, { exact: true })).toBeVisible();
      await expect(hero(page).getByText(plainSentence, { exact: true })).toBeHidden();
    });

  test('moves nothing when it appears, and follows the clock while the page stays open', {
    tag: '@full',
  }, async ({ page }) => {
    await recordShifts(page);
    // The first visit caches the fonts, so that afterwards only the sentence can cause a layout shift.
    await page.goto(site.url);
    await page.evaluate(() => document.fonts.ready.then(() => undefined));
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 640 });
      await page.clock.install({ time: new Date('2026-11-27T12:58:00-03:00') });
      await page.goto(site.url);
      const sentence = (text: string) => hero(page).getByText(text, { exact: true });
      await expect(sentence('Estamos atendendo agora, até 13h.')).toBeVisible();
      const top = await factsList(page).evaluate((list) => list.getBoundingClientRect().top);
      await page.clock.runFor('02:10');
      await expect(sentence(closedSentence)).toBeVisible();
      expect(await factsList(page).evaluate((list) => list.getBoundingClientRect().top)).toBe(top);
      expect(await shiftsOf(page), `${width} px`).toEqual([]);
    }
  });

  test('is right for visitors in another time zone', { tag: '@full' }, async ({ browser }) => {
    const context = await browser.newContext({ timezoneId: 'Asia/Tokyo', reducedMotion: 'reduce' });
    const page = await context.newPage();
    await page.clock.setFixedTime(open);
    await page.goto(site.url);
    await expect(hero(page).getByText(openSentence)).toBeVisible();
    await context.close();
  });
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('the facts, the hours, the fees and the menu are there', async ({ page }) => {
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 640 });
      await page.goto(site.url);
      await expectOnFirstScreen(page);
      await expect(factsList(page).getByRole('listitem')).toHaveText(facts);
      await expect(hero(page).getByText(plainSentence, { exact: true })).toBeVisible();
      if (width === 360) await menu(page).click();
      await bar(page).getByRole('link', { name: 'Valores e convênio' }).click();
      const fees = page.getByRole('region', { name: 'Valores e convênio' });
      for (const { title, text } of demoContent.home.fees.items) {
        await expect(fees.getByRole('heading', { name: title })).toBeVisible();
        await expect(fees.getByText(text)).toBeVisible();
      }
      await expect(fees.getByRole('listitem').first()).toContainText('Primeira consulta R$ 400 1 hora', {
        useInnerText: true,
      });
      await bar(page).getByRole('link', { name: 'Quem atende' }).click();
      const doctor = page.getByRole('region', { name: 'Quem atende' });
      await expect(doctor.getByRole('heading', { name: demoContent.identity.doctorName })).toBeVisible();
      await expect(doctor).toContainText('CRM-MG 9999999 · RQE 9999999');
      const { treats, training } = demoContent.home.doctor;
      await expect(doctor.getByRole('list').first().getByRole('listitem')).toHaveText(treats);
      for (const { name } of training) await expect(doctor.getByText(name)).toBeVisible();
      const access = page.getByRole('list', { name: 'Acessibilidade do consultório' });
      await expect(access.getByRole('listitem')).toHaveText(demoContent.home.contact.access);
    }
  });
});

test('an admin writes facts, fees and hours, publishes them, and visitors see them', {
  tag: '@full',
}, async ({ page, browser }) => {
  await signIn(page, site.url, users.admin);
  await openSection(page, site.url, 'home');
  await page.getByLabel('As primeiras perguntas, em poucas palavras').fill('Adultos e idosos\n\nPor vídeo\n');
  await openPart(page, 'Valores e convênio');
  const fees = page
    .locator('details')
    .filter({ has: page.getByRole('heading', { name: 'Valores e convênio' }) });
  await fees.getByRole('button', { name: 'Remover item 2' }).click();
  await titleField(fees).first().fill('Quanto custa');
  for (const _price of demoContent.home.fees.prices)
    await fees.getByRole('button', { name: 'Remover valor 1' }).click();
  await openPart(page, 'Quem atende');
  await page.getByLabel('O que trata').fill('Sono ruim');
  await openPart(page, 'Contato');
  await page.getByLabel('Endereço do mapa').fill('https://maps.example/sala');
  await save(page);

  await openSection(page, site.url, 'identity');
  const schedule = page.getByRole('group', { name: 'Horário de atendimento' });
  await schedule.getByRole('radio', { name: 'Amazonas, Rondônia e Roraima' }).check();
  await schedule.getByRole('button', { name: 'Acrescentar horário' }).click();
  const added = schedule.getByRole('listitem').last();
  await expect(added.getByRole('checkbox', { name: 'segunda' })).toBeFocused();
  await page.keyboard.press('Space');
  await added.getByLabel('Abre às').fill('18:30');
  await added.getByLabel('Fecha às').fill('20:00');
  await save(page);
  await expect(schedule.getByText('Este horário cruza outro do mesmo dia')).toBeVisible();
  await added.getByLabel('Abre às').fill('19:30');
  await added.getByLabel('Fecha às').fill('19:30');
  await expect(schedule.getByText('Deve fechar em outra hora')).toBeVisible();
  await added.getByLabel('Fecha às').fill('21:00');
  await schedule.getByRole('button', { name: 'Acrescentar período' }).click();
  await schedule.getByLabel('Do dia').fill('2026-12-24');
  await schedule.getByLabel('Até o dia').fill('2027-01-03');
  await save(page);
  const { content } = await readSection(users.admin, 'identity');
  expect(content.schedule).toEqual({
    timeZone: 'America/Manaus',
    days: [...demoContent.identity.schedule.days, { weekdays: ['mon'], opens: '19:30', closes: '21:00' }],
    closed: [{ from: '2026-12-24', until: '2027-01-03' }],
  });

  await page.getByRole('link', { name: 'Rever e publicar' }).click();
  const changes = page.getByRole('region', { name: 'O que muda' });
  await expect(changes).toContainText('Amazonas, Rondônia e Roraima');
  await expect(changes).toContainText('segunda');
  for (const box of await page.getByRole('checkbox').all()) await box.check();
  await page.getByRole('button', { name: 'Publicar agora' }).click();
  await expect(page.getByText('Publicado. Quem abrir o site já vê a versão nova.')).toBeVisible();

  const context = await browser.newContext({ reducedMotion: 'reduce' });
  const visit = await context.newPage();
  await visit.clock.setFixedTime(new Date('2026-11-23T20:00:00-04:00'));
  await visit.goto(site.url);
  await expect(factsList(visit).getByRole('listitem')).toHaveText(['Adultos e idosos', 'Por vídeo']);
  await expect(visit.getByText('Estamos atendendo agora, até 21h.')).toBeVisible();
  const contact = visit.getByRole('region', { name: demoContent.home.contact.title });
  await contact.scrollIntoViewIfNeeded();
  await expect(contact).toContainText('; segunda, das 19h30 às 21h');
  await expect(contact).toContainText('Sem atendimento de 24 de dezembro a 3 de janeiro');
  await expect(visit.getByRole('region', { name: 'Quanto custa' }).getByRole('listitem')).toHaveCount(1);
  await expect(bar(visit).getByRole('link', { name: 'Pagamento e convênio' })).toBeVisible();
  await expect(visit.getByRole('region', { name: 'Quem atende' }).getByText('Sono ruim')).toBeVisible();
  await expect(contact.getByRole('link', { name: 'Como chegar' })).toHaveAttribute(
    'href',
    'https://maps.example/sala',
  );

  // A section without texts does not appear, and no link leads to it.
  await changeSection(users.admin, 'home', (home) => ({
    ...home,
    hero: { ...home.hero, facts: [] },
    fees: { ...home.fees, prices: [], paragraphs: [], items: [] },
    doctor: { ...home.doctor, training: [], way: [], treats: [] },
  }));
  await changeSection(users.admin, 'identity', (identity) => ({
    ...identity,
    schedule: { ...identity.schedule, days: [] },
    hours: 'Às terças, com hora marcada',
  }));
  await publish(users.admin);
  for (const path of ['/', '/about']) {
    await visit.goto(site.url + path);
    await scriptStarted(visit);
    await expect(visit.getByRole('link', { name: 'convênio' })).toHaveCount(0);
    await expect(visit.getByRole('link', { name: 'Quem atende' })).toHaveCount(0);
  }
  await visit.goto(site.url);
  await expect(visit.locator('#valores')).toHaveCount(0);
  await expect(factsList(visit)).toHaveCount(0);
  await expect(hero(visit).getByText('Às terças, com hora marcada.', { exact: true })).toBeVisible();
  await context.close();
});

test('an editor continues what was typed on this device before the new fields existed', {
  tag: '@full',
}, async ({ page }) => {
  await signIn(page, site.url, users.admin);
  const { tag, content } = await readSection(users.admin, 'home');
  const { fees: _fees, ...home } = content;
  const { facts: _facts, ...older } = home.hero;
  await page.addInitScript(
    ({ key, draft }) => localStorage.setItem(key, JSON.stringify({ ...draft, at: Date.now() })),
    {
      key: await draftKey(page),
      draft: {
        values: { ...home, hero: { ...older, lead: 'Digitado antes.' } },
        base: { tag, content: { ...home, hero: older } },
      },
    },
  );
  await openSection(page, site.url, 'home');
  await expect(page.getByLabel('Apresentação')).toHaveValue('Digitado antes.');
  await save(page);
  expect((await readSection(users.admin, 'home')).content.hero).toEqual({
    ...content.hero,
    lead: 'Digitado antes.',
    facts: [],
  });
});

/** Returns the key under which the editor stores this account's draft of the section in `localStorage`. */
async function draftKey(page: Page): Promise<string> {
  await openSection(page, site.url, 'home');
  await page.getByLabel('Apresentação').fill('x');
  const find = () => page.evaluate(() => Object.keys(localStorage).find((key) => key.endsWith('site.home')));
  await expect.poll(find).toBeDefined();
  return (await find()) ?? '';
}
