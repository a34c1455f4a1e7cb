import type { Activity } from './activity.ts';
import type { MainAxis } from './axes.ts';

/**
 * Placeholder in built pages for the site's scheme and host (`https://clinica.com.br`). Only the server knows
 * them.
 */
export const originPlaceholder = 'https://origin.invalid';

/**
 * The script in a prerendered page. It loads the page's code, named in `data-files`, after the first paint;
 * an earlier load would delay the fonts. A page with inline styles names its style files in `data-styles`.
 * The script loads them before it starts the code, and ignores those that fail.
 * The script is the same in every page and build, so that the server can allow it by its hash.
 */
export const startScript =
  "const{files,styles}=document.querySelector('[data-files]').dataset," +
  'link=(rel,href)=>new Promise(done=>document.head.append(Object.assign(' +
  "document.createElement('link'),{rel,href,crossOrigin:'',onload:done,onerror:done})))," +
  // Preload the code while the styles load.
  "list=files.split(' '),start=()=>(styles?(list.forEach(file=>link('modulepreload',file))," +
  "Promise.all(styles.split(' ').map(file=>link('stylesheet',file)))):Promise.resolve())" +
  '.then(()=>Promise.all(list.map(file=>import(file))))' +
  ".catch(error=>{console.error(error);document.documentElement.dataset.withoutCode=''});" +
  // A page in the background is not painted, and some browsers do not report paints.
  "document.visibilityState==='hidden'||!PerformanceObserver.supportedEntryTypes?.includes('paint')?start():" +
  "new PerformanceObserver((_,it)=>{it.disconnect();start()}).observe({type:'paint',buffered:true})";

/**
 * What the build of the site writes for the server, so that neither imports the other:
 * `dist/pages.json` (SiteManifest) and `dist/render.js` (a SiteRenderer).
 */
export type SiteManifest = {
  /** The first matching pattern wins. `*` at the end matches any rest of the path. */
  pages: SitePage[];
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
  | { /** The server renders it whenever the requested list changes. */ render: 'practices' }
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
  renderShell(): Promise<string>;
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
