import * as z from 'zod/mini';
import { displayName } from './credentials.ts';
import { limits } from './limits.ts';
import { plainLine } from './text.ts';

/** `false`: no member. `true`: a member. `'admin'`: a member who keeps the library. */
export const member = z.union([z.boolean(), z.literal('admin')]);
export type Member = z.infer<typeof member>;

/** An address on this site (`/files/…`) or an https address. */
export const pictureUrl = z
  .string()
  .check(
    z.maxLength(limits.urlMaxLength),
    z.regex(/^(?:https:\/\/[^\s\\]+|\/(?![/\\])[^\s\\]*)$/, 'Use um endereço que comece com https://.'),
    plainLine,
  );

/** The document users/{uid}. `category` appears only once a social sign-in has set it. */
export const userRecord = z.object({
  id: z.string(),
  displayName: z.string(),
  email: z.string(),
  research: z.boolean(),
  member,
  staff: z.boolean(),
  profilePic: z.union([z.literal(false), z.string()]),
  category: z.optional(z.string()),
});
export type UserRecord = z.infer<typeof userRecord>;

/** What a person may change in the own record. */
export const ownUserPatch = z.strictObject({
  displayName: z.optional(displayName),
  profilePic: z.optional(z.union([z.literal(false), pictureUrl])),
});
export type OwnUserPatch = z.infer<typeof ownUserPatch>;

/** What an admin may change in anybody's record. */
export const adminUserPatch = z.strictObject({
  member: z.optional(member),
  staff: z.optional(z.boolean()),
  research: z.optional(z.boolean()),
  /** `null` takes it away. */
  category: z.optional(
    z.union([
      z.null(),
      z.string().check(z.trim(), z.minLength(1), z.maxLength(limits.categoryMaxLength), plainLine),
    ]),
  ),
});
export type AdminUserPatch = z.infer<typeof adminUserPatch>;

/** What lists of users may be ordered by; `name` is without accents and case. */
export const userSorts = ['name', 'email', 'createdAt'] as const;
export type UserSort = (typeof userSorts)[number];
export const sortOrders = ['asc', 'desc'] as const;
export type SortOrder = (typeof sortOrders)[number];

/** Which users, in which order: what a page of them and the export have in common. */
export const usersSelection = z.strictObject({
  /** Words that must all occur in name or e-mail; of one or two letters, at the start of a word. */
  search: z.optional(z.string().check(z.maxLength(limits.searchMaxLength), plainLine)),
  sort: z._default(z.enum(userSorts), 'name'),
  order: z._default(z.enum(sortOrders), 'asc'),
});
export type UsersSelection = { search?: string; sort?: UserSort; order?: SortOrder };

export const usersQuery = z.extend(usersSelection, {
  /** The `next` of the page before, in the same order. */
  after: z.optional(z.string().check(z.maxLength(2_000))),
  limit: z._default(
    z.coerce.number().check(z.int(), z.gte(1), z.lte(limits.pageMaxItems)),
    limits.pageDefaultItems,
  ),
});
export type UsersQuery = UsersSelection & { after?: string; limit?: number };

/** A user in a list of them. */
export const listedUser = z.extend(userRecord, {
  /** When the account was made, in epoch milliseconds. */
  createdAt: z.number(),
  /** What a change based on this record names in `If-Match`. */
  tag: z.string(),
});
export type ListedUser = z.infer<typeof listedUser>;

/** One page of the collection `users`. */
export const usersPage = z.object({
  documents: z.array(listedUser),
  next: z.union([z.string(), z.null()]),
  /** Everybody that is meant, those of other pages included … */
  total: z.number(),
  /** … or at least so many: a search counts no further than `limits.countedUsers`. */
  totalIsExact: z.boolean(),
});
export type UsersPage = z.infer<typeof usersPage>;

/** Who is signed in on this browser, and until when (epoch milliseconds). Never a token. */
export const sessionInfo = z.object({
  user: z.object({
    uid: z.string(),
    email: z.string(),
    emailVerified: z.boolean(),
    /** Whether the account asks for a second factor. */
    secondFactor: z.boolean(),
  }),
  startedAt: z.number(),
  expiresAt: z.number(),
});
export type SessionInfo = z.infer<typeof sessionInfo>;

/** Ways to sign in besides e-mail and password. */
export const signInMethods = z.object({ google: z.boolean() });
export type SignInMethods = z.infer<typeof signInMethods>;

/** The document wordMood/{uid}: its fields are the clinic's own, so the schema stays open. */
export const moodRecord = z.record(z.string(), z.unknown());
export type MoodRecord = z.infer<typeof moodRecord>;
