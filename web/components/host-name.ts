import { parseUrl } from '#contract/parse-url.ts';

/** The host of a link, as people say it: `https://www.gov.br/saude` becomes `gov.br`. */
export const hostName = (link: string) => (parseUrl(link)?.hostname ?? '').replace(/^www\./, '');
