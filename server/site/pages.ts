import { issueIdIn, leavePath } from '#contract/newsletter.ts';
import { practiceIdIn } from '#contract/practices/path.ts';
import { reminderLeavePath } from '#contract/reminder.ts';
import { sectionNames } from '#contract/site/content.ts';
import { renderedPages } from '#contract/site/public-pages.ts';

/** A page of the site, and the URL paths at which the server sends it. */
export type SitePage = {
  /** For example `/about`, `/login/*` or `*`. The log and the usage records contain it. */
  pattern: string;
  status: 200 | 404;
  /** The path with which the renderer finds the page; `undefined` if only the browser renders it. */
  path?: string;
  /** The id of the practice that the page shows. The practice may not exist. */
  practiceId?: string;
  /** The id of the newsletter's issue that the page shows. The issue may not exist. */
  issueId?: string;
};

const rendered = (pattern: string): SitePage => ({ pattern, path: pattern, status: 200 });
const inBrowser = (pattern: string): SitePage => ({ pattern, status: 200 });

/** The first matching pattern wins. `*` at the end matches any rest of the path. */
export const pages: readonly SitePage[] = [
  ...renderedPages.map(rendered),
  ...[leavePath, reminderLeavePath].flatMap((path) => ['feito', 'invalido'].map(path).map(rendered)),
  // These pages are the same for every token. Their forms send a POST to their own URLs.
  { pattern: '/carta/sair/*', path: leavePath('-'), status: 200 },
  { pattern: '/lembrete/sair/*', path: reminderLeavePath('-'), status: 200 },
  ...['/carta/confirmar', '/carta/sair', '/logout', '/entrar-com-google', '/email-confirmado'].map(inBrowser),
  ...[
    '/nova-senha',
    '/convite',
    '/email-novo',
    '/email-de-volta',
    '/primeiro-acesso',
    '/account',
    '/account/dados',
    '/minha-area',
    '/minhas-praticas',
    '/diario',
    '/diario/novo',
    '/diario/copias',
    '/diario/compartilhar',
    '/diario/consulta',
    '/semana',
    '/semana/lembrete',
    '/aparelho',
    '/pro',
    '/participants',
  ].map(inBrowser),
  ...['/admin', '/admin/newact', '/admin/editact', '/admin/importar', '/admin/users', '/admin/carta'].map(
    inBrowser,
  ),
  inBrowser('/admin/carta/*'),
  ...['/admin/pacientes', '/admin/pacientes/*', '/admin/propor'].map(inBrowser),
  ...['/admin/mind', '/admin/move', '/admin/nutri', '/admin/values'].map(inBrowser),
  ...['/admin/site', '/admin/site/publicar', '/admin/site/historico'].map(inBrowser),
  ...sectionNames.map((section) => inBrowser(`/admin/site/${section}`)),
  { ...inBrowser('/admin/site/*'), status: 404 },
  { ...inBrowser('/login/*'), status: 404 },
  // This page is for expired links. The routes of preview.ts send the previews for valid links.
  { ...inBrowser('/previa/*'), status: 404 },
  { pattern: '*', path: '/404', status: 404 },
];

/** Returns the page at `pathname`. */
export function pageFor(pathname: string): SitePage {
  const practiceId = practiceIdIn(pathname);
  if (practiceId !== undefined)
    return { pattern: '/practices/:id', path: `/practices/${practiceId}`, status: 200, practiceId };
  const issueId = issueIdIn(pathname);
  if (issueId !== undefined) return { pattern: '/carta/:id', path: pathname, status: 200, issueId };
  const page = pages.find(({ pattern }) =>
    pattern.endsWith('*') ? pathname.startsWith(pattern.slice(0, -1)) : pathname === pattern,
  );
  if (!page) throw new Error('The last page must fit every path.');
  return page;
}
