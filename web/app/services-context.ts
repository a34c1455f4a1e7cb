import { createContext as createReactContext, use } from 'react';
import { createContext as createRouterContext, type LoaderFunctionArgs } from 'react-router';
import type { SectionName } from '#contract/site/content.ts';
import type { Services } from './services.ts';

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
