import { Button } from '#web/components/button.tsx';
import { Dialog } from '#web/components/dialog.tsx';

/** Asks before the dialog of a user closes with changes that are not saved. */
export function DiscardChanges({
  name,
  saving,
  onDiscard,
  onClose,
}: {
  name: string;
  /** True while the changes are being saved. */
  saving: boolean;
  onDiscard: () => void;
  onClose: () => void;
}) {
  return (
    <Dialog
      title="Fechar sem salvar?"
      size="narrow"
      onClose={onClose}
      footer={
        <>
          <Button variant="danger" onClick={onDiscard}>
            Fechar sem salvar
          </Button>
          <Button onClick={onClose}>Continuar editando</Button>
        </>
      }
    >
      <p>
        {saving
          ? `As mudanças em ${name} ainda estão sendo salvas. Se você fechar agora, não vai saber se deu certo.`
          : `As mudanças em ${name} ainda não foram salvas.`}
      </p>
    </Dialog>
  );
}
