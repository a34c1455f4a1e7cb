import { hasCode } from '#client/client-error.ts';
import type { ListedActivity } from '#contract/activity.ts';
import { useServices } from '#web/app/services-context.ts';
import { Button } from '#web/components/button.tsx';
import { Dialog } from '#web/components/dialog.tsx';
import { useSignInAgain } from '#web/components/form/sign-in-again.tsx';
import { Quoted } from '#web/components/layout/messages.tsx';
import { FormMessage } from '#web/components/notice.tsx';
import { useAction } from '#web/components/use-action.ts';
import styles from './delete-activity.module.css';

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
  const { client } = useServices();
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
      <div className={styles.text}>
        <p>A prática sai do site. Logo depois ainda dá para desfazer.</p>
        <FormMessage {...failure} />
      </div>
      {signInAgain}
    </Dialog>
  );
}
