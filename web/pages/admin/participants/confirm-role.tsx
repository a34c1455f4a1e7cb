import type { ListedUser, Member } from '#contract/user.ts';
import { Button } from '#web/components/button.tsx';
import { Dialog } from '#web/components/dialog.tsx';

/** Asks before a user gets or loses the admin role. */
export function ConfirmRole({
  user,
  next,
  onConfirm,
  onClose,
}: {
  user: ListedUser;
  next: Member;
  onConfirm: () => void;
  onClose: () => void;
}) {
  const gives = next === 'admin';
  return (
    <Dialog
      title={
        gives ? `Dar a administração a ${user.displayName}?` : `Tirar a administração de ${user.displayName}?`
      }
      size="narrow"
      onClose={onClose}
      footer={
        <>
          <Button variant="quiet" onClick={onClose}>
            Cancelar
          </Button>
          <Button variant="danger" onClick={onConfirm}>
            {gives ? 'Dar a administração' : 'Tirar a administração'}
          </Button>
        </>
      }
    >
      <p>
        {gives
          ? `${user.email} passa a ver os dados de todas as pessoas, a mudar as práticas e a dar e tirar papéis.`
          : `${user.email} deixa na hora de ver esta área. As práticas que publicou ficam.`}
      </p>
    </Dialog>
  );
}
