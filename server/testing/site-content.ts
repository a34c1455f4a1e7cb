import type { Client } from '#client/client.ts';
import type { SectionName, SiteContent } from '#contract/site-content.ts';
import type { DraftSection, SiteDraft } from '#contract/site-draft.ts';

/** Returns a section of a draft. */
export function sectionOf<Name extends SectionName>(draft: SiteDraft, name: Name): DraftSection<Name> {
  const found = draft.sections.find(({ section }) => section === name);
  if (!found) throw new Error(`The draft has no section ${name}.`);
  return found as DraftSection<Name>;
}

/** Returns a section with some of its fields changed, as an admin saves it. */
export function withFields<Name extends SectionName>(
  draft: SiteDraft,
  name: Name,
  fields: Partial<SiteContent[Name]>,
): DraftSection<Name> {
  const section = sectionOf(draft, name);
  return { ...section, content: { ...section.content, ...fields } };
}

/** Publishes the site with another short name. @returns the new version */
export async function publishName({ site }: Client, shortName: string): Promise<number> {
  await site.saveSection(withFields(await site.getDraft(), 'identity', { shortName }));
  const { tag } = await site.getDraft();
  return (await site.publish(tag, { warningsConfirmed: true })).version;
}
