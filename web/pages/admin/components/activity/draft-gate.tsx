import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useSession } from '#web/app/services.ts';
import { userOf } from '#web/app/session.ts';
import { Button } from '#web/components/button.tsx';
import { dateAndTime } from '#web/components/date-and-time.ts';
import { draftKey, removeDraft } from '../drafts/device-drafts.ts';
import styles from './draft-gate.module.css';
import { findDrafts, type KeptDraft } from './drafts.ts';

/** The draft that a form starts with, if any, and the key under which the form stores its draft. */
export type InitialDraft = { key: string | undefined; draft: KeptDraft | undefined };

/**
 * Asks, before a form opens, what to do with the drafts that this user has on this device.
 * @param scope the id of the edited activity; `new.` for a new activity
 */
export function DraftGate({
  scope,
  children,
}: {
  scope: string;
  children: (start: InitialDraft) => ReactNode;
}) {
  const uid = userOf(useSession())?.id;
  // Keep the key of the first render: if the session ends while the form is open, the draft still belongs to
  // this user.
  const [start] = useState(() => uid && draftKey(uid, scope));
  const [drafts, setDrafts] = useState(() => (start ? findDrafts(start) : []));
  const [chosen, setChosen] = useState<KeptDraft>();
  // Each tab with a new activity needs its own key.
  const [ownKey] = useState(() => start && (start.endsWith('.') ? start + Date.now() : start));
  const [asked] = useState(drafts.length > 0);

  if (drafts.length > 0 && !chosen) {
    return (
      <DraftOffer
        drafts={drafts}
        onContinue={setChosen}
        onDiscard={({ key }) => {
          removeDraft(key);
          setDrafts(drafts.filter((draft) => draft.key !== key));
        }}
      />
    );
  }
  return <Focused when={asked}>{children({ key: chosen?.key ?? ownKey, draft: chosen })}</Focused>;
}

function DraftOffer({
  drafts,
  onContinue,
  onDiscard,
}: {
  drafts: KeptDraft[];
  onContinue: (draft: KeptDraft) => void;
  onDiscard: (draft: KeptDraft) => void;
}) {
  return (
    <section className={styles.offer} aria-labelledby="rascunhos">
      <h2 id="rascunhos">{drafts.length === 1 ? 'Há um rascunho seu' : 'Há rascunhos seus'}</h2>
      <p>Está só neste aparelho e ainda não foi para a biblioteca.</p>
      <ul className={styles.drafts}>
        {drafts.map((draft) => (
          <li key={draft.key} className={styles.draft}>
            <div className={styles.text}>
              <h3>{draft.values.title.trim() || 'Sem título'}</h3>
              {draft.values.content.trim() && <p className={styles.excerpt}>{draft.values.content}</p>}
              <p className={styles.time}>{dateAndTime(draft.at)}</p>
            </div>
            <div className={styles.choices}>
              <Button size="small" onClick={() => onContinue(draft)}>
                Continuar rascunho
              </Button>
              <Button size="small" variant="danger" onClick={() => onDiscard(draft)}>
                Descartar
              </Button>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Moves the focus to the first field, because the pressed button is gone. */
function Focused({ when, children }: { when: boolean; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (when) box.current?.querySelector<HTMLElement>('input, textarea')?.focus();
  }, [when]);
  return <div ref={box}>{children}</div>;
}
