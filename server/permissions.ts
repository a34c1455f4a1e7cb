import type { StoredMember } from '#contract/user.ts';

/** The roles that may call the routes for `editor`. */
export const editorRoles: readonly StoredMember[] = ['editor', 'admin'];

export const isEditor = (member: StoredMember | undefined): boolean =>
  member !== undefined && editorRoles.includes(member);

/**
 * The permission to call a route. With `everyone-known`, everyone may call the route, and the route gets the
 * caller's session if there is one. `editor` allows editors and admins. `clinician` allows admins and gives
 * other users 404; the route itself requires a clinician in a strong session. `self` allows the user whose id
 * is the route's `:uid`; `self-or-admin` also allows admins. `bearer` requires a bearer token of the file
 * service and an app-check token; the permissions of the file's path then apply
 * (storage/files/permissions.ts). `operator` requires METRICS_TOKEN.
 */
export type Permission =
  | 'everyone'
  | 'everyone-known'
  | 'signed-in'
  | 'editor'
  | 'admin'
  | 'clinician'
  | 'self'
  | 'self-or-admin'
  | 'bearer'
  | 'operator';

/**
 * The permissions of every route. The server does not start if a route has no row here. A HEAD route without
 * a row has the permission of its GET route.
 */
export const permissions: Record<string, Permission> = {
  'GET /healthz': 'everyone',
  'GET /readyz': 'everyone',
  'GET /metrics': 'operator',

  'POST /api/auth/sign-up/email': 'everyone',
  'POST /api/auth/sign-in/email': 'everyone',
  'POST /api/auth/sign-out': 'everyone',
  'GET /api/auth/get-session': 'everyone',
  'POST /api/auth/request-password-reset': 'everyone',
  'POST /api/auth/reset-password': 'everyone',
  'GET /api/auth/verify-email': 'everyone',
  'POST /api/auth/verify-email': 'everyone',
  'POST /api/auth/verify-email/link': 'everyone',
  'POST /api/auth/send-verification-email': 'signed-in',
  'POST /api/auth/first-admin': 'signed-in',
  'GET /api/auth/invitations': 'admin',
  'POST /api/auth/invitations': 'admin',
  'DELETE /api/auth/invitations/:id': 'admin',
  'POST /api/auth/invitations/link': 'everyone',
  'POST /api/auth/invitations/accept': 'everyone',
  'GET /api/auth/sessions': 'signed-in',
  'DELETE /api/auth/sessions/:id': 'signed-in',
  'POST /api/auth/sessions/end-others': 'signed-in',
  'POST /api/auth/change-password': 'signed-in',
  'POST /api/auth/delete-account': 'signed-in',
  'POST /api/auth/email-change': 'signed-in',
  'DELETE /api/auth/email-change': 'signed-in',
  'POST /api/auth/email-change/confirm': 'signed-in',
  'POST /api/auth/email-change/take-back': 'everyone',
  'GET /api/auth/passkeys/challenge': 'everyone-known',
  'POST /api/auth/passkeys/sign-in': 'everyone-known',
  'POST /api/auth/passkeys/begin': 'signed-in',
  'POST /api/auth/passkeys': 'signed-in',
  'PATCH /api/auth/passkeys/:id': 'signed-in',
  'POST /api/auth/passkeys/:id/delete': 'signed-in',
  'POST /api/auth/second-factor/enable': 'signed-in',
  'POST /api/auth/second-factor/confirm': 'signed-in',
  'POST /api/auth/second-factor/disable': 'signed-in',
  'POST /api/auth/second-factor/verify': 'everyone',
  'GET /api/auth/methods': 'everyone',
  'GET /api/auth/google': 'everyone',
  'GET /api/auth/callback/google': 'everyone',
  'GET /api/auth/app-check/challenge': 'everyone',
  'POST /api/auth/app-check': 'everyone',
  'GET /api/auth/token': 'signed-in',

  'GET /api/documents/users': 'admin',
  'GET /api/documents/users.csv': 'admin',
  'GET /api/documents/users/:uid': 'self-or-admin',
  'PATCH /api/documents/users/:uid': 'self-or-admin',
  'GET /api/documents/account-export': 'signed-in',
  'GET /api/documents/wordMood/:uid': 'self',
  'GET /api/documents/activities/:list': 'everyone',
  'GET /api/documents/activities/:list/summaries': 'editor',
  'GET /api/documents/activities/:list/deleted': 'editor',
  'PUT /api/documents/activities/:list': 'editor',
  'PUT /api/documents/activities/:list/order': 'editor',
  'GET /api/documents/activities/:list/items': 'editor',
  'POST /api/documents/activities/:list/items': 'editor',
  'GET /api/documents/activities/:list/items/:id': 'everyone-known',
  'PUT /api/documents/activities/:list/items/:id': 'editor',
  'DELETE /api/documents/activities/:list/items/:id': 'editor',
  'POST /api/documents/activities/:list/items/:id/restore': 'editor',
  'GET /api/documents/practices': 'everyone',
  'GET /api/documents/practice-pages/:id': 'everyone',
  'GET /api/documents/favourites': 'signed-in',
  'PUT /api/documents/favourites/:id': 'signed-in',
  'DELETE /api/documents/favourites/:id': 'signed-in',
  'GET /api/documents/diary': 'signed-in',
  'DELETE /api/documents/diary': 'signed-in',
  'PUT /api/documents/diary/pause': 'signed-in',
  'GET /api/documents/diary/days': 'signed-in',
  'GET /api/documents/diary/chart': 'signed-in',
  'GET /api/documents/diary/consent': 'signed-in',
  'POST /api/documents/diary/consent': 'signed-in',
  'GET /api/documents/diary/entries': 'signed-in',
  'GET /api/documents/diary/entries/:id': 'signed-in',
  'PUT /api/documents/diary/entries/:id': 'signed-in',
  'DELETE /api/documents/diary/entries/:id': 'signed-in',
  'GET /api/documents/diary.csv': 'signed-in',
  'GET /api/documents/diary.json': 'signed-in',
  'POST /api/documents/diary/import': 'signed-in',
  'GET /api/documents/clinicians': 'signed-in',
  'PUT /api/documents/clinicians/:uid': 'admin',
  'DELETE /api/documents/clinicians/:uid': 'admin',
  'GET /api/documents/shared-diaries': 'clinician',
  'GET /api/documents/shared-diaries/:uid': 'clinician',
  'GET /api/documents/shared-diaries/:uid/entries': 'clinician',
  'GET /api/documents/shared-diaries/:uid/note': 'clinician',
  'GET /api/documents/diary/shares': 'signed-in',
  'POST /api/documents/diary/shares': 'signed-in',
  'POST /api/documents/diary/shares/:id/revoke': 'signed-in',
  'GET /api/documents/diary/reads': 'signed-in',
  'GET /api/documents/diary/notes': 'signed-in',
  'PUT /api/documents/diary/notes/:id': 'signed-in',
  'POST /api/documents/diary/notes/:id/show': 'signed-in',
  'POST /api/documents/diary/notes/:id/close': 'signed-in',
  'DELETE /api/documents/diary/notes/:id': 'signed-in',
  'GET /api/documents/week': 'signed-in',
  'PUT /api/documents/week/:id/days/:day': 'signed-in',
  'PUT /api/documents/week/:id/weeks/:monday': 'signed-in',
  'GET /api/documents/patients/:uid/assignments': 'clinician',
  'POST /api/documents/patients/:uid/assignments': 'clinician',
  'POST /api/documents/patients/:uid/assignments/:id/withdraw': 'clinician',
  'GET /api/documents/reminder': 'signed-in',
  'PUT /api/documents/reminder': 'signed-in',
  'POST /api/documents/reminder/test': 'signed-in',
  'GET /api/documents/night-practices': 'everyone',
  'GET /api/documents/latest-activities': 'editor',
  'GET /api/documents/counts': 'editor',
  'GET /api/documents/operation': 'admin',
  'POST /api/documents/newsletter': 'everyone',
  'POST /api/documents/newsletter/confirm': 'everyone',
  'POST /api/documents/newsletter/leave': 'everyone',
  'GET /api/documents/newsletter.csv': 'admin',
  'GET /api/documents/newsletter/issues': 'admin',
  'POST /api/documents/newsletter/issues': 'admin',
  'GET /api/documents/newsletter/issues/:id': 'admin',
  'PUT /api/documents/newsletter/issues/:id': 'admin',
  'DELETE /api/documents/newsletter/issues/:id': 'admin',
  'GET /api/documents/newsletter/issues/:id/mail': 'admin',
  'POST /api/documents/newsletter/issues/:id/test': 'admin',
  'POST /api/documents/newsletter/issues/:id/send': 'admin',
  'POST /api/documents/newsletter/issues/:id/pause': 'admin',
  'POST /api/documents/newsletter/issues/:id/resume': 'admin',
  'GET /api/documents/newsletter/public-issues/:id': 'everyone',
  'POST /carta/sair/:token': 'everyone',
  'POST /lembrete/sair/:token': 'everyone',
  'POST /api/documents/practice-events': 'everyone',
  'GET /api/documents/practice-totals': 'editor',

  'POST /api/storage/objects': 'bearer',
  'DELETE /api/storage/objects': 'bearer',
  'GET /api/storage/metadata': 'bearer',
  'GET /api/storage/download-url': 'bearer',
  'POST /api/storage/resumable': 'bearer',
  'HEAD /api/storage/resumable/:uploadId': 'bearer',
  'PATCH /api/storage/resumable/:uploadId': 'bearer',
  'DELETE /api/storage/resumable/:uploadId': 'bearer',
  'GET /files/*': 'everyone',

  'GET /api/site/content': 'everyone',
  'GET /api/site/draft': 'editor',
  'PUT /api/site/draft/:section': 'editor',
  'DELETE /api/site/draft/:section': 'editor',
  'POST /api/site/preview': 'editor',
  'POST /api/site/publish': 'admin',
  'GET /api/site/versions': 'admin',
  'GET /api/site/versions/:version': 'admin',
  'DELETE /api/site/versions/:version': 'admin',
  'POST /api/site/versions/:version/restore': 'admin',

  'GET /robots.txt': 'everyone',
  'GET /sitemap.xml': 'everyone',
  'GET /site.webmanifest': 'everyone',
  'GET /sw.js': 'everyone',
  'GET /previa/*': 'everyone',
  'GET /share/:version.png': 'everyone',
  'GET /share/practices/:id.png': 'everyone',
  'GET /*': 'everyone',
};

/**
 * Routes that accept changes without the Origin of this site. The token in the path is the permission, and
 * mail programs send the request without an Origin (RFC 8058).
 */
export const fromAnyOrigin: ReadonlySet<string> = new Set([
  'POST /carta/sair/:token',
  'POST /lembrete/sair/:token',
]);

/** Routes that also require an app-check token, because bots would misuse them. */
export const appChecked: ReadonlySet<string> = new Set([
  'POST /api/auth/sign-up/email',
  'POST /api/auth/request-password-reset',
  'POST /api/documents/newsletter',
]);
