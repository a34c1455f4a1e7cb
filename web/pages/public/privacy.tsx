import { fullDate } from '#contract/calendar.ts';
import type { PracticesTexts, PrivacyTexts } from '#contract/site/content.ts';
import type { Identity } from '#contract/site/identity.ts';
import { contentLoader, useContent } from '#web/app/services.ts';
import { PageTitle } from '#web/components/layout/page-title.tsx';
import { softwareSections, softwareSectionsUpdated } from './privacy/software-sections.ts';
import styles from './privacy.module.css';

export const loader = contentLoader('privacy', 'practices');

export function Component() {
  const privacy = useContent('privacy');
  const sections = privacySections(useContent('identity'), privacy, useContent('practices'));
  const [updated = ''] = [privacy.updated, softwareSectionsUpdated].sort().reverse();
  return (
    <div className={styles.privacy}>
      <PageTitle title="Privacidade" description={privacy.description} path="/privacidade" />
      <header className={styles.head}>
        <h1 className="page-title">Privacidade</h1>
        <p className="lead">{privacy.lead}</p>
      </header>
      <nav className={styles.contents} aria-label="Nesta página">
        <ul>
          {sections.map(({ id, title }) => (
            <li key={id}>
              <a href={`#${id}`}>{title}</a>
            </li>
          ))}
        </ul>
      </nav>
      <div className={styles.sections}>
        {sections.map(({ id, title, blocks }) => (
          <section key={id} id={id} aria-labelledby={`titulo-${id}`}>
            <h2 id={`titulo-${id}`}>{title}</h2>
            {blocks.map((block, index) =>
              typeof block === 'string' ? (
                <p key={index}>{withMailLinks(block)}</p>
              ) : (
                <ul key={index}>
                  {block.map((point, place) => (
                    <li key={place}>{point}</li>
                  ))}
                </ul>
              ),
            )}
          </section>
        ))}
        <p className={styles.updated}>{`Última mudança: ${fullDate(updated)}.`}</p>
      </div>
    </div>
  );
}

/** Converts the email addresses in the text into links. */
function withMailLinks(text: string) {
  return text.split(/((?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+)/).map((piece, place) =>
    place % 2 === 1 ? (
      <a key={place} href={`mailto:${piece}`}>
        {piece}
      </a>
    ) : (
      piece
    ),
  );
}

/** Returns all sections of the privacy page. The ids of the clinic's own sections come from their titles. */
function privacySections(identity: Identity, { sections }: PrivacyTexts, practices: PracticesTexts) {
  const { first, last } = softwareSections(identity, practices);
  const taken = new Set<string>();
  const own = sections.map((section) => {
    // The prefix avoids a collision with the document's other ids, for example those of its JSON data.
    const id = freeId(['clinica', idFrom(section.title)].filter(Boolean).join('-'), taken);
    taken.add(id);
    return { ...section, id };
  });
  return [...first, ...own, ...last];
}

/** Returns the wanted id, with a number appended if another section already has that id. */
function freeId(wanted: string, taken: ReadonlySet<string>): string {
  let id = wanted;
  for (let number = 2; taken.has(id); number += 1) id = `${wanted}-${number}`;
  return id;
}

/** Converts a title to lower case without accents; hyphens replace all other characters. */
const idFrom = (title: string) =>
  title
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
    .join('-');
