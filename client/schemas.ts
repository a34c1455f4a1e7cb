import { onceLoaded } from './load-on-call.ts';

/**
 * Loads the schemas of responses when the first response needs them. They make up most of this library's
 * size, and a visitor needs none of them on a prerendered page.
 */
export const loadSchemas = onceLoaded('client/schemas', async () => {
  const [errors, account, activity, favourites, practices, totals, user, secondFactor, appCheck] =
    await Promise.all([
      import('#contract/errors.ts'),
      import('#contract/account.ts'),
      import('#contract/activity.ts'),
      import('#contract/practices/favourites.ts'),
      import('#contract/practices/page.ts'),
      import('#contract/practices/totals.ts'),
      import('#contract/user.ts'),
      import('#contract/second-factor.ts'),
      import('#contract/app-check.ts'),
    ]);
  return {
    ...errors,
    ...account,
    ...activity,
    ...favourites,
    ...practices,
    ...totals,
    ...user,
    ...secondFactor,
    ...appCheck,
  };
});
