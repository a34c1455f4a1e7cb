/** The host of a link, as people say it: `https://www.gov.br/saude` becomes `gov.br`. */
export const hostName = (link: string) => (URL.parse(link)?.hostname ?? '').replace(/^www\./, '');
