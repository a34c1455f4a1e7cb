import type { Activity } from './activity.ts';
import type { MainAxis } from './axes.ts';

/** Stands in built pages for scheme and host of the site (`https://clinica.com.br`), which only the server knows. */
export const originPlaceholder = 'https://origin.invalid';

/**
 * The script in a finished page: loads the page's code, which it names in `data-files`, once the page has been painted;
 * before that it would only keep the fonts waiting. A page that carries its own styles names the whole files in
 * `data-styles`: what the code will show needs them, so it waits for them, but not for those that fail.
 * The same in every page and build, so that the server can allow it by its hash.
 */
export const startScript =
  "const{files,styles}=document.querySelector('[data-files]').dataset," +
  'link=(rel,href)=>new Promise(done=>document.head.append(Object.assign(' +
  "document.createElement('link'),{rel,href,crossOrigin:'',onload:done,onerror:done})))," +
  // The code travels while it waits.
  "list=files.split(' '),start=()=>(styles?(list.forEach(file=>link('modulepreload',file))," +
  "Promise.all(styles.split(' ').map(file=>link('stylesheet',file)))):Promise.resolve())" +
  '.then(()=>Promise.all(list.map(file=>import(file))))' +
  ".catch(error=>{console.error(error);document.documentElement.dataset.withoutCode=''});" +
  // A page in the background is not painted, and not every browser tells when one is.
  "document.visibilityState==='hidden'||!PerformanceObserver.supportedEntryTypes?.includes('paint')?start():" +
  "new PerformanceObserver((_,it)=>{it.disconnect();start()}).observe({type:'paint',buffered:true})";

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
  /** Whether search engines should find it: it is in the sitemap. */
  indexed?: true;
} & (
  | {
      /** A finished page in `dist/site`. */
      file: string;
      /** The same page where people can sign in with Google. */
      fileWithGoogle?: string;
    }
  | { /** Rendered by the server whenever the list that is asked for changes. */ render: 'practices' }
);

export type SiteRenderer = {
  /** The whole HTML of /practices with these activities, those of `axis`, in it. */
  renderPractices(axis: MainAxis, activities: Activity[]): Promise<string>;
};

/** What a page can depend on where it is rendered. */
export type PageFacts = { activities?: Activity[]; google?: boolean };

/** What `dist/render.js` offers to the build besides. */
export type PageRenderer = SiteRenderer & {
  /** The whole HTML of a public page. */
  renderPage(path: string, facts?: PageFacts): Promise<string>;
  /** The document of the pages that only the browser renders. */
  renderShell(): Promise<string>;
};

/** `dist/document.json`: what the renderer puts around its pages. */
export type DocumentTemplate = {
  /** Around what only the browser renders: its code starts at once. */
  html: string;
  /** Around finished pages: their code waits until they have been painted. */
  prerenderedHtml: string;
  /** The style files of each page by route id. */
  styles: Record<string, string[]>;
};
