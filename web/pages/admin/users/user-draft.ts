import type { AdminUserPatch, ListedUser, Member } from '#contract/user.ts';
import { categoryName, categoryNamed } from '#contract/user.ts';

/** What an admin has chosen in the dialog for a user. Fields that the admin has not touched are absent. */
export type UserDraft = {
  member?: Member;
  staff?: boolean;
  research?: boolean;
  emailVerified?: boolean;
  category?: string;
};

/** The values that the dialog shows: the admin's choices, and the stored values of the other fields. */
export const shownValues = (user: ListedUser, draft: UserDraft): Required<UserDraft> => ({
  member: draft.member ?? user.member,
  staff: draft.staff ?? user.staff,
  research: draft.research ?? user.research,
  emailVerified: draft.emailVerified ?? user.emailVerified,
  category: draft.category ?? categoryName(user.category ?? ''),
});

/** The choices that differ from the stored values. */
export function changesOf(user: ListedUser, draft: UserDraft): AdminUserPatch {
  const { member, staff, research, emailVerified, category } = shownValues(user, draft);
  const stored = categoryNamed(category) || null;
  return {
    ...(member !== user.member && { member }),
    ...(staff !== user.staff && { staff }),
    ...(research !== user.research && { research }),
    ...(emailVerified && !user.emailVerified && { emailVerified }),
    ...(stored !== (user.category ?? null) && { category: stored }),
  };
}

/** The notice after these changes are saved. */
export function savedNotice(changes: AdminUserPatch): string {
  const [only, ...others] = Object.keys(changes) as (keyof AdminUserPatch)[];
  return only === undefined || others.length > 0 ? 'Mudanças salvas.' : notices[only];
}

const notices: Record<keyof AdminUserPatch, string> = {
  member: 'Papel salvo.',
  staff: 'Marca salva.',
  research: 'Marca salva.',
  emailVerified: 'E-mail confirmado.',
  category: 'Categoria salva.',
};
