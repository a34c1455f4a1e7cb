import { useCallback, useEffect } from 'react';
import { useRevalidator } from 'react-router';
import type { Activity } from '#contract/activity.ts';
import type { MainAxis } from '#contract/axes.ts';
import type { PracticesTexts } from '#contract/site/content.ts';
import { videoIdOf } from '#contract/video.ts';
import { reloadPage } from '#web/app/reload-after-deploy.ts';
import { Hexaflex } from '#web/components/art/hexaflex.tsx';
import { GeneratedPoster, posterTurns } from '#web/components/art/poster.tsx';
import { Button } from '#web/components/button.tsx';
import { Crisis } from '../components/crisis.tsx';
import { hasGeneratedPoster, PracticeCard } from './practice-card.tsx';
import styles from './practice-grid.module.css';
import { Lock } from './practice-icons.tsx';

type LoadFailure = { problem: string; codeMissing: boolean };
export type PracticesData = { axis: MainAxis } & ({ activities: Activity[] } | LoadFailure);

type PracticeGridProps = { data: PracticesData } & Pick<PracticesTexts, 'externalVideo'>;

/** All practices of a list, the help in a crisis, and a link to a video on another site. */
export function PracticeGrid({ data, externalVideo }: PracticeGridProps) {
  const activities = 'activities' in data ? data.activities : [];
  const [first, ...rest] = activities;
  const generated = activities.filter(hasGeneratedPoster).map(({ axis, id }) => ({ axis, seed: id }));
  const turns = posterTurns([...generated, externalPoster]);
  const firstIsVideo = first && videoIdOf(first.url) !== undefined;
  return (
    <>
      <div className={styles.grid}>
        {first && <PracticeCard activity={first} turn={turns.get(first.id)} wide={firstIsVideo === true} />}
        {'problem' in data && <Problem {...data} />}
        {'activities' in data && !first && <Nothing />}
        <Crisis
          className={styles.crisis}
          title="Se agora está pesado demais"
          lead="Prática nenhuma precisa dar conta disso. Fale com alguém."
        />
        {rest.map((activity) => (
          <PracticeCard key={activity.id} activity={activity} turn={turns.get(activity.id)} />
        ))}
        <ExternalVideo {...externalVideo} turn={turns.get(externalPoster.seed)} />
      </div>
      <p className={styles.note}>
        <Lock />
        <span>
          Nada é carregado do YouTube até você tocar em Assistir. A partir daí, vale também a política de
          privacidade do Google.
        </span>
      </p>
    </>
  );
}

function Nothing() {
  return (
    <div className={styles.message}>
      <Hexaflex lit={0} className={styles.mark} />
      <p className={styles.headline}>Nenhuma prática por aqui ainda.</p>
      <p>As primeiras estão sendo preparadas. Volte quando quiser.</p>
    </div>
  );
}

function Problem({ problem, codeMissing }: LoadFailure) {
  const { revalidate, state } = useRevalidator();
  const again = useCallback(() => {
    // Some browsers do not retry a failed module until the page is reloaded.
    if (codeMissing) reloadPage();
    else void revalidate();
  }, [codeMissing, revalidate]);
  useEffect(() => {
    // After a lost connection, load again when the browser is online.
    window.addEventListener('online', again);
    return () => window.removeEventListener('online', again);
  }, [again]);
  return (
    <div className={styles.message} role="alert">
      <Hexaflex lit={0} className={styles.mark} />
      <p className={styles.headline}>As práticas não puderam ser carregadas.</p>
      <p>{problem}</p>
      <Button variant="quiet" disabled={state === 'loading'} onClick={again}>
        Tentar de novo
      </Button>
    </div>
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
