/** A file of its own: every visitor's browser can make this call, and its code must not import `paths`. */
export const contentRoute = '/api/site/content';

/**
 * The path of the published content of the site; without a version the newest.
 * @param fields the number of fields with a default, which makes the URL another when a field is added
 */
export const contentPath = (version?: number, fields = 0) =>
  version === undefined ? contentRoute : `${contentRoute}?version=${version}&fields=${fields}`;
