import type { Page } from '@playwright/test';
import { demoLibrary } from '#clinic/demo-library.ts';
import { practicePath } from '#contract/practices/path.ts';
import { expectNoViolations } from './accessible.ts';
import { expect, scriptStarted, test } from './journey.ts';
import { eraseDevice, keptBy, nothing, prepareDevice } from './offline/device.ts';
import { makeNextBuild } from './offline/next-build.ts';
import { siteBehindGateway } from './offline/site-behind-gateway.ts';
import { register, type TestUser } from './site.ts';

const site = siteBehindGateway();
let anna: TestUser;
let bento: TestUser;
/** The path of a practice for the night, and of one with audio. */
let nightPath: string;
let audioPath: string;

const night = 'Três sons antes de dormir';
const audio = '/audio/tres-minutos.mp3';

test.beforeAll(async () => {
  const { gateway, server } = site;
  [anna, bento] = [await register(gateway, 'Anna Aparelho'), await register(gateway, 'Bento Aparelho')];
  const { client } = await register(gateway, 'Alice Admin');
  await client.auth.becomeFirstAdmin(server.firstAdminPath().split('#')[1] ?? '');
  for (const practice of demoLibrary.filter(({ night }) => night)) {
    const made = await client.documents.createActivity({
      ...practice,
      image: '/images/demo/janela.svg',
      needs: '',
    });
    if (made.title === night) nightPath = practicePath(made);
  }
  const [first] = demoLibrary;
  if (!first) throw new Error('The library is empty.');
  const input = {
    ...first,
    title: 'Respirar com o mar',
    url: 'https://example.com/mar',
    audio,
    needs: '',
    night: '' as const,
  };
  audioPath = practicePath(await client.documents.createActivity(input));
});
/** Opens /aparelho as Anna, who uses the site without network. */
async function annaWithoutNetwork(page: Page) {
  await site.signIn(page, anna);
  await prepareDevice(page, site.url);
}

const heading = (page: Page) => page.getByRole('heading', { level: 1 });

/** Counts the documents that the page opens. */
function countDocuments(page: Page) {
  const documents = { count: 0 };
  page.on('request', (request) => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) documents.count += 1;
  });
  return documents;
}

test('a visitor and a user who has not chosen it get no worker, no storage and no further cookie', async ({
  page,
  context,
}) => {
  site.gateway.asked.length = 0;
  const visit = async (visited: string[]) => {
    for (const path of visited) {
      await page.goto(site.url + path);
      await scriptStarted(page);
      await page.waitForLoadState('networkidle');
      const kept = await keptBy(page);
      expect(kept, path).toEqual(nothing);
    }
  };
  await visit(['/', '/practices', nightPath, audioPath, '/privacidade', '/login', '/aparelho']);
  expect(await context.cookies()).toEqual([]);
  await site.signIn(page, anna);
  const before = (await context.cookies()).map(({ name }) => name);
  await visit(['/minha-area', '/aparelho', audioPath, '/diario']);
  expect((await context.cookies()).map(({ name }) => name)).toEqual(before);
  await expect(page.getByRole('button', { name: /Guardar áudio/ })).toHaveCount(0);
  expect(site.gateway.asked).not.toContain('/sw.js');
});

test('with the server stopped, the path for the night opens whole, with its pictures and phone numbers', async ({
  page,
}) => {
  await annaWithoutNetwork(page);
  await site.server.kill();
  site.gateway.network = 'cut';
  const documents = countDocuments(page);
  await page.goto(`${site.url}/practices#noite`);
  await scriptStarted(page);
  await page.locator('#noite').getByRole('link', { name: night }).click();
  await expect(heading(page)).toHaveText(night);
  await expect(page).toHaveURL(site.url + nightPath);
  await scriptStarted(page);
  // The practice opened as a document, because a navigation inside the site has no data.
  expect(documents.count).toBe(2);
  const picture = page.locator('article img').first();
  await expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0))
    .toBe(true);
  for (const number of ['188', '192'])
    await expect(page.locator(`a[href="tel:${number}"]`).first()).toBeVisible();

  // A page that is not kept says so, once, inside the site.
  await page.getByRole('link', { name: 'Todas as práticas' }).click();
  await expect(heading(page)).toHaveText('Práticas');
  await scriptStarted(page);
  expect(documents.count).toBe(3);
  await page.getByRole('link', { name: 'Sono', exact: true }).click();
  await expect(page.getByText('As práticas não puderam ser carregadas.')).toBeVisible();
  await page.goto(`${site.url}${audioPath}`);
  await expect(page.getByText('Esta página não abriu.')).toBeVisible();
  expect(documents.count).toBe(4);
  await page.goto(`${site.url}/admin`).catch(() => undefined);
  await expect(page.getByText('Acolhe')).toHaveCount(0);
  await site.start();
});

test('a saved audio plays and seeks with the server stopped, and goes when it is removed', async ({
  page,
}) => {
  await annaWithoutNetwork(page);
  await page.goto(site.url + audioPath);
  await page.getByRole('button', { name: /Guardar áudio \(\d/ }).click();
  await expect(page.getByText('Guardado neste aparelho')).toBeVisible();
  await site.server.kill();
  site.gateway.network = 'cut';
  await page.reload();
  await expect(heading(page)).toHaveText('Respirar com o mar');
  const player = page.getByRole('group', { name: /Áudio/ });
  await player.getByRole('button', { name: 'Tocar' }).click();
  await expect(player.getByRole('button', { name: 'Pausar' })).toBeVisible();
  const element = page.locator('audio');
  await element.evaluate((sound: HTMLAudioElement) => {
    sound.currentTime = 150;
  });
  const timeOf = () => element.evaluate((sound: HTMLAudioElement) => (sound.seeking ? 0 : sound.currentTime));
  await expect.poll(timeOf).toBeGreaterThan(150.2);
  const part = await page.evaluate(async (src) => {
    const response = await fetch(src, { headers: { range: 'bytes=1000-1999' } });
    const bytes = (await response.arrayBuffer()).byteLength;
    return { status: response.status, range: response.headers.get('content-range'), bytes };
  }, audio);
  expect(part).toEqual({ status: 206, range: expect.stringMatching(/^bytes 1000-1999\/\d+$/), bytes: 1000 });

  await page.getByRole('link', { name: 'Ver tudo' }).click();
  const list = page.getByRole('region', { name: 'Áudios guardados' });
  await expect(list.getByRole('link', { name: 'Respirar com o mar' })).toBeVisible();
  await list.getByRole('button', { name: 'Remover' }).click();
  await expect(list).toContainText('Nenhum ainda.');
  expect((await keptBy(page)).caches['acolhe-audio']).toEqual([]);
  await site.start();
});

test('answers of a site.gateway, redirects and errors of a proxy never enter a cache', async ({ page }) => {
  await annaWithoutNetwork(page);
  const before = await keptBy(page);
  await page.goto(site.url + audioPath);
  await expect(page.getByRole('button', { name: /Guardar áudio/ })).toBeVisible();
  for (const network of ['captive', 'redirecting', 'failing'] as const) {
    site.gateway.network = network;
    // The site.gateway answers pages, and the pictures and the audio that the worker fetches.
    for (const path of ['/practices', '/about', '/aparelho', nightPath]) await page.goto(site.url + path);
    site.gateway.network = 'open';
    await page.goto(`${site.url}/aparelho`);
    await expect(page.getByRole('button', { name: 'Buscar de novo' })).toBeVisible();
    site.gateway.network = network;
    await page.getByRole('button', { name: 'Buscar de novo' }).click();
    await expect(
      page.getByText('Não deu para buscar tudo.').or(page.getByText('Tudo guardado.')),
    ).toBeVisible();
    const kept = await page.evaluate(async () => {
      const bodies: string[] = [];
      for (const name of await caches.keys())
        for (const response of await (await caches.open(name)).matchAll())
          bodies.push(`${response.status} ${(await response.text()).includes('Wi-Fi do hotel')}`);
      return [...new Set(bodies)];
    });
    expect(kept).toEqual(['200 false']);
  }
  // A page that the server cannot send is the kept one; the sign-in of a network is shown as it is.
  site.gateway.network = 'failing';
  await page.goto(`${site.url}/practices`);
  await expect(heading(page)).toHaveText('Práticas');
  site.gateway.network = 'redirecting';
  await page.goto(`${site.url}/practices`);
  await expect(heading(page)).toHaveText('Wi-Fi do hotel');
  site.gateway.network = 'silent';
  await page.goto(`${site.url}/practices`);
  await expect(heading(page)).toHaveText('Práticas');
  site.gateway.network = 'open';
  await page.goto(site.url);
  expect(Object.keys((await keptBy(page)).caches)).toEqual(Object.keys(before.caches));
});

test('with poisoned and half-written caches the site works, and shows nothing of them', async ({ page }) => {
  await annaWithoutNetwork(page);
  await page.goto(site.url + audioPath);
  await page.getByRole('button', { name: /Guardar áudio/ }).click();
  await expect(page.getByText('Guardado neste aparelho')).toBeVisible();
  await page.evaluate(async () => {
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const [index, key] of (await cache.keys()).entries()) {
        const response = await cache.match(key);
        if (!response) continue;
        const { headers } = response;
        const whole = await response.blob();
        // Every other entry is cut in half; the others have a body of someone else.
        const body =
          index % 2 === 0
            ? whole.slice(0, whole.size / 2)
            : '<!doctype html><title>x</title><h1>Veneno</h1><script>alert(1)</script></html>';
        await cache.put(key, new Response(body, { headers }));
      }
    }
  });
  const opened: string[] = [];
  page.on('dialog', (dialog) => {
    opened.push(dialog.message());
    void dialog.dismiss();
  });
  for (const path of ['/practices', nightPath, '/aparelho', audioPath]) {
    await page.goto(site.url + path);
    await scriptStarted(page);
    await expect(heading(page)).not.toHaveText('Veneno');
  }
  await page.getByRole('group', { name: /Áudio/ }).getByRole('button', { name: 'Tocar' }).click();
  await expect(page.getByRole('button', { name: 'Pausar' })).toBeVisible();
  // The visit has mended what it used: the same pages open without network.
  site.gateway.network = 'cut';
  await page.goto(site.url + nightPath);
  await scriptStarted(page);
  await expect(heading(page)).toHaveText(night);
  expect(opened).toEqual([]);
});

test('with a full storage, nothing is kept half: the page says so, and the site works', async ({
  page,
  context,
}) => {
  const session = await context.newCDPSession(page);
  const limit = (quotaSize?: number) =>
    session.send('Storage.overrideQuotaForOrigin', {
      origin: site.url,
      ...(quotaSize !== undefined && { quotaSize }),
    });
  await site.signIn(page, anna);
  await page.goto(`${site.url}/aparelho`);
  await limit(200_000);
  await page.getByLabel('Este aparelho é só meu.').check();
  await page.getByRole('button', { name: 'Usar sem internet neste aparelho' }).click();
  await expect(page.getByRole('alert')).toContainText('Nada foi guardado.');
  expect(await keptBy(page)).toEqual(nothing);

  await limit();
  await page.getByRole('button', { name: 'Usar sem internet neste aparelho' }).click();
  await expect(page.getByText('Este aparelho está pronto')).toBeVisible();
  await page.goto(site.url + audioPath);
  const save = page.getByRole('button', { name: /Guardar áudio/ });
  await expect(save).toBeVisible();
  const { usage } = await page.evaluate(() => navigator.storage.estimate());
  await limit((usage ?? 0) + 100_000);
  await save.click();
  await expect(page.getByRole('alert')).toContainText('Não há espaço neste aparelho para este áudio');
  expect((await keptBy(page)).caches['acolhe-audio']).toEqual([]);
  await page.goto(site.url + nightPath);
  await expect(heading(page)).toHaveText(night);
  await limit();
});

test('"Parar e apagar" leaves nothing for any API of the browser, also without network', async ({ page }) => {
  for (const network of ['open', 'cut'] as const) {
    site.gateway.network = 'open';
    await annaWithoutNetwork(page);
    const other = await page.context().newPage();
    await other.goto(site.url + nightPath);
    site.gateway.network = network;
    await page.goto(`${site.url}/aparelho`);
    await eraseDevice(page);
    expect(await keptBy(page)).toEqual(nothing);
    // The worker still answers the open pages, and keeps nothing for them.
    site.gateway.network = 'open';
    await other.getByRole('link', { name: 'Todas as práticas' }).click();
    await expect(heading(other)).toHaveText('Práticas');
    await other.goto(site.url + audioPath);
    await scriptStarted(other);
    expect(await keptBy(other)).toEqual(nothing);
    await other.close();
    await page.goto(`${site.url}/minha-area`);
    await scriptStarted(page);
    await page.waitForLoadState('networkidle');
    expect(await keptBy(page)).toEqual(nothing);
  }
});

test('a second user of the device is told so, sees nothing of the first, and can only erase', async ({
  page,
  context,
}) => {
  await annaWithoutNetwork(page);
  await context.clearCookies();
  await site.signIn(page, bento);
  await page.goto(`${site.url}/aparelho`);
  await expect(page.getByText('Outra conta usa este aparelho sem internet.')).toBeVisible();
  await expect(page.getByRole('main')).not.toContainText('Anna');
  await expect(page.getByLabel('Este aparelho é só meu.')).toHaveCount(0);
  expect((await keptBy(page)).chosen).toBe(anna.uid);
  await eraseDevice(page);
  await expect(page.getByLabel('Este aparelho é só meu.')).not.toBeChecked();
  await prepareDevice(page, site.url);
  const { chosen, databases } = await keptBy(page);
  expect({ chosen, databases }).toEqual({ chosen: bento.uid, databases: [`acolhe-${bento.uid}`] });
  // The worker of the first user was still there, and has fetched what was erased.
  site.gateway.network = 'cut';
  for (const path of [nightPath, '/aparelho']) {
    await page.goto(site.url + path);
    await scriptStarted(page);
    await expect(heading(page)).toHaveText(path === nightPath ? night : 'Neste aparelho');
  }
});

test('a new build waits for a form with text, asks, and reloads once; pages stay kept', async ({ page }) => {
  const next = makeNextBuild();
  try {
    await annaWithoutNetwork(page);
    await page.goto(`${site.url}/diario/novo`);
    await beginDiaryOn(page);
    await page.getByRole('textbox', { name: /Quer contar algo/ }).fill('Ainda não terminei');
    const documents = countDocuments(page);
    await site.start({}, next.folder);
    const notice = page.getByText('Há uma versão nova do site.');
    await page.evaluate(async () => {
      const registration = await navigator.serviceWorker.getRegistration();
      await registration?.update();
    });
    await page.waitForFunction(async () => {
      const registration = await navigator.serviceWorker.getRegistration();
      return Boolean(registration?.waiting);
    });
    await expect(notice).toHaveCount(0);
    expect(documents.count).toBe(0);
    await page.getByRole('banner').getByRole('link', { name: 'Práticas' }).click();
    await page.getByRole('button', { name: 'Sair sem salvar' }).click();
    await expect(notice).toBeVisible();
    await expectNoViolations(page, 'a new version');
    await page.getByRole('button', { name: 'Atualizar' }).click();
    await expect.poll(() => documents.count).toBe(1);
    await scriptStarted(page);
    await expect(notice).toHaveCount(0);
    const files = (await keptBy(page)).caches['acolhe-files'] ?? [];
    expect(files.filter((file) => file.endsWith('.js') && !file.includes('/new-'))).toEqual([]);
    site.gateway.network = 'cut';
    await page.goto(site.url + nightPath);
    await scriptStarted(page);
    await expect(heading(page)).toHaveText(night);
    await expect.poll(() => documents.count).toBe(2);
  } finally {
    await site.start();
    next.remove();
  }
});

test('an old worker works with a new server, and a new worker with an old server', async ({ page }) => {
  const next = makeNextBuild();
  const walk = async () => {
    for (const path of ['/', '/practices', nightPath, '/minha-area', '/aparelho', '/diario']) {
      await page.goto(site.url + path);
      await scriptStarted(page);
      await expect(page.getByText('Uma parte do site não carregou.')).toHaveCount(0);
      await expect(heading(page)).toBeVisible();
    }
  };
  const kept = async () => {
    site.gateway.network = 'cut';
    await page.goto(site.url + nightPath);
    await scriptStarted(page);
    await expect(heading(page)).toHaveText(night);
    site.gateway.network = 'open';
  };
  try {
    await annaWithoutNetwork(page);
    await site.start({}, next.folder);
    await walk();
    await kept();
    await page.goto(`${site.url}/aparelho`);
    const documents = countDocuments(page);
    await page.getByRole('button', { name: 'Atualizar' }).click();
    await expect.poll(() => documents.count).toBe(1);
    await scriptStarted(page);
    expect(Object.keys((await keptBy(page)).caches)).toHaveLength(4);
    await site.start();
    await walk();
    await kept();
  } finally {
    await site.start();
    next.remove();
  }
});

test('SERVICE_WORKER=remove removes worker and caches from a device, and no database', async ({ page }) => {
  await annaWithoutNetwork(page);
  await site.start({ SERVICE_WORKER: 'remove' });
  await page.goto(site.url);
  await expect.poll(async () => (await keptBy(page)).workers).toBe(0);
  await page.goto(`${site.url}/practices`);
  await scriptStarted(page);
  await expect(heading(page)).toHaveText('Práticas');
  expect((await keptBy(page)).databases).toEqual([`acolhe-${anna.uid}`]);
  await page.goto(`${site.url}/aparelho`);
  await expect(page.getByText('Este aparelho ainda não está pronto')).toBeVisible();
  await page.getByRole('button', { name: 'Buscar de novo' }).click();
  await expect(page.getByRole('alert')).toContainText('Não deu para buscar tudo.');
  // With the setting gone, the device has its worker again.
  await site.start();
  await page.getByRole('button', { name: 'Buscar de novo' }).click();
  await expect(page.getByText('Este aparelho está pronto para usar sem internet.')).toBeVisible();
});

/** Gives the consent that a diary needs, if the page asks for it. */
async function beginDiaryOn(page: Page) {
  const start = page.getByRole('button', { name: 'Começar meu diário' });
  const words = page.getByRole('textbox', { name: /Quer contar algo/ });
  await expect(start.or(words)).toBeVisible();
  if (!(await start.isVisible())) return;
  for (const box of await page.getByRole('checkbox').all()) await box.check();
  await start.click();
  await expect(words).toBeVisible();
}
