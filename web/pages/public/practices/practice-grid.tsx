import type { Activity } from '#contract/activity.ts';
import type { PracticesTexts } from '#contract/site/content.ts';
import { videoIdOf } from '#contract/video.ts';
import { GeneratedPoster, posterTurns } from '#web/components/art/poster.tsx';
import { DashedMessage } from '#web/components/layout/dashed-message.tsx';
import { PracticeCard } from '#web/components/practice/practice-card.tsx';
import { Lock } from '#web/components/practice/practice-icons.tsx';
import { hasGeneratedPoster } from '#web/components/practice/practice-kind.ts';
import { Crisis } from '../components/crisis.tsx';
import { type LoadFailure, Problem } from '../components/problem.tsx';
import styles from './practice-grid.module.css';

type PracticeGridProps = {
  /** The practices that match the choice; undefined if they could not be loaded. */
  practices: Activity[] | undefined;
  failure: LoadFailure | undefined;
  /** True if an empty grid means that no practice of the list is short enough for the chosen time. */
  leftOut: boolean;
  /** True if the grid contains the phone numbers for a crisis. */
  withCrisis: boolean;
} & Pick<PracticesTexts, 'externalVideo'>;

/** The chosen practices, the phone numbers for a crisis, and a link to a video on another site. */
export function PracticeGrid({
  practices = [],
  failure,
  leftOut,
  withCrisis,
  externalVideo,
}: PracticeGridProps) {
  const [first, ...rest] = practices;
  const generated = practices.filter(hasGeneratedPoster).map(({ axis, id }) => ({ axis, seed: id }));
  const turns = posterTurns([...generated, externalPoster]);
  const firstIsVideo = first && videoIdOf(first.url) !== undefined;
  return (
    <>
      <div className={styles.grid}>
        {first && <PracticeCard activity={first} turn={turns.get(first.id)} wide={firstIsVideo === true} />}
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
