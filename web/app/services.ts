import type { Client } from '#client/client.ts';
import type { SessionStore } from './session.ts';

/** What routes and pages work with. Made once in main.tsx; the renderer of public pages brings its own. */
export type Services = { client: Client; session: SessionStore };
