/**
 * Who may call a route. `self-or-admin` compares the route's `:uid` with the person signed in. `bearer` asks for a
 * bearer of the file service and an app-check token; the path of the file then decides (storage/files/permissions.ts).
 * `operator` is whoever has METRICS_TOKEN.
 */
export type Permission =
  | 'everyone'
  | 'signed-in'
  | 'member'
  | 'admin'
  | 'self-or-admin'
  | 'bearer'
  | 'operator';

/**
 * Every route of the server and who may call it. A route without a row here stops the start;
 * HEAD follows GET where it has no row of its own.
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
  'POST /api/auth/send-verification-email': 'signed-in',
  'POST /api/auth/first-admin': 'signed-in',
  'GET /api/auth/sessions': 'signed-in',
  'POST /api/auth/sessions/end-others': 'signed-in',
  'POST /api/auth/change-password': 'signed-in',
  'POST /api/auth/delete-account': 'signed-in',
  'POST /api/auth/second-factor/enable': 'admin',
  'POST /api/auth/second-factor/confirm': 'admin',
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
  'GET /api/documents/wordMood/:uid': 'self-or-admin',
  'GET /api/documents/activities/:list': 'everyone',
  'GET /api/documents/activities/:list/summaries': 'admin',
  'PUT /api/documents/activities/:list': 'admin',
  'GET /api/documents/activities/:list/items': 'admin',
  'POST /api/documents/activities/:list/items': 'admin',
  'GET /api/documents/activities/:list/items/:id': 'everyone',
  'PUT /api/documents/activities/:list/items/:id': 'admin',
  'DELETE /api/documents/activities/:list/items/:id': 'admin',
  'POST /api/documents/activities/:list/items/:id/restore': 'admin',
  'GET /api/documents/latest-activities': 'admin',
  'GET /api/documents/counts': 'admin',
  'POST /api/documents/newsletter': 'everyone',
  'POST /api/documents/newsletter/confirm': 'everyone',
  'POST /api/documents/newsletter/leave': 'everyone',
  'GET /api/documents/newsletter.csv': 'admin',

  'POST /api/storage/objects': 'bearer',
  'DELETE /api/storage/objects': 'bearer',
  'GET /api/storage/metadata': 'bearer',
  'GET /api/storage/download-url': 'bearer',
  'POST /api/storage/resumable': 'bearer',
  'HEAD /api/storage/resumable/:uploadId': 'bearer',
  'PATCH /api/storage/resumable/:uploadId': 'bearer',
  'DELETE /api/storage/resumable/:uploadId': 'bearer',
  'GET /files/*': 'everyone',

  'GET /practices': 'everyone',
  'GET /robots.txt': 'everyone',
  'GET /sitemap.xml': 'everyone',
  'GET /*': 'everyone',
};

/** Routes that ask for an app-check token as well: what a robot would like to call a thousand times. */
export const appChecked: ReadonlySet<string> = new Set([
  'POST /api/auth/sign-up/email',
  'POST /api/auth/request-password-reset',
  'POST /api/documents/newsletter',
]);
