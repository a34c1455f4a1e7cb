import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { type PracticeChoice, practicesPath } from '#contract/practices/choice.ts';
import type { PracticeCardData } from '#contract/practices/page.ts';
import type { PracticesTexts } from '#contract/site/content.ts';
import { videoIdOf } from '#contract/video.ts';
import { GeneratedPoster, posterTurns } from '#web/components/art/poster.tsx';
import { ButtonLink } from '#web/components/button.tsx';
import { DashedMessage } from '#web/components/layout/messages.tsx';
import { PracticeCard } from '#web/components/practice/practice-card.tsx';
import { hasGeneratedPoster } from '#web/components/practice/practice-names.ts';
import { Crisis } from '../components/crisis.tsx';
import { type LoadFailure, Problem } from '../components/problem.tsx';
import styles from './practice-grid.module.css';

type PracticeGridProps = {
  /** The chosen practices of this page; undefined if they could not be loaded. */
  practices: PracticeCardData[] | undefined;
  failure: LoadFailure | undefined;
  /** True if an empty grid means that no practice of the list is short enough for the chosen time. */
  leftOut: boolean;
  /** True if the grid contains the phone numbers for a crisis. */
  withCrisis: boolean;
  page: number;
  pages: number;
} & Pick<PracticesTexts, 'externalVideo'>;

/** The id of the grid, to which links can lead. */
export const gridId = 'lista';

/** The chosen practices, the phone numbers for a crisis, and a link to a video on another site. */
export function PracticeGrid({
  practices = [],
  failure,
  leftOut,
  withCrisis,
  externalVideo,
  page,
  pages,
}: PracticeGridProps) {
  const grid = useRef<HTMLElement>(null);
  const { hash, key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each navigation to the grid moves the focus
  useEffect(() => {
    if (hash === `#${gridId}`) grid.current?.focus({ preventScroll: true });
  }, [hash, key]);
  const [first, ...rest] = practices;
  const generated = practices.filter(hasGeneratedPoster).map(({ axis, id }) => ({ axis, seed: id }));
  const turns = posterTurns([...generated, externalPoster]);
  const firstIsVideo = first && videoIdOf(first.url) !== undefined;
  return (
    // Links to the grid move the focus here, so that the next Tab leads to its first practice.
    <section
      ref={grid}
      className={styles.grid}
      id={gridId}
      tabIndex={-1}
      aria-label={pages > 1 ? `Práticas, página ${page} de ${pages}` : 'Práticas'}
    >
      {first && <PracticeCard practice={first} turn={turns.get(first.id)} wide={firstIsVideo === true} />}
      {failure && <Problem {...failure} />}
      {!failure && !first && <Nothing leftOut={leftOut} />}
      {withCrisis && (
        <Crisis
          id="noite"
          className={styles.crisis}
          title="Se agora está pesado demais"
          lead="Prática nenhuma precisa dar conta disso. Fale com alguém."
        />
      )}
      {rest.map((practice) => (
        <PracticeCard key={practice.id} practice={practice} turn={turns.get(practice.id)} />
      ))}
      <ExternalVideo {...externalVideo} turn={turns.get(externalPoster.seed)} />
    </section>
  );
}

const Nothing = ({ leftOut }: { leftOut: boolean }) =>
  leftOut ? (
    <DashedMessage headline="Nenhuma prática daqui cabe neste tempo.">
      <p>Escolha outro tempo, ou veja outro tipo de prática.</p>
    </DashedMessage>
  ) : (
    <DashedMessage headline="Nenhuma prática por aqui ainda.">
      <p>As primeiras estão sendo preparadas. Volte quando quiser.</p>
    </DashedMessage>
  );

const externalPoster = { axis: 'mind', seed: 'tiles' } as const;

type ExternalVideoProps = PracticesTexts['externalVideo'] & { turn: number | undefined };

function ExternalVideo({ title, text, url, turn }: ExternalVideoProps) {
  return (
    <a className={styles.external} data-axis="mind" href={url} target="_blank" rel="noopener">
      <div>
        <h2>{title}</h2>
        <p>{text}</p>
      </div>
      <div className={styles.picture}>
        <GeneratedPoster {...externalPoster} turn={turn ?? 0} />
      </div>
    </a>
  );
}

/** Links to the page before and after this one, if there is more than one page. */
export function PageLinks({ choice, pages }: { choice: PracticeChoice; pages: number }) {
  const { page } = choice;
  if (pages < 2) return null;
  // The links lead to the grid, so that the visitor need not scroll over the head of the page again.
  const pathOf = (page: number) => `${practicesPath({ ...choice, page })}#${gridId}`;
  return (
    <nav className={styles.pages} aria-label="Páginas de práticas">
      {page > 1 && (
        <ButtonLink variant="quiet" rel="prev" to={pathOf(page - 1)}>
          Práticas anteriores
        </ButtonLink>
      )}
      <p>{`Página ${page} de ${pages}`}</p>
      {page < pages && (
        <ButtonLink variant="quiet" rel="next" to={pathOf(page + 1)}>
          Mais práticas
        </ButtonLink>
      )}
    </nav>
  );
}
