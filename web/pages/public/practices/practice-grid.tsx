import { Fragment, type ReactNode, useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { isUnfiltered, type PracticeChoice, practicesPath } from '#contract/practices/choice.ts';
import type { PracticesPage } from '#contract/practices/page.ts';
import type { PracticesTexts } from '#contract/site/content.ts';
import { GeneratedPoster, posterTurns } from '#web/components/art/poster.tsx';
import { ButtonLink } from '#web/components/button.tsx';
import { DashedMessage } from '#web/components/layout/messages.tsx';
import { PracticeCard } from '#web/components/practice/practice-card.tsx';
import { hasGeneratedPoster } from '#web/components/practice/practice-names.ts';
import { type LoadFailure, Problem } from '../components/problem.tsx';
import styles from './practice-grid.module.css';

type PracticeGridProps = {
  choice: PracticeChoice;
  /** The chosen practices of this page; undefined if they could not be loaded. */
  chosen: PracticesPage | undefined;
  failure: LoadFailure | undefined;
  /** The card with the tips. It comes after the first practices. */
  guidance: ReactNode;
  /** Help for the night and in a crisis, in a row of its own. */
  help: ReactNode;
} & Pick<PracticesTexts, 'externalVideo'>;

/** The id of the grid, to which links can lead. */
export const gridId = 'lista';

/** The number of practices before the card with the tips, and before the help. */
const [beforeGuidance, beforeHelp] = [4, 8];

/** The chosen practices, tips, help, and a link to a video on another site. */
export function PracticeGrid({ choice, chosen, failure, guidance, help, externalVideo }: PracticeGridProps) {
  const grid = useRef<HTMLElement>(null);
  const { hash, key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each navigation to the grid moves the focus
  useEffect(() => {
    if (hash === `#${gridId}`) grid.current?.focus({ preventScroll: true });
  }, [hash, key]);
  const { practices = [], page = 1, pages = 1 } = chosen ?? {};
  const nothingChosen = isUnfiltered(choice);
  const generated = practices.filter(hasGeneratedPoster).map(({ axis, id }) => ({ axis, seed: id }));
  const turns = posterTurns([...generated, externalPoster]);
  return (
    // Links to the grid move the focus here, so that the next Tab leads to its first practice.
    <section
      ref={grid}
      className={styles.grid}
      id={gridId}
      tabIndex={-1}
      aria-label={pages > 1 ? `Práticas, página ${page} de ${pages}` : 'Práticas'}
    >
      {failure && <Problem {...failure} />}
      {!failure && practices.length === 0 && <Nothing search={choice.search} chosen={!nothingChosen} />}
      {practices.map((practice, place) => (
        <Fragment key={practice.id}>
          {place === beforeGuidance && guidance}
          {place === beforeHelp && <div className={styles.help}>{help}</div>}
          <PracticeCard practice={practice} turn={turns.get(practice.id)} />
        </Fragment>
      ))}
      {(practices.length > 0 || nothingChosen) && practices.length <= beforeGuidance && guidance}
      {practices.length <= beforeHelp && <div className={styles.help}>{help}</div>}
      {externalVideo.url && <ExternalVideo {...externalVideo} turn={turns.get(externalPoster.seed)} />}
    </section>
  );
}

/** Says that no practice fits, and offers all. */
function Nothing({ search, chosen }: { search: string; chosen: boolean }) {
  if (!chosen)
    return (
      <DashedMessage headline="Nenhuma prática por aqui ainda.">
        <p>As primeiras estão sendo preparadas. Volte quando quiser.</p>
      </DashedMessage>
    );
  return (
    <DashedMessage
      headline={search === '' ? 'Nenhuma prática cabe nesta escolha.' : `Nada por aqui com “${search}”.`}
    >
      <p>
        {search === ''
          ? 'Tente outra escolha, ou veja todas.'
          : 'Tente uma palavra mais curta, ou veja todas.'}
      </p>
      <ButtonLink variant="quiet" to={practicesPath({})}>
        Ver todas as práticas
      </ButtonLink>
    </DashedMessage>
  );
}

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
