import type { Client } from '#client/client.ts';
import type { SessionStore } from './session.ts';
import type { SiteContentStore } from './site-content.ts';

/** The services that routes and pages use. main.tsx creates them in the browser, render.tsx on the server. */
export type Services = { client: Client; session: SessionStore; content: SiteContentStore };
