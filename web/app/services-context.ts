import { createContext as createReactContext, use } from 'react';
import { createContext as createRouterContext } from 'react-router';
import type { Services } from './services.ts';

/** The services as loaders reach them: main.tsx puts them into every navigation's context. */
export const servicesContext = createRouterContext<Services>();

/** The services as pages and parts reach them: `<ServicesProvider value={services}>` around the site. */
const ReactServicesContext = createReactContext<Services | undefined>(undefined);
export const ServicesProvider = ReactServicesContext;

export function useServices(): Services {
  const services = use(ReactServicesContext);
  if (!services) throw new Error('useServices needs a ServicesProvider around it');
  return services;
}
