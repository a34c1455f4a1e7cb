import { Suspense, useEffect, useRef, useState } from 'react';
import type { Activity } from '#contract/activity.ts';
import { mainAxisOf } from '#contract/axes.ts';
import { needsCrisisPanel } from '#contract/diary/crisis.ts';
import type { DiaryEntry, KeptItem } from '#contract/diary/entry.ts';
import { practiceChoiceIn } from '#contract/practices/choice.ts';
import { practicePath } from '#contract/practices/path.ts';
import { lazyComponent } from '#web/app/lazy-component.ts';
import { useContent, useServices } from '#web/app/services.ts';
import { Button, ButtonLink } from '#web/components/button.tsx';
import { dayAndWeekday } from '#web/components/date-and-time.ts';
import { Link } from '#web/components/link.tsx';
import { CrisisPanel } from './crisis-panel.tsx';
import styles from './saved-entry.module.css';
import type { Saved } from './use-entry-saving.ts';

/** Only for devices on which the user has chosen use without network. */
const SentState = lazyComponent(
  'offline/sent-state',
  async () => (await import('#web/offline/sent-state.tsx')).SentState,
);

/**
 * What follows a saved entry: the help in a crisis if its words are heavy, otherwise one practice that fits.
 * @param earlier the entries that were known before
 * @param onNext begins another entry
 */
export function SavedEntry({
  saved: { entry, isQueued },
  earlier,
  onNext,
}: {
  saved: Saved;
  earlier: readonly KeptItem[];
  onNext: () => void;
}) {
  const { words, crisisPhrases: phrases } = useContent('diary');
  const practice = useFittingPractice(entry);
  const readable = earlier.flatMap((one) => ('unreadable' in one ? [] : one));
  const [isHeavy] = useState(() => needsCrisisPanel({ entry, earlier: readable, words, phrases }));
  const [isOpen, setOpen] = useState(isHeavy);
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // The help takes the focus itself.
    if (!isHeavy) title.current?.focus();
  }, [isHeavy]);
  return (
    <div className={styles.saved}>
      <header>
        <h1 ref={title} tabIndex={-1} className={styles.title}>
          Guardado.
        </h1>
        {isQueued ? (
          <Suspense>
            <SentState id={entry.id} day={entry.day} />
          </Suspense>
        ) : (
          <p>
            <span>{`Está no seu diário: ${dayAndWeekday(entry.day)}.`}</span>
            {entry.joined && (
              <span> A nota juntou os textos de dois aparelhos. Confira se ficou como você quer.</span>
            )}
          </p>
        )}
      </header>
      {isOpen && <CrisisPanel onClose={() => setOpen(false)} />}
      {practice && !isHeavy && (
        <p className={styles.practice}>
          <span>Se quiser seguir daqui:</span> <Link to={practicePath(practice)}>{practice.title}</Link>
        </p>
      )}
      <p className={styles.actions}>
        <ButtonLink to="/diario">Ver o diário</ButtonLink>
        <Button variant="quiet" onClick={onNext}>
          Anotar mais
        </Button>
      </p>
    </div>
  );
}

/**
 * Returns one practice of the axis toward which the user's step leads. It interprets nothing that was
 * written, and its request is the same whether or not the entry is heavy.
 */
function useFittingPractice({ toward, practices }: DiaryEntry) {
  const { pageData } = useServices();
  const [practice, setPractice] = useState<Pick<Activity, 'id' | 'title'>>();
  useEffect(() => {
    const stop = new AbortController();
    const axis = toward ? mainAxisOf(toward.axis) : 'values';
    pageData.practices({ ...practiceChoiceIn(new URLSearchParams(), []), axis }, stop.signal).then(
      (found) => setPractice(found.practices.find(({ id }) => !practices.includes(id))),
      // The suggestion is optional.
      () => {},
    );
    return () => stop.abort();
  }, [pageData, toward, practices]);
  return practice;
}
