import type { ComponentType } from 'react';
import type { ActionFunction, LoaderFunction, RouteObject } from 'react-router';
import { loadChunk } from '#client/load-chunk.ts';
import { mainAxes } from '#contract/axes.ts';
import { Loading } from '../components/layout/loading.tsx';
import { SiteLayout } from '../components/layout/site-layout.tsx';
import * as logout from '../pages/account/logout.tsx';
import { requireAdmin, requireMember, requireSignedIn, requireSignedOut } from './guards.ts';
import { Root } from './root.tsx';
import { RootError } from './root-error.tsx';
import type { Services } from './services.ts';

/**
 * Creates the routes of the site. Each page is a file in pages/; most of them load when first needed.
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
            page('/', 'public/home', () => import('../pages/public/home.tsx')),
            page('/practices', 'public/practices', () => import('../pages/public/practices.tsx')),
            page('/about', 'public/about', () => import('../pages/public/about.tsx')),
            page(
              '/carta/confirmar',
              'public/newsletter-confirm',
              () => import('../pages/public/newsletter-confirm.tsx'),
            ),
            page(
              '/carta/sair',
              'public/newsletter-leave',
              () => import('../pages/public/newsletter-leave.tsx'),
            ),
            page('/privacidade', 'public/privacy', () => import('../pages/public/privacy.tsx')),
            {
              id: 'member',
              middleware: [requireMember(session)],
              children: [page('/pro', 'member/pro', () => import('../pages/member/pro.tsx'))],
            },
            {
              id: 'signed-in',
              middleware: [requireSignedIn(session)],
              children: [page('/account', 'account/account', () => import('../pages/account/account.tsx'))],
            },
            page('/previa/*', 'public/preview-over', () => import('../pages/public/preview-over.tsx')),
            page('*', 'public/not-found', () => import('../pages/public/not-found.tsx')),
          ],
        },
        {
          ...page('', 'account/account-layout', () => import('../pages/account/account-layout.tsx')),
          children: [
            {
              id: 'login',
              path: '/login',
              middleware: [requireSignedOut(session)],
              children: [
                page('', 'account/login', () => import('../pages/account/login.tsx')),
                page('recover', 'account/recover', () => import('../pages/account/recover.tsx')),
                page('*', 'account/login-missing', () => import('../pages/account/login-missing.tsx')),
              ],
            },
            page('/register', 'account/register', () => import('../pages/account/register.tsx')),
            page(
              '/entrar-com-google',
              'account/google-landing',
              () => import('../pages/account/google-landing.tsx'),
            ),
            page(
              '/email-confirmado',
              'account/email-confirmed',
              () => import('../pages/account/email-confirmed.tsx'),
            ),
            page('/nova-senha', 'account/new-password', () => import('../pages/account/new-password.tsx')),
            page('/primeiro-acesso', 'account/first-admin', () => import('../pages/account/first-admin.tsx')),
          ],
        },
        // Not lazy, so that users can sign out without a connection.
        { id: 'account/logout', path: '/logout', ...logout },
        {
          ...page('', 'admin/admin-layout', () => import('../pages/admin/admin-layout.tsx')),
          middleware: [requireAdmin(session)],
          children: [
            page('/admin', 'admin/dashboard', () => import('../pages/admin/dashboard.tsx')),
            page('/admin/newact', 'admin/new-activity', () => import('../pages/admin/new-activity.tsx')),
            page('/admin/editact', 'admin/edit-activity', () => import('../pages/admin/edit-activity.tsx')),
            ...mainAxes.map((axis) =>
              page(`/admin/${axis}`, `admin/list-${axis}`, async () => {
                const { Component, loaderOf } = await import('../pages/admin/list.tsx');
                return { Component, loader: loaderOf(axis) };
              }),
            ),
            page('/admin/users', 'admin/users', () => import('../pages/admin/users.tsx')),
            page('/admin/site', 'admin/site', () => import('../pages/admin/site.tsx')),
            page(
              '/admin/site/publicar',
              'admin/site-publish',
              () => import('../pages/admin/site-publish.tsx'),
            ),
            page(
              '/admin/site/historico',
              'admin/site-history',
              () => import('../pages/admin/site-history.tsx'),
            ),
            page(
              '/admin/site/:section',
              'admin/site-section',
              () => import('../pages/admin/site-section.tsx'),
            ),
            page('/participants', 'admin/participants', () => import('../pages/admin/participants.tsx')),
          ],
        },
      ],
    },
  ];
}

/** The exports of a file in pages/. */
type PageModule = { Component: ComponentType; loader?: LoaderFunction; action?: ActionFunction };

/** Creates a lazy route. The build finds a prerendered page's styles by `id`, the name of its file. */
function page(path: string, id: string, load: () => Promise<PageModule>) {
  return { id, path, lazy: () => loadChunk(id, load) } satisfies RouteObject;
}
