import { type LoaderFunctionArgs, useLoaderData, useParams } from 'react-router';
import { adminSections } from '#contract/site/draft.ts';
import { client } from '#web/app/client.ts';
import { useSession } from '#web/app/services.ts';
import { isAdmin } from '#web/app/session.ts';
import { Deferred, deferred, SkeletonBar } from '#web/components/deferred.tsx';
import { PageTitle } from '#web/components/layout/page-title.tsx';
import { EmptyState } from './components/page-parts.tsx';
import { SectionEditor } from './components/site/section-editor.tsx';
import { sectionOrder, sections } from './components/site/sections.ts';

export function loader({ request }: LoaderFunctionArgs) {
  return { draft: deferred(client.site.getDraft(request.signal)) };
}

/** The editor of one section of the site. */
export function Component() {
  const { draft } = useLoaderData<typeof loader>();
  const { section: wanted } = useParams();
  const byAdmin = isAdmin(useSession());
  const section = sectionOrder.find((known) => known === wanted);
  if (!section) {
    return (
      <>
        <PageTitle title="Site" />
        <h1>Site</h1>
        <EmptyState>Esta parte do site não existe.</EmptyState>
      </>
    );
  }
  const label = sections[section].label;
  return (
    <>
      <PageTitle title={label} />
      <h1>{label}</h1>
      {!byAdmin && adminSections.includes(section) ? (
        <EmptyState>Só a administração muda esta parte do site.</EmptyState>
      ) : (
        <Deferred value={draft} skeleton={<SkeletonBar width="full" />}>
          {(loaded) => <SectionEditor key={section} draft={loaded} section={section} />}
        </Deferred>
      )}
    </>
  );
}
