import { ErrorView } from '#web/components/layout/error-view.tsx';

export function Component() {
  return (
    <ErrorView title="Não achamos esta página">
      O endereço pode ter mudado, ou o link veio incompleto.
    </ErrorView>
  );
}
