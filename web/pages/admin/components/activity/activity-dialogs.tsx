import { useState } from 'react';
import { hasCode } from '#client/client-error.ts';
import type { ListedActivity } from '#contract/activity.ts';
import { client } from '#web/app/client.ts';
import { useContent } from '#web/app/services.ts';
import { Button, ButtonLink } from '#web/components/button.tsx';
import { Deferred, deferred, SkeletonBar } from '#web/components/deferred.tsx';
import { Dialog } from '#web/components/dialog.tsx';
import { useSignInAgain } from '#web/components/form/sign-in-again.tsx';
import { Quoted } from '#web/components/layout/messages.tsx';
import { FormMessage } from '#web/components/notice.tsx';
import { PlainText } from '#web/components/plain-text.tsx';
import { hostName } from '#web/components/practice/outside-link.tsx';
import { useAction } from '#web/components/use-action.ts';
import styles from './activity-dialogs.module.css';
import { editTarget } from './activity-paths.ts';
import { AxisChip } from './axis.tsx';

/** A dialog that shows an activity's title and content. */
export function ActivityReader({ activity, onClose }: { activity: ListedActivity; onClose: () => void }) {
  const { shortName } = useContent('identity');
  const [whole, setWhole] = useState(read);

  function read() {
    const { content } = activity;
    return deferred<{ content: string } | undefined>(
      content === undefined ? client.documents.findActivity(activity) : Promise.resolve({ content }),
    );
  }

  return (
    <Dialog
      title={activity.title}
      onClose={onClose}
      footer={
        <>
          <ButtonLink variant="quiet" {...editTarget(activity)}>
            Editar
          </ButtonLink>
          <Button onClick={onClose}>Fechar</Button>
        </>
      }
    >
      <div className={styles.text}>
        <p className={styles.clinic}>{shortName}</p>
        <AxisChip axis={activity.axis} />
        <Deferred value={whole} skeleton={<SkeletonBar />} retry={() => setWhole(read())}>
          {(found) => <PlainText text={found?.content ?? 'Esta prática não está mais aqui.'} />}
        </Deferred>
        <a href={activity.url} target="_blank" rel="noopener noreferrer">
          <span>{`Abrir em ${hostName(activity.url)}`}</span>
          <span className="visually-hidden"> (abre em outra aba)</span>
        </a>
      </div>
    </Dialog>
  );
}

/** A dialog that asks before it deletes an activity. */
export function DeleteActivity({
  activity,
  onClose,
  onDeleted,
}: {
  activity: ListedActivity;
  onClose: () => void;
  /** @param byKeyboard true if the user confirmed with a key, not with a pointer */
  onDeleted: (byKeyboard: boolean) => void;
}) {
  const { withSession, signInAgain } = useSignInAgain();
  const { pending, failure, run } = useAction();

  const confirm = (byKeyboard: boolean) =>
    run(async () => {
      try {
        await withSession(() => client.documents.deleteActivity(activity));
      } catch (error) {
        // Another admin has already deleted it: that is the wanted result.
        if (!hasCode(error, 'documents/not-found')) throw error;
      }
      onDeleted(byKeyboard);
    });

  return (
    <Dialog
      title={<Quoted english={`Delete ${activity.title}?`}>{`Deletar ${activity.title}?`}</Quoted>}
      size="narrow"
      onClose={onClose}
      footer={
        <>
          <Button variant="quiet" onClick={onClose}>
            Cancelar
          </Button>
          <Button
            variant="danger"
            aria-disabled={pending || undefined}
            onClick={({ detail }) => confirm(detail === 0)}
          >
            {pending ? 'Deletando…' : 'Deletar'}
          </Button>
        </>
      }
    >
      <div className={styles.deletionText}>
        <p>A prática sai do site. Logo depois ainda dá para desfazer.</p>
        <FormMessage {...failure} />
      </div>
      {signInAgain}
    </Dialog>
  );
}
