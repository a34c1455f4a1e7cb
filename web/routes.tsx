import type { ComponentType } from 'react';
import type { ActionFunction, LoaderFunction, RouteObject } from 'react-router';
import { loadChunk } from './load-chunk.ts';
import { Frame } from './parts/frame.tsx';
import { Loading } from './parts/loading.tsx';
import { Root } from './parts/root.tsx';
import { RootError } from './parts/root-error.tsx';
import type { Services } from './services.ts';

/** Every address of the site. A page is a file in pages/, named by its id, loaded when first needed. */
export function createRoutes(_services: Services): RouteObject[] {
  return [
    {
      id: 'root',
      Component: Root,
      ErrorBoundary: RootError,
      HydrateFallback: Loading,
      children: [
        {
          id: 'frame',
          Component: Frame,
          children: [
            page('/', 'public/home', () => import('./pages/public/home.tsx')),
            page('/practices', 'public/practices', () => import('./pages/public/practices.tsx')),
            page('/about', 'public/about', () => import('./pages/public/about.tsx')),
            page('/privacidade', 'public/privacy', () => import('./pages/public/privacy.tsx')),
            page('*', 'public/not-found', () => import('./pages/public/not-found.tsx')),
          ],
        },
      ],
    },
  ];
}

/** What a file in pages/ exports. */
type PageModule = { Component: ComponentType; loader?: LoaderFunction; action?: ActionFunction };

/** A route whose code is the chunk named like its id: the build finds the page's styles by that name. */
function page(path: string, id: string, load: () => Promise<PageModule>): RouteObject {
  return { id, path, lazy: () => loadChunk(id, load) };
}
