import type { Activity } from './activity.ts';

/**
 * What the build of the site hands to the server, so that neither imports the other:
 * `dist/pages.json` (SiteManifest) and `dist/render.js` (a SiteRenderer).
 */
export type SiteManifest = {
  /** In order; the first pattern that fits answers. `*` at the end stands for any rest of the path. */
  pages: SitePage[];
};

export type SitePage = {
  /** `/about`, `/login/*`, `*` */
  pattern: string;
  status: 200 | 404;
} & (
  | { /** A finished page in `dist/site`, and its pre-compressed neighbour. */ file: string }
  | { /** Rendered by the server whenever the mind list changes. */ render: 'practices' }
);

export type SiteRenderer = {
  /** The whole HTML of /practices with these activities in it. */
  renderPractices(activities: Activity[]): Promise<string>;
};
