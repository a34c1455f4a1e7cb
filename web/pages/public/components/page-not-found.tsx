import { ErrorView } from '#web/components/layout/messages.tsx';

/** The page for all paths that do not exist. */
export function PageNotFound() {
  return (
    <ErrorView title="Não achamos esta página">
      O endereço pode ter mudado, ou o link veio incompleto.
    </ErrorView>
  );
}
