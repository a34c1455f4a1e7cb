import { paths } from '#contract/paths.ts';
import type { PageFacts } from '#contract/site/document.ts';
import { registrationsOf } from '#contract/site/registrations.ts';
import { shareImage } from '#contract/site/share-image.ts';

/**
 * Builds the Open Graph tags (https://ogp.me) of a page from the tags in its head.
 * @returns HTML; empty for a page without a canonical URL
 */
export function shareTags(head: string, { content: { identity, home }, version, origin }: PageFacts): string {
  const url = /<link rel="canonical" href="([^"]*)"/.exec(head)?.[1];
  if (!url) return '';
  const title = /<title>([^<]*)</.exec(head)?.[1] ?? '';
  const description = /<meta name="description" content="([^"]*)"/.exec(head)?.[1] ?? '';
  const properties = {
    'og:type': 'website',
    'og:locale': 'pt_BR',
    'og:site_name': escapeAttribute(identity.shortName),
    'og:url': url,
    'og:title': title.replaceAll('"', '&quot;'),
    'og:description': description,
    'og:image': origin + paths.site.shareImage(version),
    'og:image:type': shareImage.type,
    'og:image:width': shareImage.width,
    'og:image:height': shareImage.height,
    'og:image:alt': escapeAttribute(home.hero.lines.join(' ')),
  };
  const tags = Object.entries(properties).map(
    ([name, content]) => `<meta property="${name}" content="${content}">`,
  );
  return [...tags, '<meta name="twitter:card" content="summary_large_image">'].join('');
}

/**
 * Describes the clinic and its frequently asked questions for search engines, in the terms of schema.org.
 * @returns a JSON-LD script element; empty for pages other than the home page
 */
export function structuredData(path: string, { content, version, origin }: PageFacts): string {
  if (path !== '/') return '';
  const { identity, home, questions } = content;
  const idOf = (name: string) => `${origin}/#${name}`;
  const graph = [
    {
      '@type': 'Physician',
      '@id': idOf('clinica'),
      name: identity.doctorName,
      description: home.description,
      url: `${origin}/`,
      image: origin + paths.site.shareImage(version),
      telephone: `+${identity.whatsapp}`,
      email: identity.email,
      address: { '@type': 'PostalAddress', streetAddress: identity.address.join(', '), addressCountry: 'BR' },
      medicalSpecialty: 'https://schema.org/Psychiatric',
      identifier: registrationsOf(identity).map((text) => {
        const [propertyID, value] = text.split(' ');
        return { '@type': 'PropertyValue', propertyID, value };
      }),
      sameAs: identity.social.map(({ url }) => url),
    },
    {
      '@type': 'WebSite',
      '@id': idOf('site'),
      name: identity.shortName,
      url: `${origin}/`,
      inLanguage: 'pt-BR',
      publisher: { '@id': idOf('clinica') },
    },
    {
      '@type': 'FAQPage',
      '@id': idOf('perguntas'),
      inLanguage: 'pt-BR',
      isPartOf: { '@id': idOf('site') },
      mainEntity: questions.map(({ question, answer }) => ({
        '@type': 'Question',
        name: question,
        acceptedAnswer: { '@type': 'Answer', text: answer.join('\n\n') },
      })),
    },
  ];
  return dataBlock('application/ld+json', { '@context': 'https://schema.org', '@graph': graph });
}

/** Builds a script element that contains only data. It escapes `</script>`, which would end the element. */
export function dataBlock(type: string, data: unknown, id?: string): string {
  const text = JSON.stringify(data).replaceAll('<', '\\u003c');
  return `<script type="${type}"${id ? ` id="${id}"` : ''}>${text}</script>`;
}

const escapeAttribute = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
