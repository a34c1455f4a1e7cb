import * as z from 'zod/mini';
import { fieldIssue } from '../errors.ts';
import { limits } from '../limits.ts';
import { plainText } from '../text.ts';
import { type Arrangement, type SectionName, type SiteContent, sectionNames } from './content.ts';

const sectionName = z.enum(sectionNames as [SectionName, ...SectionName[]]);
const epochMs = z.number();
const author = z.nullable(z.object({ name: z.string() }));

const warning = z.object({ ...fieldIssue.shape, section: sectionName, words: z.string() });

/** The sections that only admins change. */
export const adminSections: readonly SectionName[] = ['identity', 'privacy', 'diary'];

/** The parts of other sections that only admins change, as paths with dots. */
export const adminParts: Partial<Record<SectionName, readonly string[]>> = {
  home: ['fees', 'newsletter.consent'],
  practices: ['countsUse'],
};

/** The parts that only admins hide and show, and whose sample texts only admins confirm. */
const adminNames = [...adminSections, 'home.fees', 'home.newsletter'];

/** True if a confirmed or hidden part, such as `home.fees`, contains something that only admins change. */
export const isOfAdmins = (name: string): boolean =>
  adminNames.some((one) => one === name || one.startsWith(`${name}.`) || name.startsWith(`${one}.`));

/** Returns the content of a section with the parts of `current` that only admins change. */
export function withAdminParts<Content>(section: SectionName, content: Content, current: Content): Content {
  if (section === 'arrangement')
    return withAdminNames(content as Arrangement, current as Arrangement) as Content;
  const result = structuredClone(content);
  for (const path of adminParts[section] ?? []) {
    const keys = path.split('.');
    const last = keys.pop() ?? '';
    const groupIn = (from: unknown) =>
      keys.reduce((group, key) => group[key] as Record<string, unknown>, from as Record<string, unknown>);
    groupIn(result)[last] = groupIn(current)[last];
  }
  return result;
}

function withAdminNames(content: Arrangement, current: Arrangement): Arrangement {
  const merged = <Name extends string>(next: Name[], before: Name[], prefix = '') => {
    const kept = before.filter((name) => isOfAdmins(prefix + name));
    const own = next.filter((name) => !isOfAdmins(prefix + name) || kept.includes(name));
    return [...new Set([...own, ...kept])];
  };
  const { home, confirmed } = content;
  return {
    ...content,
    home: { ...home, hidden: merged(home.hidden, current.home.hidden, 'home.') },
    confirmed: merged(confirmed, current.confirmed),
  };
}

/** One section of the draft, as an editor or an admin changes it. */
export const draftSection = z.object({
  section: sectionName,
  content: z.unknown(),
  /** The section of the sample content. */
  sample: z.unknown(),
  /** An entity tag that changes with the content. The next save sends it in `If-Match`. */
  tag: z.string(),
  /** True if the section differs from the published version. */
  changed: z.boolean(),
  /** What must be corrected before the section can be published. */
  problems: z.array(fieldIssue),
  updatedAt: z.nullable(epochMs),
  updatedBy: author,
});
export type DraftSection<Name extends SectionName = SectionName> = Omit<
  z.infer<typeof draftSection>,
  'section' | 'content' | 'sample'
> & { section: Name; content: SiteContent[Name]; sample: SiteContent[Name] };

/** The draft of the site. Sections without changes have the published content. */
export const siteDraft = z.object({
  /** The published version. */
  version: z.number(),
  /** An entity tag that changes with the draft. A publication or restoration sends it in `If-Match`. */
  tag: z.string(),
  sections: z.array(draftSection),
  /** What the admin must confirm before the publication. */
  warnings: z.array(warning),
});
export type SiteDraft = Omit<z.infer<typeof siteDraft>, 'sections'> & { sections: DraftSection[] };

export const publishInput = z.strictObject({
  note: z._default(z.string().check(z.trim(), z.maxLength(limits.titleMaxLength), plainText), ''),
  /** True if the admin has confirmed every warning of this draft. */
  warningsConfirmed: z._default(z.boolean(), false),
});
export type PublishInput = z.input<typeof publishInput>;

export const publishedVersion = z.object({ version: z.number() });

/** The path of a preview's home page, and when the preview expires. */
export const previewLink = z.object({ path: z.string(), expiresAt: epochMs });
export type PreviewLink = z.infer<typeof previewLink>;

/** The published versions, newest first. */
export const siteVersions = z.object({
  versions: z.array(
    z.object({
      version: z.number(),
      note: z.string(),
      publishedAt: epochMs,
      publishedBy: author,
    }),
  ),
});
export type SiteVersion = z.infer<typeof siteVersions>['versions'][number];
