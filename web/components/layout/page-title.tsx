import { useServices } from '#web/app/services.ts';

/**
 * The title and meta tags of a page. React moves them to the head, on the server and after every navigation.
 * @param path the path of the canonical URL; without a path, search engines must not index the page
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
  const { content } = useServices();
  return (
    <>
      <title>{`${title} | ${content.get('identity').shortName}`}</title>
      <meta name="description" content={description} />
      {path ? (
        <link rel="canonical" href={content.site.origin + path} />
      ) : (
        <meta name="robots" content="noindex" />
      )}
    </>
  );
}
