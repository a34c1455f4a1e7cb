/** The search parameter with the id of the practice that a visitor keeps after signing up or in. */
export const wantedParam = 'guardar';

const withPractice = (path: string) => (id: string) =>
  `${path}?${new URLSearchParams({ [wantedParam]: id })}`;

/** The sign-up form for a visitor who wants to keep a practice. */
export const registerFor = withPractice('/register');

/** The sign-in form for a user whose session ended before a practice was kept. */
export const loginFor = withPractice('/login');

/** The area of the user, which says whether the practice is kept. */
export const areaWith = withPractice('/minha-area');

/** The id of the wanted practice in the parameters of a URL. */
export function wantedIn(search: URLSearchParams): string | undefined {
  const id = search.get(wantedParam) ?? '';
  return /^[\w-]{1,100}$/.test(id) ? id : undefined;
}
