import * as z from 'zod/mini';
import { axes } from './axes.ts';
import { fileUrl } from './file-url.ts';
import { limits } from './limits.ts';
import { plainLine, plainText, visibleText } from './text.ts';

const required = 'Preencha este campo.';

/** A link that users can open: http or https only, because other schemes can run scripts. */
const webUrl = z
  .string(required)
  .check(
    z.trim(),
    z.minLength(1, required),
    z.maxLength(limits.urlMaxLength, 'Este link é longo demais.'),
    z.regex(/^https?:\/\/[^\s\\]+$/i, 'Use um link que comece com https://.'),
    plainLine,
  );

/** The input of the forms for new activities and for edits. */
export const activityInput = z.strictObject({
  axis: z.enum(axes, 'Escolha um eixo.'),
  title: z
    .string(required)
    .check(
      z.trim(),
      visibleText(required),
      z.maxLength(limits.titleMaxLength, 'O título pode ter no máximo 200 caracteres.'),
      plainLine,
    ),
  url: webUrl,
  content: z
    .string(required)
    .check(
      visibleText(required),
      z.maxLength(limits.contentMaxLength, 'O conteúdo pode ter no máximo 50.000 caracteres.'),
      plainText,
    ),
  image: z._default(z.union([z.literal(''), fileUrl('/images/')]), ''),
  audio: z._default(z.union([z.literal(''), fileUrl('/audio/')]), ''),
});
export type ActivityInput = z.input<typeof activityInput>;

const epochMs = z.number().check(z.int(), z.gte(0), z.lte(8_640_000_000_000_000));

/**
 * An activity as lists store it. Times are epoch milliseconds. The server sets them, except for activities
 * that are imported with a whole-list write.
 */
export const activity = z.strictObject({
  id: z.string().check(z.regex(/^[A-Za-z0-9_-]{1,100}$/, 'Identificação inválida.')),
  createdAt: epochMs,
  updatedAt: epochMs,
  ...activityInput.shape,
});
export type Activity = z.infer<typeof activity>;

/** An activity without its text, for list pages. They load the text, most of the size, later. */
export const activitySummary = z.omit(activity, { content: true });
export const activitySummaries = z.array(activitySummary);
export type ListedActivity = z.infer<typeof activitySummary> & { content?: string };

/**
 * Query for one part of a list, by number. The response has the activities in a field named like the list,
 * and the number of parts. Its entity tag is that of the list.
 */
export const listPartQuery = z.strictObject({
  part: z._default(z.coerce.number().check(z.int(), z.gte(0), z.lt(limits.listMaxItems)), 0),
});
export const listParts = z.number().check(z.int(), z.gte(1), z.lte(limits.listMaxItems));

/** The activities in the body of a whole-list write, in their order. */
export const activities = z
  .array(activity)
  .check(z.maxLength(limits.listMaxItems, 'A lista é longa demais.'));

/** The activities of all lists that changed last, newest first, with the fields that one row shows. */
export const latestActivities = z.object({
  documents: z.array(
    z.pick(activity, { id: true, axis: true, title: true, createdAt: true, updatedAt: true }),
  ),
});
export type LatestActivity = z.infer<typeof latestActivities>['documents'][number];

/** The counts on the cards of the dashboard. */
export const counts = z.object({
  users: z.number(),
  mind: z.number(),
  move: z.number(),
  nutri: z.number(),
  values: z.number(),
});
export type Counts = z.infer<typeof counts>;

/** The entity tag of an activity, for `If-Match` of an edit. It changes with every save. */
export const activityTag = (saved: Pick<Activity, 'updatedAt'>) => `"${saved.updatedAt}"`;
