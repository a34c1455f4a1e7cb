import { demoContent } from '#clinic/demo-content.ts';
import { demoLibrary } from '#clinic/demo-library.ts';
import type { Activity } from '#contract/activity.ts';
import { practicePath } from '#contract/practices/path.ts';
import { findPractice, type Group, pagesOf, type Stage, type State } from './accessible.ts';
import { clinicians } from './accessible-clinicians.ts';
import { diary } from './accessible-diary.ts';
import { forms } from './accessible-forms.ts';
import { lists, usersList } from './accessible-lists.ts';
import { newsletter } from './accessible-newsletter.ts';
import { shares } from './accessible-shares.ts';
import { siteEditor } from './accessible-site-editor.ts';
import { week } from './accessible-week.ts';
import { passwordField, sendSignIn, signInButton } from './account-forms.ts';
import { expect } from './journey.ts';
import { device } from './offline/accessible-device.ts';
import { fillLibrary, register, registerAdmin } from './site.ts';
import { changeSection, publishClinic } from './site-editor.ts';

const visitors: Group = {
  name: 'the pages for visitors',
  fill: ({ users }) => fillLibrary(users.admin),
  states: [
    ...pagesOf(['/', '/practices', '/about', '/privacidade', '/nao-existe']),
    ...pagesOf([
      '/carta/confirmar#x.y',
      '/carta/sair',
      '/carta/sair/x.y',
      '/lembrete/sair/x.y',
      '/practices/nada',
      '/practices?tempo=3&ordem=novas',
    ]),
    {
      name: 'the page of a practice',
      path: async (stage) => practicePath(await findPractice(stage, 'Folhas no riacho')),
    },
    {
      name: 'home, menu open',
      path: '/',
      onlyAt: { width: 640, height: 400 },
      isWalked: true,
      prepare: ({ page }) => page.getByRole('banner').locator('summary').click(),
    },
    {
      name: 'home, questions open',
      path: '/',
      async prepare({ page }) {
        for (const question of await page.locator('main details summary').all()) await question.click();
      },
    },
    {
      name: 'newsletter with errors',
      async prepare({ page }) {
        await page.getByRole('button', { name: 'Receber a carta' }).scrollIntoViewIfNeeded();
        await page.getByRole('button', { name: 'Receber a carta' }).click();
        await expect(page.getByText('Preencha um email válido.')).toBeVisible();
      },
    },
    {
      name: 'newsletter with thanks',
      async prepare({ page }) {
        await page.getByLabel('Seu e-mail').fill('axe@example.com');
        await page.getByRole('checkbox').check();
        await page.getByRole('button', { name: 'Receber a carta' }).click();
        await expect(page.getByText('Falta só um passo.')).toBeVisible();
      },
    },
    ...[0, 1, 2, 3, 4, 5].map(
      (petal): State => ({
        name: `petal ${petal + 1}`,
        ...(petal === 0 ? { path: '/about' } : {}),
        prepare: ({ page }) => page.getByRole('tab').nth(petal).click(),
      }),
    ),
    {
      name: 'practices, tips open',
      path: '/practices',
      prepare: ({ page }) => page.getByRole('button', { name: 'Ver as seis dicas' }).click(),
    },
    {
      name: 'practices, a video playing',
      async prepare({ page }) {
        await page.keyboard.press('Escape');
        await page
          .getByRole('button', { name: /^Assistir/ })
          .first()
          .click();
        await expect(page.locator('iframe')).toHaveCount(1);
      },
    },
    {
      name: 'practices, a menu of filters open',
      path: '/practices?necessidade=sono&tempo=20',
      isWalked: true,
      prepare: ({ page }) =>
        page.getByRole('navigation', { name: 'Filtros' }).locator('summary').last().click(),
    },
    { name: 'practices, nothing found', path: '/practices?q=baleia', shows: 'Nada por aqui com “baleia”.' },
    {
      name: 'practices at night',
      path: '/practices',
      async prepare({ page }) {
        // The server renders the page for its own time. A navigation uses the time of the browser.
        await page.clock.setFixedTime(new Date('2026-11-27T23:00:00-03:00'));
        await page.getByRole('link', { name: 'Sono', exact: true }).click();
        await page.getByRole('link', { name: 'Todas', exact: true }).click();
        await expect(page.locator('#noite ~ * [aria-label="Filtros"]')).toBeVisible();
      },
    },
    {
      name: 'practices without a connection',
      path: '/practices',
      async prepare({ page }) {
        await page.context().setOffline(true);
        await page.getByRole('link', { name: 'Sono', exact: true }).click();
        await expect(page.getByRole('main').getByRole('alert')).toContainText('Sem conexão.');
      },
    },
    {
      name: 'second page of practices',
      async path({ users }) {
        const { documents } = users.admin.client;
        const { tag } = await documents.getActivities('nutriActsList');
        const [sample] = (await documents.getActivities('mindActsList')).activities;
        const many = Array.from({ length: 70 }, (_, index) => ({
          ...(sample as Activity),
          ...{ id: `fome-${index}`, axis: 'nutri' as const, title: `Fome ${index + 1}` },
        }));
        await documents.replaceActivities('nutriActsList', many, tag);
        return '/practices?eixo=nutri&pagina=2';
      },
    },
    {
      name: 'home, clinic open',
      shows: 'Estamos atendendo agora, até 19h.',
      async path({ page, users: { admin } }) {
        await changeSection(admin, 'home', () => demoContent.home);
        await changeSection(admin, 'practices', () => demoContent.practices);
        await publishClinic(admin);
        await page.clock.setFixedTime(new Date('2026-11-23T15:00:00-03:00'));
        return '/';
      },
    },
    {
      name: 'home, clinic closed',
      shows: 'Agora estamos fechados; respondemos na segunda às 9h.',
      async path({ page }) {
        await page.clock.setFixedTime(new Date('2026-11-27T20:00:00-03:00'));
        return '/';
      },
    },
  ],
};

/** Invites a person. @returns the path of the link */
async function invite({ site, users }: Stage, email: string): Promise<string> {
  await users.admin.client.auth.invite({ email, member: 'editor', note: 'Venha escrever conosco.' });
  return (await site.mailedLink('/convite')).replace(site.url, '');
}

/** A visitor opens the verification link of another browser. */
async function openVerificationLink({ page, site }: Stage) {
  const lia = await register(site, 'Lia Laptop');
  await lia.client.auth.sendVerificationEmail();
  await page.goto(await site.mailedLink('/email-confirmado'));
  await page.getByLabel('Escolha sua senha').fill('curta');
  await page.getByRole('button', { name: 'Confirmar meu e-mail' }).click();
  await expect(page.getByLabel('Escolha sua senha')).toHaveAccessibleDescription(/pelo menos 8 caracteres/);
}

const accounts: Group = {
  name: 'the pages around an account',
  async fill({ site, users }) {
    await fillLibrary(users.admin);
    users.editor = await registerAdmin(site, users, 'Edu Edição', 'editor');
  },
  states: [
    ...pagesOf(['/login', '/login/recover', '/login/x', '/register', '/nova-senha', '/primeiro-acesso']),
    ...pagesOf(['/admin', '/admin/site', '/admin/site/identity'], 'editor').map((state) => ({
      ...state,
      name: `${state.name} of an editor`,
    })),
    {
      name: 'an invitation for a new account',
      path: async (stage) => invite(stage, 'nova@example.com'),
      async prepare({ page }) {
        await page.getByRole('button', { name: 'Criar a conta e aceitar' }).click();
        await expect(page.getByText('You need a password').first()).toBeVisible();
      },
    },
    {
      name: 'an invitation while another user is signed in',
      role: 'patient',
      path: async (stage) => invite(stage, 'outra@example.com'),
      shows: /está aberta a conta/,
    },
    {
      name: 'open invitations',
      role: 'admin',
      path: (stage) => invite(stage, 'aberta@example.com').then(() => '/register'),
      shows: 'aberta@example.com',
      isWalked: true,
    },
    ...pagesOf(['/email-confirmado', '/email-confirmado#token', '/email-confirmado?erro=link', '/convite']),
    ...pagesOf(['/email-novo#token', '/email-de-volta#token']),
    { name: 'the password for a link of another browser', path: '/login', prepare: openVerificationLink },
    {
      name: 'register with errors',
      path: '/register',
      async prepare({ page }) {
        await page.getByRole('button', { name: 'Criar a conta' }).click();
        await expect(page.getByText('You need a password').first()).toBeVisible();
      },
    },
    {
      name: 'sign-in with errors',
      path: '/login',
      async prepare({ page }) {
        await signInButton(page).click();
        await expect(passwordField(page)).toHaveAttribute('aria-invalid', 'true');
      },
    },
    {
      name: 'sign-in refused',
      async prepare({ page }) {
        await sendSignIn(page, { email: 'ninguem@example.com', password: 'senhaErrada123' });
        await expect(page.getByText('E-mail ou senha incorretos.')).toBeVisible();
      },
    },
    {
      name: 'the notice after a request for a new password',
      path: '/login/recover',
      async prepare({ page }) {
        await page.getByLabel('Email').fill('ninguem@example.com');
        await page.getByRole('button', { name: 'Enviar o link' }).click();
        await expect(page.getByRole('region', { name: 'Olhe o seu e-mail' })).toBeFocused();
      },
    },
    ...pagesOf(['/register?guardar=pratica']),
    ...pagesOf(
      ['/account', '/account/dados', '/minha-area', '/minhas-praticas', '/email-confirmado?erro=link'],
      'patient',
    ),
    {
      name: 'a kept practice',
      role: 'patient',
      async path(stage) {
        const [kept, gone] = demoLibrary.filter(({ axis }) => axis === 'mind').map(({ title }) => title);
        const { documents } = stage.users.patient.client;
        await documents.keepFavourite((await findPractice(stage, kept ?? '')).id);
        await documents.keepFavourite((await findPractice(stage, gone ?? '')).id);
        return practicePath(await findPractice(stage, kept ?? ''));
      },
    },
    ...pagesOf(['/practices', '/minha-area', '/minhas-praticas'], 'patient').map((state) => ({
      ...state,
      name: `${state.name} of a patient with favourites`,
    })),
    {
      name: 'favourites with a missing one',
      role: 'patient',
      async path(stage) {
        const { documents } = stage.users.patient.client;
        const [newest] = (await documents.getFavourites()).documents;
        const missing = await findPractice(stage, newest?.title ?? '');
        await stage.users.admin.client.documents.deleteActivity(missing);
        return '/minhas-praticas';
      },
      shows: /saiu da biblioteca/,
    },
    {
      name: 'account with errors',
      path: '/account',
      role: 'admin',
      async prepare({ page }) {
        await page.getByRole('button', { name: 'Trocar a senha' }).click();
        await page.getByText('O que vem no arquivo').click();
        await expect(page.getByText('Confira estes campos')).toBeVisible();
      },
    },
    {
      name: 'change of the e-mail with errors',
      path: '/account',
      role: 'patient',
      async prepare({ page }) {
        await page.getByRole('button', { name: 'Trocar o e-mail' }).click();
        await page.getByRole('button', { name: 'Enviar o link' }).click();
        await expect(page.getByRole('dialog').getByText('Confira estes campos')).toBeVisible();
      },
    },
    {
      name: 'proof for a passkey',
      path: '/account',
      role: 'patient',
      async prepare({ page }) {
        await page.getByRole('button', { name: 'Criar uma chave de acesso' }).click();
        await expect(page.getByRole('dialog', { name: 'Criar uma chave de acesso' })).toBeVisible();
      },
    },
    {
      name: 'second factor',
      path: '/account',
      role: 'admin',
      async prepare({ page, users }) {
        await page.getByRole('button', { name: 'Ligar' }).click();
        await page.getByLabel('Sua senha').fill(users.admin.password);
        await page.getByRole('button', { name: 'Continuar' }).click();
        await expect(page.getByRole('img', { name: /^Código QR/ })).toBeVisible();
      },
    },
    {
      name: 'question before the account is deleted',
      async prepare({ page }) {
        await page.getByRole('button', { name: 'Deletar minha conta' }).click();
        await page.getByRole('button', { name: 'Deletar para sempre' }).click();
        await expect(page.getByRole('dialog').getByText('Confira estes campos')).toBeVisible();
      },
    },
  ],
};

/** Each group has its own server, because its states depend on the data that the states before have left. */
export const groups: Group[] = [
  visitors,
  accounts,
  lists,
  forms,
  usersList,
  siteEditor,
  newsletter,
  clinicians,
  diary,
  shares,
  week,
  device,
];
