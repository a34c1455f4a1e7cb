import { identity } from '#clinic/identity.ts';
import { siteOrigin } from '#web/app/site-origin.ts';

/**
 * The title and meta tags of a page. React moves them to the head, on the server and after every navigation.
 * @param path of the canonical URL; without one, search engines must not index the page
 */
export function PageTitle({
  title,
  description = '',
  path,
}: {
  title: string;
  description?: string;
  path?: string;
}) {
  return (
    <>
      <title>{`${title} | ${identity.shortName}`}</title>
      <meta name="description" content={description} />
      {path ? <link rel="canonical" href={siteOrigin + path} /> : <meta name="robots" content="noindex" />}
    </>
  );
}
