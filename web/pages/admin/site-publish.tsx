import { useEffect, useRef } from 'react';
import { type LoaderFunctionArgs, useLoaderData, useRevalidator } from 'react-router';
import type { FieldIssue } from '#contract/errors.ts';
import type { SectionName, SiteContent } from '#contract/site/content.ts';
import type { SiteDraft } from '#contract/site/draft.ts';
import { client } from '#web/app/client.ts';
import { ButtonLink } from '#web/components/button.tsx';
import { Deferred, deferred, SkeletonBar } from '#web/components/deferred.tsx';
import { PageTitle } from '#web/components/layout/page-title.tsx';
import { Link } from '#web/components/link.tsx';
import { FormMessage } from '#web/components/notice.tsx';
import { EmptyState } from './components/page-parts.tsx';
import { capital } from './components/site/capital.ts';
import { Differences } from './components/site/differences.tsx';
import { planOf } from './components/site/plans/plans.ts';
import { PublishForm } from './components/site/publish-form.tsx';
import { fieldNames, samplePartsOf } from './components/site/sample-parts.ts';
import { ConfirmButton, useConfirmation } from './components/site/samples.tsx';
import { fieldId } from './components/site/section-editing.ts';
import { sectionOrder, sections } from './components/site/sections.ts';
import { fieldsWithProblems, labelAt } from './components/site/units.ts';
import styles from './site-publish.module.css';

export function loader({ request }: LoaderFunctionArgs) {
  async function read() {
    const draft = await client.site.getDraft(request.signal);
    return { draft, published: await client.site.getVersion(draft.version) };
  }
  return { comparison: deferred(read()) };
}

/** Shows what a publication would change, and either what prevents it or the form that publishes. */
export function Component() {
  const { comparison } = useLoaderData<typeof loader>();
  return (
    <>
      <PageTitle title="Publicar" />
      <h1>Publicar</h1>
      <Deferred value={comparison} skeleton={<SkeletonBar width="full" />}>
        {({ draft, published }) => <Publication draft={draft} published={published} />}
      </Deferred>
    </>
  );
}

function Publication({ draft, published }: { draft: SiteDraft; published: SiteContent }) {
  const after = Object.fromEntries(
    draft.sections.map(({ section, content }) => [section, content]),
  ) as SiteContent;
  const blocked = draft.sections.some(({ problems }) => problems.length > 0);
  const wasBlocked = useRef(blocked);
  useEffect(() => {
    // After a refused publication, the list of problems replaces the form, which had the focus.
    if (blocked && !wasBlocked.current) document.getElementById(problemsTitleId)?.focus();
    wasBlocked.current = blocked;
  }, [blocked]);
  if (draft.sections.every(({ changed }) => !changed)) {
    return (
      <>
        <Samples draft={draft} />
        <EmptyState>O site já mostra tudo o que foi escrito.</EmptyState>
        <p>
          <ButtonLink to="/admin/site">Voltar ao site</ButtonLink>
        </p>
      </>
    );
  }
  return (
    <div className={styles.publication}>
      <Samples draft={draft} />
      {blocked && <DraftProblems draft={draft} />}
      <section className={styles.changes} aria-labelledby="mudancas">
        <h2 id="mudancas">O que muda</h2>
        <Differences before={published} after={after} />
      </section>
      {!blocked && <PublishForm draft={draft} />}
    </div>
  );
}

/** What the clinic has not touched yet, with links to the fields. */
function Samples({ draft }: { draft: SiteDraft }) {
  const { revalidate } = useRevalidator();
  const heading = useRef<HTMLHeadingElement>(null);
  const { arrangement, confirm, failure, signInAgain } = useConfirmation(draft, () => void revalidate());
  const found = sectionOrder.flatMap((name) => {
    const section = draft.sections.find((one) => one.section === name);
    const parts = section ? samplePartsOf(section, section.content, arrangement) : [];
    return parts.length > 0 ? [{ name, parts }] : [];
  });
  if (found.length === 0) return null;
  return (
    <section className={styles.samples} aria-labelledby="exemplos">
      <h2 id="exemplos" ref={heading} tabIndex={-1}>
        Ainda é o exemplo
      </h2>
      <p>
        Estes textos e imagens vieram com o programa. Escreva os da clínica, diga que está bom assim, ou{' '}
        <Link to="/admin/site/arrangement">esconda a parte</Link>.
      </p>
      <FormMessage {...failure} />
      {signInAgain}
      {found.map(({ name, parts }) => (
        <div key={name}>
          <h3>{sections[name].label}</h3>
          <ul>
            {parts.map((part) => (
              <li key={part.key} className={styles.sample}>
                <p>
                  {part.label && <strong>{`${part.label}: `}</strong>}
                  <span>{fieldNames(part)}</span>
                </p>
                <div className={styles.choices}>
                  <Link
                    to={`/admin/site/${name}#${fieldId(part.fields[0] ?? [])}`}
                    aria-label={`Ir ao campo: ${part.label || sections[name].label}`}
                  >
                    Ir ao campo
                  </Link>
                  {part.names.length > 0 && (
                    <ConfirmButton
                      part={part}
                      onConfirm={(confirmed) => {
                        heading.current?.focus();
                        confirm(confirmed);
                      }}
                    />
                  )}
                </div>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}

const problemsTitleId = 'faltam';

/** What must be corrected before a publication, with links to the fields. */
function DraftProblems({ draft }: { draft: SiteDraft }) {
  const incomplete = draft.sections.filter(({ problems }) => problems.length > 0);
  return (
    <section className={styles.problems} aria-labelledby={problemsTitleId}>
      <h2 id={problemsTitleId} tabIndex={-1}>
        Antes de publicar, corrija
      </h2>
      {incomplete.map(({ section, problems }) => (
        <div key={section}>
          <h3>{sections[section].label}</h3>
          <ul>
            {linksTo(section, problems).map(({ id, label, message }) => (
              <li key={id}>
                <Link to={`/admin/site/${section}#${id}`}>{label}</Link>
                <span>{`: ${message}`}</span>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}

/** One link for each field. */
function linksTo(section: SectionName, problems: FieldIssue[]) {
  const plan = planOf(section);
  return fieldsWithProblems(plan, problems).map(({ place, message }) => ({
    id: fieldId(place),
    label: capital(labelAt(plan, place)),
    message,
  }));
}
