import type { Page } from '@playwright/test';
import { sendSignIn } from './account-forms.ts';
import {
  expect,
  inFullIf,
  scriptStarted,
  signIn,
  signInAnew,
  signOut,
  siteWithUsers,
  test,
} from './journey.ts';
import { registerAdmin, type TestUsers } from './site.ts';
import { nameInBar, signOutLink } from './top-bar.ts';

const { site, users } = siteWithUsers();

const editorPages = [
  ...['/admin', '/admin/newact', '/admin/editact', '/admin/importar'],
  ...['/admin/mind', '/admin/move', '/admin/nutri', '/admin/values'],
  ...['/admin/site', '/admin/site/identity'],
];
const adminPages = [
  ...['/admin/users', '/participants', '/admin/site/publicar', '/admin/site/historico'],
  ...['/admin/pacientes', '/admin/pacientes/ninguem', '/admin/propor'],
];

type Role = 'visitor' | 'editor' | keyof TestUsers;
/** The path at which each role lands; `undefined` means the requested path. */
const rules: { paths: string[]; ends: Record<Role, string | undefined> }[] = [
  {
    paths: editorPages,
    ends: { visitor: '/', patient: '/', member: '/', editor: undefined, admin: undefined },
  },
  { paths: adminPages, ends: { visitor: '/', patient: '/', member: '/', editor: '/', admin: undefined } },
  {
    paths: ['/pro'],
    ends: { visitor: '/', patient: '/', member: undefined, editor: undefined, admin: undefined },
  },
  {
    paths: ['/login', '/login/recover'],
    ends: { visitor: undefined, patient: '/', member: '/pro', editor: '/pro', admin: '/pro' },
  },
  {
    paths: ['/register', '/practices', '/about', '/'],
    ends: { visitor: undefined, patient: undefined, member: undefined, editor: undefined, admin: undefined },
  },
  {
    paths: ['/account'],
    ends: {
      visitor: '/login?para=conta',
      patient: undefined,
      member: undefined,
      editor: undefined,
      admin: undefined,
    },
  },
  {
    paths: ['/minha-area'],
    ends: {
      visitor: '/login?para=minha-area',
      patient: undefined,
      member: undefined,
      editor: undefined,
      admin: undefined,
    },
  },
  {
    paths: ['/account/dados'],
    ends: {
      visitor: '/login?para=dados',
      patient: undefined,
      member: undefined,
      editor: undefined,
      admin: undefined,
    },
  },
  {
    paths: ['/minhas-praticas'],
    ends: {
      visitor: '/login?para=minhas-praticas',
      patient: undefined,
      member: undefined,
      editor: undefined,
      admin: undefined,
    },
  },
  {
    paths: ['/diario/compartilhar'],
    ends: {
      visitor: '/login?para=diario-compartilhar',
      patient: undefined,
      member: undefined,
      editor: undefined,
      admin: undefined,
    },
  },
  {
    paths: ['/semana/lembrete'],
    ends: {
      visitor: '/login?para=lembrete',
      patient: undefined,
      member: undefined,
      editor: undefined,
      admin: undefined,
    },
  },
  {
    paths: ['/diario/consulta'],
    ends: {
      visitor: '/login?para=consulta',
      patient: undefined,
      member: undefined,
      editor: undefined,
      admin: undefined,
    },
  },
  {
    paths: ['/semana'],
    ends: {
      visitor: '/login?para=semana',
      patient: undefined,
      member: undefined,
      editor: undefined,
      admin: undefined,
    },
  },
  { paths: ['/logout'], ends: { visitor: '/', patient: '/', member: '/', editor: '/', admin: '/' } },
];

for (const role of ['visitor', 'patient', 'member', 'editor', 'admin'] as const)
  test(
    `each path opens or redirects as the rules for the role ${role} say`,
    inFullIf(role !== 'visitor' && role !== 'patient'),
    async ({ page }) => {
      if (role === 'editor')
        await signInAnew(page, site.url, await registerAdmin(site, users, 'Edu Edição', 'editor'));
      else if (role !== 'visitor') await signInAnew(page, site.url, users[role]);
      for (const { paths, ends } of rules)
        for (const [index, path] of paths.entries()) {
          // If the rule redirects this role, loads a page only for the rule's first path. The other paths go
          // through the router, which calls the same guard without loading a page.
          if (ends[role] !== undefined && index > 0) await navigate(page, path);
          else await page.goto(site.url + path);
          await expect(page, `${role} on ${path}`).toHaveURL(site.url + (ends[role] ?? path));
          await expect(page.locator('h1')).toHaveCount(1);
        }
    },
  );

/** Goes to a path like the back button does, without loading a page. */
async function navigate(page: Page, path: string) {
  await page.evaluate((to) => {
    history.pushState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
    // The guard redirects to the path that is already open, so the test would also pass without a navigation.
    // Check here that the navigation has started.
    if (location.pathname !== to) throw new Error(`The path is ${location.pathname}.`);
  }, path);
}

test('after sign-in a visitor lands on the requested page of the account, never on another target in the URL', {
  tag: '@full',
}, async ({ page }) => {
  const signInAt = async (path: string) => {
    await page.goto(site.url + path);
    await sendSignIn(page, users.patient);
  };
  await signInAt('/account');
  await expect(page).toHaveURL(`${site.url}/account`);
  await signOut(page, site.url);
  await signInAt('/minhas-praticas');
  await expect(page).toHaveURL(`${site.url}/minhas-praticas`);
  await signOut(page, site.url);
  await signInAt('/login?para=https://example.com');
  await expect(page).toHaveURL(`${site.url}/minha-area`);
});

test('after sign-out every tab belongs to a visitor again', { tag: '@full' }, async ({ page, context }) => {
  await signInAnew(page, site.url, users.admin);
  await page.goto(`${site.url}/admin`);
  await signOut(page, site.url);
  expect((await context.cookies()).map(({ name }) => name)).not.toContain('acolhe-session');
  const other = await context.newPage();
  await other.goto(`${site.url}/admin`);
  await expect(other).toHaveURL(`${site.url}/`);
});

test('a guarded page loads nothing for a user without permission', async ({ page }) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await signIn(page, site.url, users.patient);
  await page.goto(`${site.url}/admin/users`);
  await expect(page).toHaveURL(`${site.url}/`);
  expect(asked).not.toContain('/api/documents/users');
});

test('the top bar shows the links of the role', async ({ page }) => {
  const bar = page.getByRole('banner').getByRole('navigation');
  await page.goto(`${site.url}/about`);
  await expect(bar.getByRole('link', { name: 'Entrar' })).toBeVisible();
  await expect(bar.getByRole('link', { name: 'Admin' })).toHaveCount(0);

  await signInAnew(page, site.url, users.member);
  await page.reload();
  await expect(nameInBar(page, 'Marta')).toBeVisible();
  await expect(bar.getByRole('link', { name: 'Admin' })).toHaveCount(0);
  await nameInBar(page, 'Marta').click();
  await expect(page.getByRole('link', { name: 'Conta' })).toHaveAttribute('href', '/account');
  await expect(bar.getByRole('link', { name: 'Pro' }).first()).toHaveAttribute('href', '/pro');
  await expect(bar.getByRole('link', { name: 'Minha área' }).first()).toHaveAttribute('href', '/minha-area');
  await signOutLink(page).click();
  await expect(page).toHaveURL(`${site.url}/`);

  await signIn(page, site.url, users.admin);
  await page.reload();
  await expect(bar.getByRole('link', { name: 'Pro' })).toBeVisible();
  await expect(bar.getByRole('link', { name: 'Admin' })).toBeVisible();
});

test('on a phone the menu of a member leads to Pro', { tag: '@full' }, async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await signIn(page, site.url, users.member);
  await page.goto(`${site.url}/practices`);
  await scriptStarted(page);
  await page.getByRole('banner').locator('summary[aria-label="Menu"]').click();
  await page.getByRole('banner').getByRole('link', { name: 'Pro' }).filter({ visible: true }).click();
  await expect(page).toHaveURL(`${site.url}/pro`);
});

test('without a session, a bookmark of the administration opens the home page, which says why, and opens after sign-in', {
  tag: '@full',
}, async ({ page }) => {
  await page.goto(`${site.url}/participants?busca=pedro`);
  await expect(page).toHaveURL(`${site.url}/`);
  await expect(page.getByText('Entre para abrir a administração.')).toBeVisible();
  await page.getByRole('button', { name: 'Entrar', exact: true }).click();
  await expect(page).toHaveURL(`${site.url}/login`);
  await expect(page.getByRole('main').getByText('Entre para abrir a administração.')).toBeVisible();
  await sendSignIn(page, users.admin);
  await expect(page).toHaveURL(`${site.url}/participants?busca=pedro`);
  await signOut(page, site.url);

  await page.goto(`${site.url}/pro`);
  await expect(page.getByText('Entre para abrir a página Pro.')).toBeVisible();
  await page.goto(`${site.url}/admin`);
  await page.getByRole('button', { name: 'Entrar', exact: true }).click();
  await sendSignIn(page, users.patient);
  await expect(page).toHaveURL(`${site.url}/minha-area`);
  await page.goto(`${site.url}/admin`);
  await expect(page.getByText('A sua conta não abre a administração.')).toBeVisible();
});

test('admins find the administration on Pro, and the site and the practices in the administration', {
  tag: '@full',
}, async ({ page }) => {
  await signIn(page, site.url, users.member);
  await page.goto(`${site.url}/pro`);
  await expect(page.getByRole('heading', { name: 'Cursos' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Abrir a administração' })).toHaveCount(0);
  await signIn(page, site.url, users.admin);
  await page.reload();
  await page.getByRole('link', { name: 'Abrir a administração' }).click();
  await expect(page).toHaveURL(`${site.url}/admin`);
  const siteLinks = page.getByRole('navigation', { name: 'Site' });
  await expect(siteLinks.getByRole('link', { name: 'Práticas' })).toHaveAttribute('href', '/practices');
  await siteLinks.getByRole('link', { name: 'Ver o site' }).click();
  await expect(page).toHaveURL(`${site.url}/`);
});
