import { History } from 'lucide-react';
import { useRef, useState } from 'react';
import { useRevalidator } from 'react-router';
import { hasCode } from '#client/client-error.ts';
import type { DeletedActivity } from '#contract/activity.ts';
import { listOf, type MainAxis } from '#contract/axes.ts';
import { limits } from '#contract/limits.ts';
import { client } from '#web/app/client.ts';
import { Button } from '#web/components/button.tsx';
import { dateAndTime } from '#web/components/date-and-time.ts';
import { Deferred, deferred, SkeletonBar } from '#web/components/deferred.tsx';
import { Dialog } from '#web/components/dialog.tsx';
import { useSignInAgain } from '#web/components/form/sign-in-again.tsx';
import { FormMessage } from '#web/components/notice.tsx';
import { useAction } from '#web/components/use-action.ts';
import { AxisChip } from '../components/activity/axis.tsx';
import styles from './trash.module.css';

type OnRestored = (activity: DeletedActivity) => void;

/** A button that shows the deleted activities of the list. Any admin can restore them for a day. */
export function Trash({ axis, onRestored }: { axis: MainAxis; onRestored: OnRestored }) {
  const [deleted, setDeleted] = useState<Promise<DeletedActivity[]>>();
  const read = () => setDeleted(deferred(client.documents.getDeletedActivities(listOf(axis))));
  const close = () => setDeleted(undefined);

  return (
    <>
      <Button variant="quiet" size="small" className={styles.open} aria-haspopup="dialog" onClick={read}>
        <History /> Deletadas
      </Button>
      {deleted && (
        <Dialog
          title="Deletadas nas últimas 24 horas"
          onClose={close}
          footer={<Button onClick={close}>Fechar</Button>}
        >
          <Deferred value={deleted} skeleton={<SkeletonBar width="full" />} retry={read}>
            {(found) => <DeletedList found={found} axis={axis} onRestored={onRestored} />}
          </Deferred>
        </Dialog>
      )}
    </>
  );
}

function DeletedList({
  found,
  axis,
  onRestored,
}: {
  found: DeletedActivity[];
  axis: MainAxis;
  onRestored: OnRestored;
}) {
  const { revalidate } = useRevalidator();
  const { withSession, signInAgain } = useSignInAgain();
  const { pending, failure, run } = useAction();
  const [left, setLeft] = useState(found);
  const [done, setDone] = useState('');
  const message = useRef<HTMLParagraphElement>(null);

  /** Removes an activity from the dialog. The activity's button had the focus, so the message takes it. */
  function leaveOut({ id }: DeletedActivity, sentence: string) {
    setLeft((before) => before.filter((one) => one.id !== id));
    setDone(sentence);
    message.current?.focus();
  }

  const restore = (activity: DeletedActivity) =>
    run(async () => {
      setDone('');
      try {
        await withSession(() => client.documents.restoreActivity(activity));
      } catch (error) {
        if (!hasCode(error, 'documents/not-found')) throw error;
        leaveOut(
          activity,
          `“${activity.title}” não está mais aqui: as 24 horas passaram, ou alguém já a restaurou.`,
        );
        return;
      }
      leaveOut(activity, `“${activity.title}” está de volta na lista.`);
      onRestored(activity);
      void revalidate();
    });

  return (
    <div className={styles.trash}>
      <p ref={message} className={styles.done} role="status" tabIndex={-1}>
        {done}
      </p>
      <FormMessage {...failure} />
      {left.length === 0 && <p>{done ? 'Não há mais nada aqui.' : 'Nenhuma prática foi deletada.'}</p>}
      {left.length > 0 && (
        // biome-ignore lint/a11y/noRedundantRoles: without list markers, Safari does not expose it as a list.
        <ul className={styles.list} role="list">
          {left.map((activity) => (
            <li key={activity.id} className={styles.row}>
              <div className={styles.text}>
                <h3>{activity.title}</h3>
                <p className={styles.meta}>
                  {axis === 'values' && <AxisChip axis={activity.axis} />}
                  <span>
                    <span>
                      {activity.deletedBy ? `Deletada por ${activity.deletedBy} em` : 'Deletada em'}
                    </span>{' '}
                    <Time at={activity.deletedAt} />
                  </span>
                  <span>
                    Dá para restaurar até <Time at={activity.restorableUntil} />
                  </span>
                </p>
              </div>
              <Button
                variant="quiet"
                size="small"
                aria-disabled={pending || undefined}
                onClick={() => restore(activity)}
              >
                Restaurar<span className="visually-hidden"> {activity.title}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
      {found.length === limits.listedDeletions && (
        <p className={styles.meta}>{`Só as ${limits.listedDeletions} últimas aparecem aqui.`}</p>
      )}
      {signInAgain}
    </div>
  );
}

const Time = ({ at }: { at: number }) => <time dateTime={new Date(at).toISOString()}>{dateAndTime(at)}</time>;
