import type { Activity } from './activity.ts';
import type { MainAxis } from './axes.ts';

/**
 * Placeholder in built pages for the site's scheme and host (`https://clinica.com.br`). Only the server knows
 * them.
 */
export const originPlaceholder = 'https://origin.invalid';

/**
 * What the build of the site writes for the server, so that neither imports the other:
 * `dist/pages.json` (SiteManifest) and `dist/render.js` (a SiteRenderer).
 */
export type SiteManifest = {
  /** The first matching pattern wins. `*` at the end matches any rest of the path. */
  pages: SitePage[];
  /** The hash of the pages' inline script, as a source of the content security policy: `sha256-…`. */
  startScriptHash: string;
};

export type SitePage = {
  /** `/about`, `/login/*`, `*` */
  pattern: string;
  status: 200 | 404;
  /** Whether the page is in the sitemap, so that search engines find it. */
  indexed?: true;
} & (
  | {
      /** A prerendered page in `dist/site`. */
      file: string;
      /** The same page for a site that offers sign-in with Google. */
      fileWithGoogle?: string;
    }
  | { /** The server renders the page again after its list has changed. */ render: 'practices' }
);

export type SiteRenderer = {
  /** Renders the HTML document of /practices with the activities of `axis`. */
  renderPractices(axis: MainAxis, activities: Activity[]): Promise<string>;
};

/** Data that the content of a prerendered page depends on. */
export type PageFacts = { activities?: Activity[]; google?: boolean };

/** What `dist/render.js` also exports for the build. */
export type PageRenderer = SiteRenderer & {
  /** Renders the HTML document of a public page. */
  renderPage(path: string, facts?: PageFacts): Promise<string>;
  /** Renders the document of the pages that only the browser renders. */
  renderLoadingPage(): Promise<string>;
};

/** `dist/document.json`: the HTML around the rendered pages. */
export type DocumentTemplate = {
  /** For pages that only the browser renders: their code starts immediately. */
  html: string;
  /** For prerendered pages: their code starts after the first paint. */
  prerenderedHtml: string;
  /** The style files of each page by route id. */
  styles: Record<string, string[]>;
};
