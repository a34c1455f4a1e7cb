import { identity } from '#clinic/identity.ts';
import { siteOrigin } from '#web/app/site-origin.ts';

/**
 * What stands in the head for one page. React moves it there, on the server and after every navigation.
 * @param path the address under which search engines should know the page; without one they should not
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
