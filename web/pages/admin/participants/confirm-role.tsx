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
        gives
          ? `Tornar a conta de ${user.displayName} administradora?`
          : `Tirar a administração de ${user.displayName}?`
      }
      size="narrow"
      onClose={onClose}
      footer={
        <>
          <Button variant="quiet" onClick={onClose}>
            Cancelar
          </Button>
          <Button variant="danger" onClick={onConfirm}>
            {gives ? 'Tornar administradora' : 'Tirar a administração'}
          </Button>
        </>
      }
    >
      <p>
        {gives
          ? `Quem entra com ${user.email} passa a ver os dados de todas as pessoas, a mudar as práticas e a escolher papéis.`
          : `Quem entra com ${user.email} deixa na hora de ver esta área. As práticas que publicou ficam.`}
      </p>
    </Dialog>
  );
}
