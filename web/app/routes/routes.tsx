import type { PatchRoutesOnNavigationFunction, RouteObject } from 'react-router';
import { loadChunk } from '#client/load-chunk.ts';
import { Loading } from '#web/components/layout/messages.tsx';
import { SiteLayout } from '../../components/layout/site-layout.tsx';
import * as logout from '../../pages/account/logout.tsx';
import * as home from '../../pages/public/home.tsx';
import { Root, RootError } from '../root.tsx';
import type { Services } from '../services.ts';
import { requireMember, requireSignedIn, requireSignedOut } from './guards.ts';
import { page } from './page.ts';

/**
 * Creates the routes of the site. Each page is a file in pages/. Most of these files load when first needed.
 */
export function createRoutes({ session }: Services): RouteObject[] {
  return [
    {
      id: 'root',
      Component: Root,
      ErrorBoundary: RootError,
      HydrateFallback: Loading,
      children: [
        {
          id: 'site-layout',
          Component: SiteLayout,
          children: [
            // Not lazy: its first screen is in the file that every page needs.
            { id: 'home', path: '/', ...home },
            page('/practices', 'public/practices', () => import('../../pages/public/practices.tsx')),
            page(
              '/practices/:id/:words?',
              'public/practice',
              () => import('../../pages/public/practice.tsx'),
            ),
            page('/about', 'public/about', () => import('../../pages/public/about.tsx')),
            page('/carta/confirmar', 'public/newsletter-confirm', async () => {
              const { Confirmation } = await import('../../pages/public/newsletter-links.tsx');
              return { Component: Confirmation };
            }),
            page('/carta/sair/:token?', 'public/newsletter-leave', async () => {
              const { Leaving } = await import('../../pages/public/newsletter-links.tsx');
              return { Component: Leaving };
            }),
            page('/lembrete/sair/:token', 'public/reminder-leave', async () => {
              const { ReminderLeaving } = await import('../../pages/public/newsletter-links.tsx');
              return { Component: ReminderLeaving };
            }),
            page('/carta/:id', 'public/issue-page', () => import('../../pages/public/issue-page.tsx')),
            page('/privacidade', 'public/privacy', () => import('../../pages/public/privacy.tsx')),
            {
              id: 'member',
              middleware: [requireMember(session)],
              children: [page('/pro', 'member/pro', () => import('../../pages/member/pro.tsx'))],
            },
            {
              id: 'signed-in',
              middleware: [requireSignedIn(session)],
              children: [
                page('/minha-area', 'account/area', () => import('../../pages/account/area.tsx')),
                page('/account', 'account/account', () => import('../../pages/account/account.tsx')),
                page('/account/dados', 'account/data', () => import('../../pages/account/data.tsx')),
                page('/semana', 'patient/week', () => import('../../pages/patient/week.tsx')),
                page('/diario', 'patient/diary', () => import('../../pages/patient/diary.tsx')),
                page(
                  '/diario/novo',
                  'patient/diary-entry',
                  () => import('../../pages/patient/diary-entry.tsx'),
                ),
                page(
                  '/diario/copias',
                  'patient/diary-copies',
                  () => import('../../pages/patient/diary-copies.tsx'),
                ),
                page(
                  '/minhas-praticas',
                  'account/favourites',
                  () => import('../../pages/account/favourites.tsx'),
                ),
                page(
                  '/diario/compartilhar',
                  'patient/diary-share',
                  () => import('../../pages/patient/diary-share.tsx'),
                ),
                page(
                  '/semana/lembrete',
                  'patient/reminder',
                  () => import('../../pages/patient/reminder.tsx'),
                ),
                page(
                  '/diario/consulta',
                  'patient/consultation',
                  () => import('../../pages/patient/consultation.tsx'),
                ),
              ],
            },
            page('/aparelho', 'patient/device', () => import('../../pages/patient/device.tsx')),
            page('/previa/*', 'public/preview-over', async () => {
              const { PreviewOver } = await import('../../pages/public/components/message-pages.tsx');
              return { Component: PreviewOver };
            }),
            page('*', 'public/not-found', async () => {
              const { PageNotFound } = await import('../../pages/public/components/message-pages.tsx');
              return { Component: PageNotFound };
            }),
          ],
        },
        {
          ...page('', 'account/account-layout', () => import('../../pages/account/account-layout.tsx')),
          children: [
            {
              id: 'login',
              path: '/login',
              middleware: [requireSignedOut(session)],
              children: [
                page('', 'account/login', () => import('../../pages/account/login.tsx')),
                page('recover', 'account/recover', () => import('../../pages/account/recover.tsx')),
                page('*', 'account/login-not-found', async () => {
                  const { LoginNotFound } = await import('../../pages/account/login.tsx');
                  return { Component: LoginNotFound };
                }),
              ],
            },
            page('/register', 'account/register', () => import('../../pages/account/register.tsx')),
            page(
              '/entrar-com-google',
              'account/google-landing',
              () => import('../../pages/account/google-landing.tsx'),
            ),
            page(
              '/email-confirmado',
              'account/email-confirmed',
              () => import('../../pages/account/email-confirmed.tsx'),
            ),
            page('/email-novo', 'account/email-new', async () => {
              const { NewEmail } = await import('../../pages/account/email-change-links.tsx');
              return { Component: NewEmail };
            }),
            page('/email-de-volta', 'account/email-back', async () => {
              const { EmailBack } = await import('../../pages/account/email-change-links.tsx');
              return { Component: EmailBack };
            }),
            page('/convite', 'account/invitation', () => import('../../pages/account/invitation.tsx')),
            page('/nova-senha', 'account/new-password', () => import('../../pages/account/new-password.tsx')),
            page(
              '/primeiro-acesso',
              'account/first-admin',
              () => import('../../pages/account/first-admin.tsx'),
            ),
          ],
        },
        // This route is not lazy, so that users can sign out without a connection.
        { id: 'account/logout', path: '/logout', ...logout },
      ],
    },
  ];
}

/** Matches the paths of the admin area, with or without the prefix of a preview. */
const adminPaths = /^(?:\/previa\/[^/]+)?\/(?:admin|participants)(?:\/|$)/;

/** Adds the admin area's routes when a user first opens one of them, so that visitors do not load them. */
export function addAdminRoutes(services: Services): PatchRoutesOnNavigationFunction {
  return async ({ path, patch }) => {
    if (!adminPaths.test(path)) return;
    const { createAdminRoutes } = await loadChunk('admin-routes', () => import('./admin-routes.tsx'));
    patch('root', createAdminRoutes(services));
  };
}
