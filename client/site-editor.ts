import { paths } from '#contract/paths.ts';
import type { SectionName, SiteContent } from '#contract/site/content.ts';
import {
  type DraftSection,
  draftSection,
  type PreviewLink,
  type PublishInput,
  previewLink,
  publishedVersion,
  type SiteDraft,
  type SiteVersion,
  siteDraft,
  siteVersions,
} from '#contract/site/draft.ts';
import type { Send } from './http.ts';

/** Creates the methods that edit the site content (for editors and admins) and publish it (for admins). */
export function createSiteEditor(send: Send) {
  return {
    async getDraft(signal?: AbortSignal): Promise<SiteDraft> {
      const response = await send(paths.site.draft, { signal });
      return siteDraft.parse(await response.json()) as SiteDraft;
    },

    /**
     * Saves a section of the draft. Takes the section as it was read, but with the new `content`.
     * @throws ClientError `documents/precondition-failed` if the section has changed since it was read;
     * `current` is the current section
     */
    async saveSection({ section, tag, content }: Pick<DraftSection, 'section' | 'tag' | 'content'>) {
      const headers = { 'if-match': tag };
      return readSection(await send(paths.site.section(section), { method: 'PUT', body: content, headers }));
    },

    /** Replaces a section of the draft with the published section. @throws ClientError like `saveSection` */
    async discardSection({ section, tag }: { section: SectionName; tag: string }) {
      const headers = { 'if-match': tag };
      return readSection(await send(paths.site.section(section), { method: 'DELETE', headers }));
    },

    /**
     * Publishes the draft.
     * @param tag the tag of the draft
     * @throws ClientError `site/not-publishable` with `issues`; `documents/precondition-failed`
     */
    async publish(tag: string, input: PublishInput = {}): Promise<{ version: number }> {
      const headers = { 'if-match': tag };
      const response = await send(paths.site.publish, { method: 'POST', body: input, headers });
      return publishedVersion.parse(await response.json());
    },

    /** Creates a link to a preview. For 30 minutes, every visitor who has the link can see the draft. */
    async createPreview(): Promise<PreviewLink> {
      const response = await send(paths.site.preview, { method: 'POST' });
      return previewLink.parse(await response.json());
    },

    /** Lists the published versions, newest first. */
    async listVersions(signal?: AbortSignal): Promise<SiteVersion[]> {
      const response = await send(paths.site.versions, { signal });
      return siteVersions.parse(await response.json()).versions;
    },

    /** Reads a published version or, if it was erased, the last one before it. */
    async getVersion(version: number): Promise<SiteContent> {
      const response = await send(paths.site.version(version));
      return ((await response.json()) as { content: SiteContent }).content;
    },

    /** Erases an older version, and its files, for good. */
    async eraseVersion(version: number): Promise<void> {
      await send(paths.site.version(version), { method: 'DELETE' });
    },

    /** Replaces the draft with an older version. @param tag the tag of the draft */
    async restoreVersion(version: number, tag: string): Promise<void> {
      await send(paths.site.restore(version), { method: 'POST', headers: { 'if-match': tag } });
    },
  };
}

const readSection = async (response: Response) => draftSection.parse(await response.json()) as DraftSection;
