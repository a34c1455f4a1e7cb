import type { Activity } from '../activity.ts';
import type { PublicIssue } from '../newsletter.ts';
import type { NightPractice, PracticePage, PracticesPage } from '../practices/page.ts';
import type { SiteContent } from './content.ts';
import type { SiteMenu } from './menu.ts';

/**
 * What pages show of the site besides its content. The server, the HTML document, the browser and the preview
 * in the editor pass this object on as a whole. So a new setting is one more field here.
 */
export type SiteFacts = {
  /** Scheme and host of the site, such as `https://clinica.com.br`. */
  origin: string;
  /** True if users can sign in with Google. */
  google: boolean;
  /** The prefix of all paths in a preview: `/previa/…`. */
  basename?: string;
};

/** The data that every HTML document contains, so that its page needs no request for site content. */
export type DocumentContent = {
  /** The number of the published version of the content. Every publication raises it. */
  version: number;
  site: SiteFacts;
  /** `fieldsWithDefault`, for the URL from which the page can load the other sections (`contentPath`). */
  fields: number;
  menu: SiteMenu;
  /** The sections that the page shows; in a preview, all sections. */
  sections: Partial<SiteContent>;
};

/** Every path of a preview begins with this one. The token of the preview follows it. */
export const previewPath = '/previa';

/** The data from which a page is rendered. */
export type PageFacts = {
  content: SiteContent;
  version: number;
  site: SiteFacts;
  /** The practices that /practices shows. */
  practices?: PracticesPage;
  /** The practices for the night. /practices shows them, and with them the menu leads there. */
  night?: NightPractice[];
  /** What the page of a practice shows. */
  practicePage?: PracticePage;
  /** What the page of an issue of the newsletter shows. */
  issue?: PublicIssue;
};

/** A whole HTML document, with the hashes of its inline script and style for the content security policy. */
export type RenderedPage = { html: string; scriptHash?: string; styleHash?: string };

/** What `dist/render.js` exports for the server and the build, so that neither imports the site's code. */
export type PageRenderer = {
  /** Renders a public page. @param path with the query, for example `/practices?eixo=move` */
  renderPage(path: string, facts: PageFacts): Promise<RenderedPage>;
  /**
   * Renders the document of all pages that the server does not render. It says that the page is loading,
   * until the browser has rendered the page.
   */
  renderLoadingPage(facts: PageFacts): Promise<RenderedPage>;
  /** Draws a picture, as an SVG file, for an activity that has none. */
  drawPoster(activity: Pick<Activity, 'id' | 'axis'>): string;
};

/** `dist/document.json`: the HTML around the rendered pages. */
export type DocumentTemplate = {
  /** For pages that only the browser renders: their code starts immediately. */
  html: string;
  /** For public pages: their code starts after the first paint. */
  prerenderedHtml: string;
  /** The style files of the whole site. */
  siteStyles: string[];
  /** The style files of each area of pages: `public` and `account`. */
  styles: Record<string, string[]>;
  /** The inline CSS of each page, by path. A page without inline CSS waits for its style files. */
  inlineStyles: Record<string, InlineCode>;
  startScript: InlineCode;
};

/** Code inside a document. The content security policy allows it by its `hash`: `sha256-…`. */
export type InlineCode = { code: string; hash: string };
