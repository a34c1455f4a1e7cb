import { Fragment, type ReactNode } from 'react';
import type { AboutTexts } from '#contract/site/about.ts';
import { aboutParts, shownParts } from '#contract/site/parts.ts';
import { contentLoader, useContent } from '#web/app/services.ts';
import { Edge } from '#web/components/art/hexaflex.tsx';
import { BookingLink } from '#web/components/layout/contact-links.tsx';
import { PageTitle } from '#web/components/layout/page-title.tsx';
import { PlainText } from '#web/components/plain-text.tsx';
import { Processes } from './about/processes.tsx';
import styles from './about.module.css';
import { Disclosure } from './components/disclosure.tsx';
import { Paragraphs } from './components/paragraphs.tsx';

export const loader = contentLoader('about', 'arrangement');

export function Component() {
  const about = useContent('about');
  const arrangement = useContent('arrangement').about;
  const parts = {
    act: <Act {...about} />,
    fap: <Fap texts={about.fap} />,
    together: <Together texts={about.together} />,
  };
  return (
    <>
      <PageTitle title={about.pageTitle} description={about.description} path="/about" />
      <header className={styles.head}>
        <h1 className="page-title">{about.title}</h1>
        <p className="lead">{about.lead}</p>
      </header>
      {shownParts(arrangement, aboutParts).map((part) => (
        <Fragment key={part}>{parts[part]}</Fragment>
      ))}
    </>
  );
}

function Act({ act, processes }: Pick<AboutTexts, 'act' | 'processes'>) {
  const named = processes.filter(({ theory }) => theory !== '');
  return (
    <section className={styles.act} aria-labelledby="act">
      <div className={styles.text}>
        <h2 id="act">{act.title}</h2>
        <Paragraphs texts={act.paragraphs} />
      </div>
      <Processes goal={act.goal} processes={processes} />
      {named.length > 0 && (
        <Theory>
          <dl className={styles.names}>
            {named.map(({ id, name, theory }) => (
              <div key={id}>
                <dt>{name}</dt>
                <dd>{theory}</dd>
              </div>
            ))}
          </dl>
        </Theory>
      )}
    </section>
  );
}

function Fap({ texts: fap }: { texts: AboutTexts['fap'] }) {
  return (
    <section className={styles.fap} aria-labelledby="fap">
      <Edge into="mist" />
      <div className={styles.mist}>
        <div className={styles.text}>
          <h2 id="fap">{fap.title}</h2>
          <Paragraphs texts={fap.paragraphs} />
        </div>
        <Theory>
          <div>
            <p className={styles.behavioursLead}>{fap.behavioursLead}</p>
            <dl className={styles.behaviours}>
              {fap.behaviours.map(({ title, text }, index) => (
                <div key={index}>
                  <dt>{title}</dt>
                  <dd>
                    <PlainText text={text} />
                  </dd>
                </div>
              ))}
            </dl>
          </div>
          <div className={styles.rules}>
            <h3>{fap.rulesTitle}</h3>
            <ol>
              {fap.rules.map(({ title, text }, index) => (
                <li key={index}>
                  <strong>{title}</strong>
                  <PlainText text={text} className={styles.words} />
                </li>
              ))}
            </ol>
          </div>
        </Theory>
      </div>
      <Edge into="paper" />
    </section>
  );
}

function Together({ texts }: { texts: AboutTexts['together'] }) {
  return (
    <section className={styles.together} aria-labelledby="remedio">
      <h2 id="remedio">{texts.title}</h2>
      <div>
        <Paragraphs texts={texts.paragraphs} />
        <BookingLink />
      </div>
    </section>
  );
}

/** Terms of the literature, which patients do not need. */
const Theory = ({ children }: { children: ReactNode }) => (
  <Disclosure summary="Para quem quer a teoria" className={styles.theory}>
    {children}
  </Disclosure>
);
