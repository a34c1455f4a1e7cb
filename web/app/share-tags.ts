import { paths } from '#contract/paths.ts';
import { descriptionOf } from '#contract/practices/excerpt.ts';
import { secondsOf } from '#contract/practices/length.ts';
import { practicePath } from '#contract/practices/path.ts';
import type { PageFacts } from '#contract/site/document.ts';
import { isPsychiatrist, registrationsOf } from '#contract/site/registrations.ts';
import type { ClosedDays, OpeningHours, Weekday } from '#contract/site/schedule.ts';
import { shareImage } from '#contract/site/share-image.ts';
import { videoEmbedUrl, videoOf } from '#contract/video.ts';

/**
 * Builds the Open Graph tags (https://ogp.me) of a page from the tags in its head.
 * @returns HTML; empty for a page without a canonical URL
 */
export function shareTags(head: string, facts: PageFacts): string {
  const { content, version, site, practicePage } = facts;
  const { identity, home } = content;
  const practice = practicePage?.practice;
  const url = /<link rel="canonical" href="([^"]*)"/.exec(head)?.[1];
  if (!url) return '';
  const title = /<title>([^<]*)</.exec(head)?.[1] ?? '';
  const description = /<meta name="description" content="([^"]*)"/.exec(head)?.[1] ?? '';
  const properties = {
    'og:type': practice ? 'article' : 'website',
    'og:locale': 'pt_BR',
    'og:site_name': escapeAttribute(identity.shortName),
    'og:url': url,
    'og:title': title.replaceAll('"', '&quot;'),
    'og:description': description,
    'og:image':
      site.origin + (practice ? paths.site.practiceImage(practice) : paths.site.shareImage(version)),
    'og:image:type': shareImage.type,
    'og:image:width': shareImage.width,
    'og:image:height': shareImage.height,
    'og:image:alt': escapeAttribute(practice ? practice.title : home.hero.lines.join(' ')),
  };
  const tags = Object.entries(properties).map(
    ([name, content]) => `<meta property="${name}" content="${content}">`,
  );
  return [...tags, '<meta name="twitter:card" content="summary_large_image">'].join('');
}

/**
 * Describes the page for search engines in the vocabulary of schema.org. For the home page, it describes the
 * clinic and its frequently asked questions; for the page of a practice, it describes the practice.
 * @returns a JSON-LD script element; empty for other pages
 */
export function structuredData(path: string, facts: PageFacts): string {
  const graph = path === '/' ? homeGraph(facts) : practiceGraph(facts);
  if (graph.length === 0) return '';
  return dataBlock('application/ld+json', { '@context': 'https://schema.org', '@graph': graph });
}

function homeGraph({ content, version, site: { origin } }: PageFacts): object[] {
  const { identity, home, questions } = content;
  const idOf = (name: string) => `${origin}/#${name}`;
  return [
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
      ...(isPsychiatrist(identity) && { medicalSpecialty: 'https://schema.org/Psychiatric' }),
      identifier: registrationsOf(identity).map((text) => {
        const [propertyID, value] = text.split(' ');
        return { '@type': 'PropertyValue', propertyID, value };
      }),
      ...(identity.schedule.days.length > 0 && {
        openingHoursSpecification: identity.schedule.days.map(openingHours),
      }),
      ...(identity.schedule.closed.length > 0 && {
        specialOpeningHoursSpecification: identity.schedule.closed.map(closedDays),
      }),
      ...(home.doctor.treats.length > 0 && { knowsAbout: home.doctor.treats }),
      ...(home.doctor.training.length > 0 && {
        hasCredential: home.doctor.training.map(({ name }) => ({
          '@type': 'EducationalOccupationalCredential',
          name,
        })),
      }),
      ...(home.contact.route !== '' && { hasMap: home.contact.route }),
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
    ...(questions.length > 0
      ? [
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
        ]
      : []),
  ];
}

/** Describes a practice as a video, an audio or an article, with a breadcrumb from /practices to it. */
function practiceGraph({ content, site: { origin }, practicePage }: PageFacts): object[] {
  const practice = practicePage?.practice;
  if (!practice) return [];
  const { title, url: link, audio, content: text, createdAt, updatedAt } = practice;
  const url = origin + practicePath(practice);
  const video = videoOf(link);
  const seconds = secondsOf(practice);
  const image = origin + paths.site.practiceImage(practice);
  const published = new Date(createdAt).toISOString();
  const shared = {
    name: title,
    description: descriptionOf(text),
    url,
    inLanguage: 'pt-BR',
    datePublished: published,
    dateModified: new Date(updatedAt).toISOString(),
    isAccessibleForFree: true,
    author: { '@type': 'Physician', name: content.identity.doctorName, url: `${origin}/` },
    ...(seconds !== undefined && { timeRequired: `PT${seconds}S` }),
  };
  const media = { thumbnailUrl: image, uploadDate: published };
  const duration = seconds === undefined ? {} : { duration: `PT${seconds}S` };
  const kind = video
    ? { '@type': 'VideoObject', ...media, ...duration, embedUrl: videoEmbedUrl(video) }
    : audio
      ? { '@type': 'AudioObject', ...media, ...duration, contentUrl: new URL(audio, origin).href }
      : { '@type': 'Article', headline: title, image };
  const levels = [
    ['Práticas', `${origin}/practices`],
    [title, url],
  ];
  return [
    { ...kind, ...shared },
    {
      '@type': 'BreadcrumbList',
      itemListElement: levels.map(([name, item], index) => ({
        ...{ '@type': 'ListItem', position: index + 1, name, item },
      })),
    },
  ];
}

const dayNames: Record<Weekday, string> = {
  sun: 'Sunday',
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
};

const openingHours = ({ weekdays, opens, closes }: OpeningHours) => ({
  '@type': 'OpeningHoursSpecification',
  dayOfWeek: weekdays.map((day) => `https://schema.org/${dayNames[day]}`),
  opens,
  // Search engines read hours that end at midnight as hours until the last minute.
  closes: closes === '00:00' ? '23:59' : closes,
});

/** Days with equal times are closed days. */
const closedDays = ({ from, until }: ClosedDays) => ({
  '@type': 'OpeningHoursSpecification',
  validFrom: from,
  validThrough: until || from,
  opens: '00:00',
  closes: '00:00',
});

/** Builds a script element that contains only data. It escapes `</script>`, which would end the element. */
export function dataBlock(type: string, data: unknown, id?: string): string {
  const text = JSON.stringify(data).replaceAll('<', '\\u003c');
  return `<script type="${type}"${id ? ` id="${id}"` : ''}>${text}</script>`;
}

const escapeAttribute = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
