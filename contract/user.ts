import * as z from 'zod/mini';
import { displayName } from './credentials.ts';
import { fileUrl } from './file-url.ts';
import { limits } from './limits.ts';
import { plainLine, visibleText } from './text.ts';

const required = 'Preencha este campo.';

/**
 * A user's role. `false`: not a member. `true`: a member. `'editor'`: a member who edits the library and
 * drafts the site. `'admin'`: an editor who also publishes the site and sees other users.
 */
export const member = z.union([z.boolean(), z.enum(['editor', 'admin'])]);
export type Member = z.infer<typeof member>;

/** The name of a role on screen. */
export function roleName(member: Member): string {
  if (member === 'admin') return 'Administração';
  if (member === 'editor') return 'Edição';
  return member ? 'Membro' : 'Paciente';
}

/** The roles as the database and the filters of user lists name them, from the lowest to the highest. */
export const storedMembers = ['no', 'member', 'editor', 'admin'] as const;
export type StoredMember = (typeof storedMembers)[number];

/** What each role may do, from the lowest to the highest. */
export const roles: readonly { member: Member; stored: StoredMember; can: string }[] = [
  { member: false, stored: 'no', can: 'usa as práticas.' },
  { member: true, stored: 'member', can: 'usa as práticas e a página Pro.' },
  {
    ...{ member: 'editor', stored: 'editor' },
    can: 'cuida das práticas e escreve o site; a administração publica.',
  },
  { member: 'admin', stored: 'admin', can: 'cuida de tudo, vê todas as pessoas e muda papéis.' },
];

/** Digits only. The specification defines the rule and its message; no form asks for an age yet. */
export const age = z.string().check(z.regex(/^\d+$/, 'A idade precisa ter apenas números.'));

/** The document users/{uid}. `category` is absent until a social sign-in or an admin sets it. */
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

/** What users may change in their own record. */
export const ownUserPatch = z.strictObject({
  displayName: z.optional(displayName),
  profilePic: z.optional(z.union([z.literal(false), fileUrl('/images/')])),
});
export type OwnUserPatch = z.infer<typeof ownUserPatch>;

/** What an admin may change in any user's record. */
export const adminUserPatch = z.strictObject({
  member: z.optional(member),
  staff: z.optional(z.boolean()),
  research: z.optional(z.boolean()),
  /** Only where no mail is set up: there, no link can prove an email address. */
  emailVerified: z.optional(z.literal(true)),
  /** `null` removes the category. */
  category: z.optional(
    z.union([
      z.null(),
      z.string().check(z.trim(), visibleText(required), z.maxLength(limits.categoryMaxLength), plainLine),
    ]),
  ),
});
export type AdminUserPatch = z.infer<typeof adminUserPatch>;

/** The sort keys of user lists; sorting by `name` ignores accents and case. */
export const userSorts = ['name', 'email', 'createdAt'] as const;
export type UserSort = (typeof userSorts)[number];
export const sortOrders = ['asc', 'desc'] as const;
export type SortOrder = (typeof sortOrders)[number];

/** The filters and the order of users, in requests for a page of the list and for the export. */
export const usersSelection = z.strictObject({
  /**
   * Finds users whose name or e-mail contains every word of this text. A search word of one or two letters
   * matches only the start of a word.
   */
  search: z.optional(z.string().check(z.maxLength(limits.searchMaxLength), plainLine)),
  role: z.optional(z.enum(storedMembers)),
  /** Whether the email address is verified. */
  verified: z.optional(z.enum(['yes', 'no'])),
  /** Finds users who signed up at this time or later, in epoch milliseconds. */
  since: z.optional(z.coerce.number().check(z.int(), z.gte(0), z.lte(limits.latestTextTimeMs))),
  sort: z._default(z.enum(userSorts), 'name'),
  order: z._default(z.enum(sortOrders), 'asc'),
});
export type UsersSelection = {
  search?: string;
  role?: StoredMember;
  verified?: 'yes' | 'no';
  since?: number;
  sort?: UserSort;
  order?: SortOrder;
};

export const usersQuery = z.extend(usersSelection, {
  /** The value of `next` in the previous page; `sort` and `order` must be the same as for that page. */
  after: z.optional(z.string().check(z.maxLength(2_000))),
  limit: z._default(
    z.coerce.number().check(z.int(), z.gte(1), z.lte(limits.pageMaxItems)),
    limits.pageDefaultItems,
  ),
});
export type UsersQuery = UsersSelection & { after?: string; limit?: number };

/** A user in a list. */
export const listedUser = z.extend(userRecord, {
  /** When the user signed up, in epoch milliseconds. */
  createdAt: z.number(),
  /** The last day on which the user was signed in here, such as `2026-11-27` in Brasília. */
  lastSeenOn: z.nullable(z.string()),
  emailVerified: z.boolean(),
  /** True if an admin may mark the email address as verified. */
  canBeVerified: z.boolean(),
  /** The entity tag of the record, for `If-Match` of a change. */
  tag: z.string(),
});
export type ListedUser = z.infer<typeof listedUser>;

/** One page of the collection `users`. */
export const usersPage = z.object({
  documents: z.array(listedUser),
  next: z.union([z.string(), z.null()]),
  /** Matches on all pages; a lower bound when `totalIsExact` is false. */
  total: z.number(),
  /** False when the search stopped counting at `limits.countedUsers`. */
  totalIsExact: z.boolean(),
});
export type UsersPage = z.infer<typeof usersPage>;

/**
 * The signed-in user of this browser, and the start and the end of the session (epoch milliseconds), without
 * the session's token.
 */
export const sessionInfo = z.object({
  user: z.object({
    uid: z.string(),
    email: z.string(),
    emailVerified: z.boolean(),
    /** True if sign-in to the account requires a second factor. */
    secondFactor: z.boolean(),
  }),
  startedAt: z.number(),
  expiresAt: z.number(),
});
export type SessionInfo = z.infer<typeof sessionInfo>;

/**
 * A header with the uid for whom a page was opened. The server refuses the request in a session of another
 * user, so that a page that was asleep meanwhile cannot store its text in the diary of the next user.
 */
export const userHeader = 'acolhe-user';

/** The sign-in methods besides e-mail and password. */
export const signInMethods = z.object({ google: z.boolean() });
export type SignInMethods = z.infer<typeof signInMethods>;

/** What the link of a verification mail needs in this browser. */
export const verificationLinkState = z.object({
  email: z.string(),
  choosePassword: z.boolean(),
  /** The email address of another user who is signed in here, and must sign out first. */
  signedInAs: z.nullable(z.string()),
});
export type VerificationLinkState = z.infer<typeof verificationLinkState>;

/** The document wordMood/{uid}. The clinic defines its fields, so the schema accepts all fields. */
export const moodRecord = z.record(z.string(), z.unknown());
export type MoodRecord = z.infer<typeof moodRecord>;

/** The category of users who signed up with a social account, as the specification names it. */
const defaultCategory = 'patient';

/**
 * The names on screen of categories that the product itself stores. Categories of a clinic are shown as
 * stored.
 */
const categoryNames = new Map([[defaultCategory, 'Paciente']]);

/** The name of a category on screen. */
export const categoryName = (category: string) => categoryNames.get(category) ?? category;

/** The category to store for a name that a user typed. */
export function categoryNamed(typed: string): string {
  const wanted = typed.trim().toLocaleLowerCase('pt-BR');
  const known = [...categoryNames].find(([, name]) => name.toLocaleLowerCase('pt-BR') === wanted);
  return known ? known[0] : typed.trim();
}
