/** Finds the entry, pages and named components that import this module statically, directly or indirectly. */
function dependentsOf(id: string, modules: Modules, seen = new Set<string>()): Set<string> {
  if (seen.has(id)) return new Set();
  seen.add(id);
  const name =
    /\/web\/(?:app\/)?(main|pages\/\w+\/[a-z-]+|pages\/public\/home\/below-the-fold|components\/layout\/(?:user-menu|session-timer|session-end))\.tsx$/.exec(
      id.replaceAll('\\', '/'),
    )?.[1];
  if (name) return new Set([name]);
  const importers = modules.getModuleInfo(id)?.importers ?? [];
  return new Set(importers.flatMap((importer) => [...dependentsOf(importer, modules, seen)]));
}

const belowTheFold = 'pages/public/home/below-the-fold';
const practices = 'pages/public/practices';
const login = 'pages/account/login';
const accountLayout = 'pages/account/account-layout';
/** The pages of accounts and of the newsletter. Those that are not in `signedIn` work without a session. */
const withForms = /^pages\/(account|public\/newsletter-)/;
/**
 * Small pages without a file of their own: each file takes one more request, and the entry contains its name.
 */
const smallPages: Record<string, 'forms' | 'shared'> = {
  'pages/account/account-layout': 'forms',
  'pages/account/login': 'forms',
  'pages/account/login-missing': 'forms',
  'pages/account/recover': 'forms',
  'pages/account/register': 'forms',
  'pages/account/google-landing': 'forms',
  'pages/account/new-password': 'forms',
  'pages/public/newsletter-confirm': 'forms',
  'pages/public/newsletter-leave': 'forms',
  'pages/public/not-found': 'shared',
  'pages/public/preview-over': 'shared',
};
/** Pages for signed-in users, and the components of the layout that only they see. */
const signedIn = /^(components\/layout|pages\/(admin|member)|pages\/account\/(account|favourites)$)/;

/** Chunk groups, highest priority first. A group also takes all imports of its modules. */
const files = [
  ...(['site', 'shared', 'home', 'practices', 'forms'] as const),
  ...(['client', 'session', 'signed-in', 'admin', 'editor'] as const),
];

/**
 * Chooses the chunk of a module by the pages that need the module. `site` has the entry and the first
 * screen of the home page, because most visitors open that page. `shared` has the other modules that
 * several public pages need. `forms` has what account and newsletter pages without a session share. Both also
 * have the small pages. Pages for signed-in users also load `client`, the client of the services, and
 * `session`, the layout's components that show the session. `signed-in` has the other modules that several of
 * these pages need; if only admin pages need a module, it is in `admin`. `editor` has the pages of the site's
 * editor.
 * @returns null for modules whose chunk the bundler chooses
 */
function fileFor(id: string, dependents: Set<string>): (typeof files)[number] | null {
  const has = (page: string) => dependents.has(page);
  const publicPages = [...dependents].filter((name) => /^pages\/public\/(?!newsletter-)/.test(name));
  if (has('main') || has('pages/public/home')) return 'site';
  const shared =
    publicPages.length > 1 ||
    (has(belowTheFold) && dependents.size > 1) ||
    // Other pages and the client library need these small modules, too, but not the rest of the page's file,
    // and the page does not need the rest of theirs, such as Zod.
    (publicPages.length === 1 && dependents.size > 1 && /\/(contract\/|components\/[a-z-]+\.ts$)/.test(id));
  // These styles are in one file, because they are small and each further request would delay the fonts.
  if (id.endsWith('.css') && (shared || has(belowTheFold) || has(login) || has(accountLayout))) return 'site';
  if (shared) return 'shared';
  if (has(belowTheFold)) return 'home';
  if (has(practices)) return 'practices';
  // The four pages of the site's editor share one file, because the entry contains the name of each file.
  if (dependents.size > 0 && [...dependents].every((name) => name.startsWith('pages/admin/site')))
    return 'editor';
  const [first = ''] = dependents;
  if (dependents.size === 1 && smallPages[first]) return smallPages[first];
  // The router loads every other page as a chunk of its own.
  if (/\/pages\/\w+\/[a-z-]+\.tsx$/.test(id)) return null;
  // Pages that work without a session must not load code that only signed-in users need.
  const outside = [...dependents].filter((name) => !signedIn.test(name));
  if (has(login) || (dependents.size > 1 && outside.some((name) => withForms.test(name)))) return 'forms';
  if (outside.length > 0) return null;
  if (/\/(contract|client)\/(?!.*(storage|upload|challenge|site[-/]))/.test(id)) return 'client';
  if ([...dependents].some((name) => name.startsWith('components/layout/'))) return 'session';
  if (dependents.size < 2) return null;
  return [...dependents].every((name) => name.startsWith('pages/admin/')) ? 'admin' : 'signed-in';
}

type Modules = { getModuleInfo(id: string): { importers: readonly string[] } | null };

/** Groups modules into files. By default, each shared module would become a file. */
export const siteFiles = files.map((file, place) => ({
  debugName: file,
  priority: files.length - place,
  name: (id: string, modules: Modules) => (fileFor(id, dependentsOf(id, modules)) === file ? file : null),
}));

/** The pages that this file names. */
export const namedPages = [belowTheFold, practices, login, accountLayout, ...Object.keys(smallPages)];
