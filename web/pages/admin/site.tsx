import { ExternalLink, History } from 'lucide-react';
import { useEffect, useState } from 'react';
import { type LoaderFunctionArgs, useLoaderData, useLocation, useNavigate } from 'react-router';
import { adminSections, type DraftSection, type SiteDraft } from '#contract/site/draft.ts';
import { client } from '#web/app/client.ts';
import { useSession } from '#web/app/services.ts';
import { isAdmin } from '#web/app/session.ts';
import { Button, ButtonAnchor, ButtonLink } from '#web/components/button.tsx';
import { dateAndTime } from '#web/components/date-and-time.ts';
import { Deferred, deferred, SkeletonBar } from '#web/components/deferred.tsx';
import { Dialog } from '#web/components/dialog.tsx';
import { useSignInAgain } from '#web/components/form/sign-in-again.tsx';
import { PageTitle } from '#web/components/layout/page-title.tsx';
import { Link } from '#web/components/link.tsx';
import { FormMessage, Notice } from '#web/components/notice.tsx';
import { useToast } from '#web/components/toast.tsx';
import { useAction } from '#web/components/use-action.ts';
import { TitleBar } from './components/page-parts.tsx';
import { planOf } from './components/site/plans/plans.ts';
import { arrangementOf, samplePartsOf } from './components/site/sample-parts.ts';
import { sectionOrder, sections } from './components/site/sections.ts';
import { fieldsWithProblems } from './components/site/units.ts';
import styles from './site.module.css';

export function loader({ request }: LoaderFunctionArgs) {
  return { draft: deferred(client.site.getDraft(request.signal)) };
}

/** Lists the sections of the site with their states, and the actions for the draft. */
export function Component() {
  const { draft } = useLoaderData<typeof loader>();
  const byAdmin = isAdmin(useSession());
  usePublicationToast();
  return (
    <>
      <PageTitle title="Site" />
      <TitleBar>
        <h1>Site</h1>
        {byAdmin && (
          <ButtonLink variant="quiet" size="small" to="/admin/site/historico">
            <History aria-hidden="true" /> Histórico
          </ButtonLink>
        )}
        <OpenPreview />
        {byAdmin && (
          <ButtonLink size="small" to="/admin/site/publicar">
            Publicar
          </ButtonLink>
        )}
      </TitleBar>
      {!byAdmin && <p>O que você salva fica no rascunho. A administração revê e publica.</p>}
      <Deferred value={draft} skeleton={<SectionsSkeleton />}>
        {(loaded) => <Sections draft={loaded} byAdmin={byAdmin} />}
      </Deferred>
    </>
  );
}

/** Shows a toast if a publication has led to this page. */
function usePublicationToast() {
  const { hash } = useLocation();
  const navigate = useNavigate();
  const notify = useToast();
  useEffect(() => {
    if (hash !== '#publicado') return;
    notify('Publicado. Quem abrir o site já vê a versão nova.', {
      action: { label: 'Ver o site', to: '/' },
    });
    void navigate('/admin/site', { replace: true });
  }, [hash, navigate, notify]);
}

function Sections({ draft, byAdmin }: { draft: SiteDraft; byAdmin: boolean }) {
  const isNew = draft.version === 0;
  return (
    <>
      {isNew && (
        <Notice>
          O site mostra textos de exemplo, e os buscadores ainda não o encontram.
          {byAdmin && <span> Comece pela identidade.</span>}
        </Notice>
      )}
      <ul className={styles.sections}>
        {sectionOrder.map((name) => {
          const section = draft.sections.find((one) => one.section === name);
          return section && <SectionRow key={name} section={section} draft={draft} byAdmin={byAdmin} />;
        })}
      </ul>
    </>
  );
}

function SectionRow({
  section,
  draft,
  byAdmin,
}: {
  section: DraftSection;
  draft: SiteDraft;
  byAdmin: boolean;
}) {
  const { section: name, updatedAt, updatedBy } = section;
  const mayEdit = byAdmin || !adminSections.includes(name);
  const state = stateOf(section, draft.version === 0);
  const samples = samplePartsOf(section, section.content, arrangementOf(draft)).flatMap(
    ({ fields }) => fields,
  );
  return (
    <li className={styles.section}>
      <div className={styles.words}>
        <h2>
          {mayEdit ? <Link to={`/admin/site/${name}`}>{sections[name].label}</Link> : sections[name].label}
        </h2>
        <p>{sections[name].hint}</p>
        {!mayEdit && <p>Só a administração muda esta parte.</p>}
      </div>
      <div className={styles.state}>
        <span className={styles.chip} data-state={state.kind}>
          {state.label}
        </span>
        {samples.length > 0 && (
          <span className={styles.chip} data-state="sample">
            {`Ainda é o exemplo: ${samples.length === 1 ? '1 campo' : `${samples.length} campos`}`}
          </span>
        )}
        {updatedAt !== null && (
          <p className={styles.when}>{`${updatedBy?.name ?? 'Alguém'}, ${dateAndTime(updatedAt)}`}</p>
        )}
      </div>
    </li>
  );
}

/** @param isNew true if nothing has been published yet */
function stateOf({ section, changed, problems }: DraftSection, isNew: boolean) {
  if (problems.length > 0) {
    const { length } = fieldsWithProblems(planOf(section), problems);
    const label = length === 1 ? 'Falta 1 campo' : `Faltam ${length} campos`;
    return { kind: 'problem', label };
  }
  if (changed) return { kind: 'changed', label: 'Com mudanças' };
  return { kind: 'published', label: isNew ? 'Falta publicar' : 'Publicado' };
}

const SectionsSkeleton = () => (
  <div className={styles.sections}>
    {sectionOrder.map((name) => (
      <SkeletonBar key={name} width="full" />
    ))}
  </div>
);

const timeOf = (at: number) => new Date(at).toLocaleTimeString('pt-BR', { timeStyle: 'short' });

/** Makes a link to a preview of the draft. The admin can open the link or send it to others. */
function OpenPreview() {
  const action = useAction();
  const { withSession, signInAgain } = useSignInAgain();
  const [link, setLink] = useState<{ url: string; expiresAt: number }>();

  const create = () =>
    action.run(async () => {
      const { path, expiresAt } = await withSession(() => client.site.createPreview());
      setLink({ url: window.location.origin + path, expiresAt });
    });

  return (
    <>
      <Button variant="quiet" size="small" onClick={create}>
        Ver como ficará
      </Button>
      <FormMessage {...action.failure} />
      {signInAgain}
      {link && (
        <Dialog
          title="Prévia do site"
          size="narrow"
          onClose={() => setLink(undefined)}
          footer={
            <ButtonAnchor href={link.url} target="_blank" rel="noopener">
              Abrir a prévia <ExternalLink aria-hidden="true" />
              <span className="visually-hidden">(abre em outra aba)</span>
            </ButtonAnchor>
          }
        >
          <p>
            Mostra o site com o rascunho salvo. Vale até <span>{timeOf(link.expiresAt)}</span>, para quem
            tiver o endereço.
          </p>
          <label className={styles.address}>
            Endereço da prévia
            <input readOnly value={link.url} onFocus={(event) => event.target.select()} />
          </label>
        </Dialog>
      )}
    </>
  );
}
