import { readFileSync } from 'node:fs';
import type { Locator, Page } from '@playwright/test';
import { paths } from '#contract/paths.ts';
import { practicePath } from '#contract/practices/path.ts';
import { pages } from '#server/site/pages.ts';
import { passwordField, signInButton } from './account-forms.ts';
import { contentField, linkField, titleField } from './activity-form.ts';
import { audioOf, chooserOf, pictureOf } from './files.ts';
import {
  chooseFilter,
  expect,
  scriptStarted,
  signIn,
  signInAnew,
  signOut,
  siteWithUsers,
  test,
} from './journey.ts';
import { fillLibrary } from './site.ts';
import { nameInBar } from './top-bar.ts';

test.describe.configure({ timeout: 180_000 });

const { site, users } = siteWithUsers();
/** The paths of a practice and of its form, which no list of pages contains. */
let practice: { page: string; form: string };

test.beforeAll(async () => {
  await fillLibrary(users.admin);
  const created = await users.admin.client.documents.createActivity({
    ...{ axis: 'mind', title: 'Pausa de um minuto', content: 'Respire.\n\n- devagar' },
    url: 'https://youtu.be/aBcDeFgHiJ0',
  });
  practice = {
    page: practicePath(created),
    form: `/admin/editact?axis=mind&id=${created.id}`,
  };
});

const isAdminPath = (path: string) => /^\/(?:admin|participants)/.test(path);

/** A path of every page of the site except /logout, also of pages that are not found. */
function everyPath(): string[] {
  const listed = pages.map(({ pattern }) => pattern.replace(/\*$/, pattern === '*' ? '/nao-existe' : 'x'));
  return [...listed.filter((path) => path !== '/logout'), practice.page, practice.form];
}

async function open(page: Page, path: string) {
  await page.goto(site.url + path);
  await scriptStarted(page);
  await expect(page.locator('h1').first(), path).toBeVisible();
  // Some parts of a page load after the first interaction. Then React enables the buttons that send a form.
  await page.mouse.wheel(0, 200);
  await expect(page.locator('button[type=submit]:disabled'), path).toHaveCount(0);
  await expect(page.locator('[aria-busy="true"]'), path).toHaveCount(0);
}

test.describe('without what Safari 16.4, Chrome 109 and Firefox 115 lack', () => {
  test.beforeEach(({ context }) => context.addInitScript(removeNewer, { lint: newerDom(), newerJavaScript }));

  test('every page works for visitors and patients, and signing out ends the session on the server', async ({
    page,
  }) => {
    for (const path of everyPath().filter((one) => !isAdminPath(one))) await open(page, path);
    await signInAnew(page, site.url, users.patient);
    for (const path of ['/', '/account', '/minhas-praticas', practice.page]) await open(page, path);
    const cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
    const session = async () =>
      (await fetch(site.url + paths.auth.session, { headers: { cookie } })).json() as Promise<unknown>;
    expect(await session()).not.toBeNull();
    await signOut(page, site.url);
    expect(await session()).toBeNull();
  });

  test('every page works for admins', async ({ page }) => {
    await signIn(page, site.url, users.admin);
    for (const path of everyPath()) await open(page, path);
  });

  test('an admin adds a practice with a picture and a sound', async ({ page }) => {
    await signIn(page, site.url, users.admin);
    await open(page, '/admin/newact?axis=mind');
    await chooserOf(page, 'Imagem').setInputFiles(await pictureOf(900));
    await expect(page.getByText('Image Uploaded')).toBeVisible();
    await chooserOf(page, 'Áudio').setInputFiles(audioOf(600_000));
    await expect(page.getByText('Audio Uploaded')).toBeVisible();
    await titleField(page).fill('Num navegador antigo');
    await linkField(page).fill('https://youtu.be/aBcDeFgHiJ0');
    await contentField(page).fill('Veja https://www.gov.br/saude.');
    await page.getByRole('button', { name: 'Criar prática' }).click();
    await expect(page.getByText('act created')).toBeVisible();
  });
});

/** What the linters forbid in the site, because the oldest browsers do not have it. */
function newerDom() {
  const { overrides } = JSON.parse(readFileSync(new URL('../checks/oxlint.json', import.meta.url), 'utf8'));
  const { rules } = overrides[0];
  return {
    globals: rules['no-restricted-globals'].slice(1) as { name: string }[],
    properties: rules['no-restricted-properties'].slice(1) as { object?: string; property: string }[],
  };
}

/** JavaScript after 2022, which does not compile for the site, but which a library can call. */
const newerJavaScript: Record<string, string[]> = {
  Promise: ['withResolvers', 'try'],
  Array: ['fromAsync'],
  'Array.prototype': ['toSorted', 'toReversed', 'toSpliced', 'with'],
  'Uint8Array.prototype.__proto__': ['toSorted', 'toReversed', 'with'],
  'String.prototype': ['isWellFormed', 'toWellFormed'],
  Object: ['groupBy'],
  Map: ['groupBy'],
  'Map.prototype': ['getOrInsert', 'getOrInsertComputed'],
  'Set.prototype': [
    'union',
    'intersection',
    'difference',
    'symmetricDifference',
    'isSubsetOf',
    'isSupersetOf',
  ],
  'Iterator.prototype': ['map', 'filter', 'take', 'drop', 'flatMap', 'reduce', 'toArray', 'forEach', 'some'],
  'ArrayBuffer.prototype': ['transfer', 'resize'],
  Uint8Array: ['fromBase64', 'fromHex'],
  'Uint8Array.prototype': ['toBase64', 'toHex'],
  RegExp: ['escape'],
  Error: ['isError'],
};

/** Runs in the page, before its scripts. */
function removeNewer({ lint, newerJavaScript: javaScript }: Removed) {
  const valueAt = (path: string) =>
    path.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown>)?.[name], globalThis);
  const remove = (owner: unknown, name: string) => {
    if (owner) delete (owner as Record<string, unknown>)[name];
  };
  for (const [owner, names] of Object.entries(javaScript))
    for (const name of names) remove(valueAt(owner), name);
  for (const { object, property } of lint.properties) {
    const owners = object ? [valueAt(object), Object.getPrototypeOf(valueAt(object) ?? {})] : [window];
    if (!object)
      for (const type of [Element, HTMLElement, HTMLDialogElement, Document, Headers])
        owners.push(type.prototype);
    for (const owner of owners) remove(owner, property);
  }
  for (const { name } of lint.globals) remove(window, name);
  remove(window, 'Iterator');
}
type Removed = { lint: ReturnType<typeof newerDom>; newerJavaScript: Record<string, string[]> };

test.describe('with the browser’s page translation', () => {
  test('every form of visitors keeps what they type', async ({ page }) => {
    for (const path of everyPath().filter((one) => !isAdminPath(one)))
      await tryForms(page, path, correctTranslated);
  });

  test('every form of admins keeps what they type', async ({ page }) => {
    await signIn(page, site.url, users.admin);
    for (const path of formPathsOfAdmins()) await tryForms(page, path, correctTranslated);
  });

  test('dialogs, filters, notices and favourites work', async ({ page }) => {
    await signIn(page, site.url, users.admin);
    await open(page, '/practices');
    await page.evaluate(translate);
    await chooseFilter(page, 'Tempo', 'Até 10 minutos');
    await expect(page.getByRole('status').filter({ hasText: 'de até 10 minutos' })).toBeVisible();
    await chooseFilter(page, 'Tempo', 'Qualquer tempo');
    await expect(page.getByRole('status').filter({ hasText: 'de até 10 minutos' })).toHaveCount(0);
    await page
      .getByRole('button', { name: /^Guardar/ })
      .first()
      .click();
    await expect(page.getByText('Guardada. Só você vê a sua lista.')).toBeVisible();
    await page.getByRole('link', { name: 'Minhas práticas' }).click();
    await page.getByRole('button', { name: /^Tirar da lista/ }).click();
    await page.getByRole('button', { name: 'Desfazer' }).click();
    await expect(page.getByRole('button', { name: /^Tirar da lista/ })).toBeVisible();

    await open(page, '/admin/mind');
    await page.evaluate(translate);
    await page.getByRole('searchbox').fill('nada disso existe');
    await expect(page.getByText('Nenhuma prática tem essas palavras')).toBeVisible();
    await page.getByRole('searchbox').fill('pausa de um');
    await expect(page.getByRole('article')).toHaveCount(1);
    await page.getByRole('searchbox').fill('');
    await expect(page.getByRole('article').nth(1)).toBeVisible();
    const total = await page.getByRole('article').count();
    await page
      .getByRole('button', { name: /^Deletar / })
      .first()
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Deletar' }).click();
    await expect(page.getByRole('article')).toHaveCount(total - 1);
    await page.getByRole('button', { name: 'Desfazer' }).click();
    // A move is based on the list as it is after the practice has returned.
    await expect(page.getByRole('article')).toHaveCount(total);
    await page
      .getByRole('button', { name: /^Mover / })
      .nth(1)
      .press('Enter');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await expect(page.getByText('Ordem salva.')).toBeVisible();

    await open(page, '/participants');
    await page.evaluate(translate);
    await page.getByRole('button', { name: 'Editar Pedro Paciente' }).click();
    await page.getByLabel('Categoria').fill('Paciente');
    await page.getByLabel(/^Membro/).check();
    await expect(page.getByText('Ainda não salvo.')).toBeVisible();
    await page.getByRole('dialog').getByRole('button', { name: 'Salvar' }).click();
    await expect(page.getByText('Ainda não salvo.')).toHaveCount(0);
  });
});

test.describe('what a browser or a password manager fills in without events', () => {
  test('stays in every form of visitors', async ({ page }) => {
    for (const path of everyPath().filter((one) => !isAdminPath(one)))
      await tryForms(page, path, fillWithoutEvents);
  });

  test('stays in every form of admins', async ({ page }) => {
    await signIn(page, site.url, users.admin);
    for (const path of formPathsOfAdmins()) await tryForms(page, path, fillWithoutEvents);
  });

  test('is sent', async ({ page }) => {
    await open(page, '/login');
    await setWithoutEvent(page.getByLabel('Email'), users.patient.email);
    await setWithoutEvent(passwordField(page), users.patient.password);
    await signInButton(page).click();
    await expect(nameInBar(page, 'Pedro')).toBeVisible();
  });
});

/** Only the first fields of a form, because the editor of the site has forms with dozens of equal fields. */
const triedFields = 4;

type TryForm = (form: Locator, fields: Locator[], path: string) => Promise<void>;

async function tryForms(page: Page, path: string, use: TryForm) {
  await open(page, path);
  // A guard has sent the browser to a page that has its own turn.
  if (page.url() !== site.url + path) return;
  if (use === correctTranslated) await page.evaluate(translate);
  for (const form of await page.locator('form:visible').all()) {
    const fields = await form.locator('input:visible, textarea:visible').and(form.locator(textFields)).all();
    // A form that is only a button, such as the one that leaves the newsletter, opens another page.
    if (fields.length > 0) await use(form, fields.slice(0, triedFields), path);
  }
}

const textFields = ':not([type=checkbox], [type=radio], [type=file], [type=date], [type=time], [readonly])';

/** Opening /login as an admin would leave the page, and `tryForms` would not see its form. */
const formPathsOfAdmins = () => ['/account', ...everyPath().filter(isAdminPath)];

/** Sends a form empty, corrects each field, and sends the form again. */
async function correctTranslated(form: Locator, fields: Locator[], path: string) {
  for (const field of fields) await field.fill('');
  await submit(form);
  for (const field of fields) {
    await field.pressSequentially('ab');
    await field.press('Backspace');
    await field.blur();
    await expect(field, path).toHaveValue(/a$/);
  }
  await submit(form);
}

/** Fills a form and sends it before React renders anew, as a browser does that fills all fields at once. */
async function fillWithoutEvents(form: Locator, fields: Locator[], path: string) {
  await form.evaluate(
    (element: HTMLFormElement, elements) => {
      for (const field of elements)
        Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, '12');
      element.requestSubmit();
    },
    await Promise.all(fields.map((field) => field.elementHandle())),
  );
  for (const field of fields) await expect(field, path).toHaveValue(/12$/);
}

const submit = (form: Locator) => form.evaluate((element: HTMLFormElement) => element.requestSubmit());

/** Sets a value as browsers do: React does not notice the setter of the prototype. */
const setWithoutEvent = (field: Locator, value: string) =>
  field.evaluate((element, text) => {
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(element), 'value')?.set?.call(element, text);
  }, value);

/** Replaces each text of the page by a new one in two `<font>`, and goes on doing so, as Chrome does. */
function translate() {
  const wrap = (node: Node) => {
    if (node.nodeType === Node.TEXT_NODE) {
      const parent = node.parentElement;
      if (
        !node.nodeValue?.trim() ||
        !parent ||
        parent.closest('font, script, style, svg, textarea, [translate=no]')
      )
        return;
      const outer = document.createElement('font');
      outer.append(document.createElement('font'));
      outer.firstChild?.appendChild(document.createTextNode(node.nodeValue));
      parent.replaceChild(outer, node);
    } else for (const child of [...node.childNodes]) wrap(child);
  };
  wrap(document.body);
  new MutationObserver((changes) => {
    for (const { type, target, addedNodes } of changes)
      for (const node of type === 'characterData' ? [target] : addedNodes) if (node.isConnected) wrap(node);
  }).observe(document.body, { childList: true, characterData: true, subtree: true });
}
