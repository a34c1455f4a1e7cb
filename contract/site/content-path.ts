/** In its own file, because every visitor's browser can make this call, and must not load `paths` for it. */
export const contentRoute = '/api/site/content';

/**
 * The path of the published content of the site; without a version the newest.
 * @param fields the number of fields with a default, so that the URL changes when a field is added
 */
export const contentPath = (version?: number, fields = 0) =>
  version === undefined ? contentRoute : `${contentRoute}?version=${version}&fields=${fields}`;
