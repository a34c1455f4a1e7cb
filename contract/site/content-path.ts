/** This path is not in paths.ts, because visitors' browsers can need it but must not load all paths. */
export const contentRoute = '/api/site/content';

/**
 * The path of the published content of the site: of one version, or of the newest if `version` is absent.
 * @param fields `fieldsWithDefault`, so that the URL changes when the schema gets a field
 */
export const contentPath = (version?: number, fields = 0) =>
  version === undefined ? contentRoute : `${contentRoute}?version=${version}&fields=${fields}`;
