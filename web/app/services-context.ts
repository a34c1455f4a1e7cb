import { createContext as createReactContext, use } from 'react';
import { createContext as createRouterContext } from 'react-router';
import type { Identity } from '#contract/site-content.ts';
import type { Services } from './services.ts';

/** The services for loaders. main.tsx and render.tsx put them into the router's context. */
export const servicesContext = createRouterContext<Services>();

/** The services for components: `<ServicesProvider value={services}>` wraps the site. */
export const ServicesProvider = createReactContext<Services | undefined>(undefined);

/** Returns the services of the nearest `ServicesProvider`. */
export function useServices(): Services {
  const services = use(ServicesProvider);
  if (!services) throw new Error('useServices needs a ServicesProvider around it');
  return services;
}

/** Returns the clinic's identity: names, registration, contact. */
export const useIdentity = (): Identity => useServices().content.identity;
