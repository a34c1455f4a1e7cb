import { useServices } from '#web/app/services-context.ts';

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
  const { origin, identity } = useServices().content;
  return (
    <>
      <title>{`${title} | ${identity.shortName}`}</title>
      <meta name="description" content={description} />
      {path ? <link rel="canonical" href={origin + path} /> : <meta name="robots" content="noindex" />}
    </>
  );
}
