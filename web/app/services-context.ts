import { createContext as createReactContext, use } from 'react';
import { createContext as createRouterContext } from 'react-router';
import type { Services } from './services.ts';

/** The services for loaders: main.tsx puts them into the context of every navigation. */
export const servicesContext = createRouterContext<Services>();

/** The services for components: `<ServicesProvider value={services}>` is around the site. */
const ReactServicesContext = createReactContext<Services | undefined>(undefined);
export const ServicesProvider = ReactServicesContext;

export function useServices(): Services {
  const services = use(ReactServicesContext);
  if (!services) throw new Error('useServices needs a ServicesProvider around it');
  return services;
}
