import type { RouteObject } from 'react-router';
import { mainAxes } from '#contract/axes.ts';
import type { Services } from '../services.ts';
import { requireAdmin, requireEditor } from './guards.ts';
import { page } from './page.ts';

/** Creates the routes of the admin area, for editors and admins. They are children of the route `root`. */
export function createAdminRoutes({ session }: Services): RouteObject[] {
  return [
    {
      ...page('', 'admin/admin-layout', () => import('../../pages/admin/admin-layout.tsx')),
      middleware: [requireEditor(session)],
      children: [
        page('/admin', 'admin/dashboard', () => import('../../pages/admin/dashboard.tsx')),
        page('/admin/newact', 'admin/new-activity', () => import('../../pages/admin/new-activity.tsx')),
        page('/admin/editact', 'admin/edit-activity', () => import('../../pages/admin/edit-activity.tsx')),
        page('/admin/importar', 'admin/import', () => import('../../pages/admin/import.tsx')),
        ...mainAxes.map((axis) =>
          page(`/admin/${axis}`, `admin/list-${axis}`, async () => {
            const { Component, loaderOf } = await import('../../pages/admin/list.tsx');
            return { Component, loader: loaderOf(axis) };
          }),
        ),
        page('/admin/site', 'admin/site', () => import('../../pages/admin/site.tsx')),
        page(
          '/admin/site/:section',
          'admin/site-section',
          () => import('../../pages/admin/site-section.tsx'),
        ),
        {
          id: 'admin/admins-only',
          middleware: [requireAdmin(session)],
          children: [
            page('/admin/users', 'admin/users', () => import('../../pages/admin/users.tsx')),
            page('/admin/carta', 'admin/issues', () => import('../../pages/admin/issues.tsx')),
            page('/admin/carta/:id', 'admin/issue', () => import('../../pages/admin/issue.tsx')),
            page('/admin/pacientes', 'admin/patients', () => import('../../pages/admin/patients.tsx')),
            page('/admin/pacientes/:uid', 'admin/patient', () => import('../../pages/admin/patient.tsx')),
            page('/admin/propor', 'admin/propose', () => import('../../pages/admin/propose.tsx')),
            page('/participants', 'admin/participants', () => import('../../pages/admin/users.tsx')),
            page(
              '/admin/site/publicar',
              'admin/site-publish',
              () => import('../../pages/admin/site-publish.tsx'),
            ),
            page(
              '/admin/site/historico',
              'admin/site-history',
              () => import('../../pages/admin/site-history.tsx'),
            ),
          ],
        },
      ],
    },
  ];
}
