import { identity } from '#clinic/identity.ts';

/**
 * The title and description of a page. React moves them into the head, on the server and after
 * every navigation.
 */
export function PageTitle({ title, description = '' }: { title: string; description?: string }) {
  return (
    <>
      <title>{`${title} | ${identity.shortName}`}</title>
      <meta name="description" content={description} />
    </>
  );
}
