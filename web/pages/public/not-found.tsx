import { ErrorView } from '#web/parts/error-view.tsx';

export function Component() {
  return <ErrorView>Este endereço não existe, ou mudou de lugar.</ErrorView>;
}
