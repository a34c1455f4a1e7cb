import { createContext as createReactContext, use, useState, useSyncExternalStore } from 'react';
import { createContext as createRouterContext, type LoaderFunctionArgs } from 'react-router';
import type { SectionName } from '#contract/site/content.ts';
import type { PageData } from './api.ts';
import { chosenUid, followChoice } from './device-memory.ts';
import type { SessionSnapshot, SessionStore, SignedIn } from './session.ts';
import type { SiteContentStore } from './site-content.ts';

/** The services for loaders. main.tsx and render.tsx put them into the router's context. */
export const servicesContext = createRouterContext<Services>();

/** Provides the services to components: `<ServicesProvider value={services}>` wraps the site. */
export const ServicesProvider = createReactContext<Services | undefined>(undefined);

/** Returns the services of the nearest `ServicesProvider`. */
export function useServices(): Services {
  const services = use(ServicesProvider);
  if (!services) throw new Error('useServices needs a ServicesProvider around it');
  return services;
}

/** Returns a section of the site's content. The loader of the page must have loaded it. */
export const useContent = <Name extends SectionName>(section: Name) => useServices().content.get(section);

/** Creates the loader of a page that shows these sections of the site's content. */
export function contentLoader(...sections: SectionName[]) {
  return async ({ context }: LoaderFunctionArgs) => {
    await context.get(servicesContext).content.load(...sections);
    return null;
  };
}

/** The services that routes and pages use. main.tsx creates them in the browser, render.tsx on the server. */
export type Services = { pageData: PageData; session: SessionStore; content: SiteContentStore };

/** Returns the current session and rerenders when it changes. */
export function useSession(): SessionSnapshot {
  const { session } = useServices();
  return useSyncExternalStore(session.subscribe, session.getSnapshot, session.getSnapshot);
}

/** Returns the uid of the user who has chosen this device; undefined while a rendered page is hydrated. */
export const useChosenUid = () => useSyncExternalStore(followChoice, chosenUid, () => undefined);

/** Returns the last signed-in state, so that forms stay visible while the session loads or when it ends. */
export function useLastSignedIn(): SignedIn | undefined {
  const present = useSession();
  const [last, setLast] = useState<SignedIn>();
  if (present.status !== 'signed-in') return last;
  if (present !== last) setLast(present);
  return present;
}
