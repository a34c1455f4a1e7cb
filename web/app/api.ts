import { createFindSession, createGetContent, createSignOut } from '#client/first-calls.ts';
import { createSend } from '#client/http.ts';
import { onceLoaded } from '#client/once-loaded.ts';
import type { PublicIssue } from '#contract/newsletter.ts';
import type { PracticeChoice } from '#contract/practices/choice.ts';
import type { NightPractice, PracticePage, PracticesPage } from '#contract/practices/page.ts';
import type { SignInMethods } from '#contract/user.ts';
import { fetchInTime } from './fetch-in-time.ts';
import { origins } from './origins.ts';

/**
 * Loads the client of the back end. Public pages and the session call this, because most visitors need no
 * client. Pages of accounts and of the admin area import client.ts.
 */
export const loadClient = onceLoaded('client', async () => (await import('./client.ts')).client);

const sendAuth = createSend(origins.auth, fetchInTime);

/* The calls that every visitor's browser can make. */
export const signOut = createSignOut(sendAuth);
export const getContent = createGetContent(createSend(origins.documents, fetchInTime));
export const findSession = createFindSession(sendAuth, async (body) =>
  (await loadClient()).auth.readSession(body),
);

/** What the loaders of public pages read. On the server, render.tsx has this data already. */
export type PageData = {
  signInMethods(signal: AbortSignal): Promise<SignInMethods>;
  practices(choice: PracticeChoice, signal: AbortSignal): Promise<PracticesPage>;
  nightPractices(signal: AbortSignal): Promise<NightPractice[]>;
  practicePage(id: string, signal: AbortSignal): Promise<PracticePage>;
  issue(id: string, signal: AbortSignal): Promise<PublicIssue>;
};

export const fetchedPageData: PageData = {
  signInMethods: async (signal) => (await loadClient()).auth.findMethods(signal),
  practices: async (choice, signal) => (await loadClient()).documents.getPractices(choice, signal),
  nightPractices: async (signal) => (await loadClient()).documents.getNightPractices(signal),
  practicePage: async (id, signal) => (await loadClient()).documents.getPracticePage(id, signal),
  issue: async (id, signal) => (await loadClient()).documents.getPublicIssue(id, signal),
};
