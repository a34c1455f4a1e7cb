import { PageTitle } from '#web/parts/page-title.tsx';

export function Component() {
  return <PageTitle title="practices" />;
}
