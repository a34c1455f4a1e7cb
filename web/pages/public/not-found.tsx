import { ErrorView } from '#web/components/layout/error-view.tsx';

export function Component() {
  return <ErrorView>Este endereço não existe, ou mudou de lugar.</ErrorView>;
}
