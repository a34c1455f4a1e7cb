import * as z from 'zod/mini';
import { axes } from './axes.ts';
import { fileUrl } from './file-url.ts';
import { limits } from './limits.ts';
import { withScheme } from './parse-url.ts';
import { nightNeeds } from './practices/night.ts';
import { plainLine, plainText, visibleText } from './text.ts';
import { videoLinkIn } from './video.ts';

const required = 'Preencha este campo.';

/**
 * A link that users can open: http or https only, because other schemes can run scripts. A pasted code for
 * embedding a YouTube video becomes the link in it, and a link typed without https:// gets it.
 */
const webUrl = z.string(required).check(
  z.overwrite((typed) => withScheme(videoLinkIn(typed))),
  z.minLength(1, required),
  z.maxLength(limits.urlMaxLength, 'Este link é longo demais.'),
  z.regex(/^https?:\/\/[^\s\\]+$/i, 'Use um link que comece com https://.'),
  plainLine,
);

export const practiceMinutes = z
  .number('Escreva os minutos com algarismos.')
  .check(
    z.int('Escreva os minutos sem vírgula.'),
    z.gte(1, 'A duração é de 1 minuto ou mais.'),
    z.lte(limits.practiceMaxMinutes, `A duração é de até ${limits.practiceMaxMinutes} minutos.`),
  );

/**
 * Ids of needs with a space between them, like the tokens of an HTML class. An id stays when the clinic
 * removes its need, so that the need finds its activities again if it comes back.
 */
const activityNeeds = z
  .string()
  .check(
    z.maxLength(limits.activityNeedsMaxLength, 'São necessidades demais.'),
    z.regex(/^(?:[a-z0-9-]{1,24}(?: [a-z0-9-]{1,24})*)?$/, 'Escolha entre as necessidades.'),
  );

export const visibilities = ['public', 'hidden'] as const;

/** The input of the forms that create and edit activities. */
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
  /** The length in minutes that an admin has typed; null if it is unknown or equal to the audio's length. */
  minutes: z._default(z.nullable(practiceMinutes), null),
  /** What the activity helps with at night, for example falling asleep; empty for most activities. */
  night: z._default(z.enum(['', ...nightNeeds], 'Escolha uma das opções.'), ''),
  needs: z._default(activityNeeds, ''),
  /** Only editors and admins see hidden activities. */
  visibility: z._default(z.enum(visibilities, 'Escolha uma das opções.'), 'public'),
});
export type ActivityInput = z.input<typeof activityInput>;

const epochMs = z.number().check(z.int(), z.gte(0), z.lte(limits.latestTimeMs));

/**
 * An activity as lists store it. Times are epoch milliseconds. The server sets them, except for activities
 * that are imported with a whole-list write.
 */
export const activity = z.strictObject({
  id: z.string().check(z.regex(/^[A-Za-z0-9_-]{1,100}$/, 'Identificação inválida.')),
  createdAt: epochMs,
  updatedAt: epochMs,
  /**
   * The length of the audio in seconds, which the server reads from the file; 0 if the file does not state
   * its length, null if the server has not read the file yet.
   */
  audioSeconds: z._default(z.nullable(z.int().check(z.gte(0), z.lte(1_000_000))), null),
  ...activityInput.shape,
});
export type Activity = z.infer<typeof activity>;

/** An activity without `content`, which is most of an activity's size. */
export const activitySummary = z.omit(activity, { content: true });
export type ActivitySummary = z.infer<typeof activitySummary>;

/** The activities of a list page in the admin area. The page loads their `content` later. */
export const activitySummaries = z.array(
  z.extend(activitySummary, {
    /** For admins only: the name of the user who saved the activity last; null for a deleted account. */
    editor: z.optional(z.nullable(z.string())),
  }),
);
export type ListedActivity = ActivitySummary & { content?: string; editor?: string | null | undefined };

/**
 * The query for one part of a list, by the part's number. The response contains the number of parts, and a
 * field with the list's name that holds the activities of this part. The entity tag of the response is the
 * tag of the whole list.
 */
export const listPartQuery = z.strictObject({
  part: z._default(z.coerce.number().check(z.int(), z.gte(0), z.lt(limits.listMaxItems)), 0),
  /** Asks for the names of users in summaries, which only admins get. */
  names: z.optional(z.literal('1')),
});
export const listParts = z.number().check(z.int(), z.gte(1), z.lte(limits.listMaxItems));

/** The activities in the body of a whole-list write, in the order of the new list. */
export const activities = z
  .array(activity)
  .check(z.maxLength(limits.listMaxItems, 'A lista é longa demais.'));

const orderedIds = z.array(activity.shape.id).check(z.maxLength(limits.listMaxItems));

/** A new order of a list. `from` is the order that the editor saw, `to` has the same ids in the new order. */
export const activityOrder = z.strictObject({ from: orderedIds, to: orderedIds });
export type ActivityOrder = z.infer<typeof activityOrder>;

/** The most recently changed activities of all lists, latest first, with the fields that one row shows. */
export const latestActivities = z.object({
  documents: z.array(
    z.pick(activity, { id: true, axis: true, title: true, createdAt: true, updatedAt: true }),
  ),
});
export type LatestActivity = z.infer<typeof latestActivities>['documents'][number];

/** The deleted activities of a list that can still be restored, latest deletion first. For admins only. */
export const deletedActivities = z.object({
  documents: z.array(
    z.extend(z.pick(activity, { id: true, axis: true, title: true }), {
      deletedAt: epochMs,
      restorableUntil: epochMs,
      /** The name of the admin who deleted the activity; null when that account is deleted. */
      deletedBy: z.nullable(z.string()),
    }),
  ),
});
export type DeletedActivity = z.infer<typeof deletedActivities>['documents'][number];

/** The counts on the cards of the dashboard. */
export const counts = z.object({
  /** For admins only. */
  users: z.optional(z.number()),
  /** For admins only: how many of the users, without the team, signed up in the last days. */
  newUsers: z.optional(z.object({ in7Days: z.number(), in30Days: z.number() })),
  mind: z.number(),
  move: z.number(),
  nutri: z.number(),
  values: z.number(),
});
export type Counts = z.infer<typeof counts>;

export const isPublic = ({ visibility }: Pick<Activity, 'visibility'>) => visibility === 'public';

/** The entity tag of an activity, for the header `If-Match` of an edit. It changes with every save. */
export const activityTag = (saved: Pick<Activity, 'updatedAt'>) => `"${saved.updatedAt}"`;
