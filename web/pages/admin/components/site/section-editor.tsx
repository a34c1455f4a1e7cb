import { ChevronDown } from 'lucide-react';
import { type FormEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import type { SectionName, SiteContent } from '#contract/site/content.ts';
import { adminParts, type DraftSection, type SiteDraft } from '#contract/site/draft.ts';
import { shownContent } from '#contract/site/shown-content.ts';
import { isPartHidden } from '#contract/site/untouched.ts';
import { client } from '#web/app/client.ts';
import { useSession } from '#web/app/services.ts';
import { isAdmin, userOf } from '#web/app/session.ts';
import { Button, ButtonLink } from '#web/components/button.tsx';
import { dateAndTime } from '#web/components/date-and-time.ts';
import { ErrorSummary, focusField, SubmitButton } from '#web/components/form/form.tsx';
import { useSignInAgain } from '#web/components/form/sign-in-again.tsx';
import { useLeaveGuard } from '#web/components/leave-guard.tsx';
import { Link } from '#web/components/link.tsx';
import { FormMessage, Notice } from '#web/components/notice.tsx';
import { useToast } from '#web/components/toast.tsx';
import { useAction } from '#web/components/use-action.ts';
import { SaveBar } from '../page-parts.tsx';
import { capital } from './capital.ts';
import { DiscardSection } from './discard-section.tsx';
import { GroupFields, PlanField } from './fields/plan-field.tsx';
import type { AnyGroup, Plan } from './plans/plan.ts';
import { editorsPlanOf, planOf } from './plans/plans.ts';
import { formatValues } from './plans/tidy.ts';
import { PreviewFrame } from './preview-frame.tsx';
import { type SamplePart, samplePartsOf } from './sample-parts.ts';
import { SampleMark, SampleNotice, useConfirmation } from './samples.tsx';
import { SectionConflict } from './section-conflict.tsx';
import { fieldId, SectionEditingContext } from './section-editing.ts';
import styles from './section-editor.module.css';
import { sections } from './sections.ts';
import { fieldsWithProblems, labelAt, partsOf } from './units.ts';
import { type NewerSection, newerSection, storedContent, useSection } from './use-section.ts';
import { isSame } from './values.ts';

/** Edits one section of the draft, beside a preview of its page. */
export function SectionEditor({ draft, section }: { draft: SiteDraft; section: SectionName }) {
  const { hash } = useLocation();
  const opened = draft.sections.find((one) => one.section === section) as DraftSection;
  const notify = useToast();
  const action = useAction();
  const { withSession, signInAgain } = useSignInAgain();
  const session = useSession();
  const byAdmin = isAdmin(session);
  const state = useSection(opened, userOf(session)?.id, hash !== '');
  const { content, base, editing, unsaved, uploading, kept } = state;
  const { leaveGuard } = useLeaveGuard(unsaved, uploading, kept);
  const [refused, setRefused] = useState<{ id: string; message: string }[]>([]);
  const [newer, setNewer] = useState<NewerSection>();
  /** The content of this editor's last save, whose response may have been lost. */
  const sent = useRef<unknown>(undefined);
  const [words, setWords] = useState('');
  const [page, setPage] = useState(sections[section].page);
  const [shown, setShown] = useState<'form' | 'preview'>('form');
  const plan = byAdmin ? planOf(section) : editorsPlanOf(section);
  const notEdited = byAdmin ? [] : (adminParts[section] ?? []);
  const problems = state.problems.filter(
    ({ path }) => !notEdited.some((part) => path === part || path.startsWith(`${part}.`)),
  );
  const confirmation = useConfirmation(draft);
  const { arrangement } = confirmation;
  const samples = useMemo(() => samplePartsOf(opened, content, arrangement), [opened, content, arrangement]);
  const samplePlaces = useMemo(
    () => new Set(samples.flatMap(({ fields }) => fields.map((place) => place.join('.')))),
    [samples],
  );
  const isPublished = !base.changed && !unsaved;

  // The hash of a link to a problem is the id of the field with the problem.
  useEffect(() => focusField(hash.slice(1)), [hash]);

  const previewed = useMemo(
    () =>
      Object.fromEntries([
        ...draft.sections.map((one) => [one.section, one.content]),
        [section, content],
      ]) as SiteContent,
    [draft, section, content],
  );
  const shownToVisitors = useMemo(() => shownContent(previewed), [previewed]);

  const startsAt = sections[section].startsAt?.(previewed) ?? '';

  function save(typed: DraftSection['content'] = content, seen: DraftSection = base) {
    // A field tidies its text when it loses the focus, but Enter saves before that.
    const now = formatValues(plan, typed) as DraftSection['content'];
    state.editing.change([], now);
    const mistakes = fieldsWithProblems(plan, state.mistakes).map(({ place, message }) => ({
      id: fieldId(place),
      message: `${capital(labelAt(plan, place))}: ${message}`,
    }));
    setRefused(mistakes);
    state.showAllErrors();
    if (mistakes.length > 0) return;
    action.run(async () => {
      const saved = await send(now, seen.tag);
      if (!saved) return;
      state.adoptSaved(saved, now);
      notify('Rascunho salvo. O site ainda não mudou.');
    });
  }

  /** Sends the content. If another admin has saved other content meanwhile, the editor shows the conflict. */
  async function send(now: DraftSection['content'], tag: string): Promise<DraftSection | undefined> {
    const before = sent.current;
    const stored = storedContent(section, now);
    sent.current = stored;
    try {
      return await withSession(() => client.site.saveSection({ section, tag, content: now }));
    } catch (error) {
      const found = newerSection(error);
      if (!found) throw error;
      const { saved } = found;
      if (isSame(saved.content, stored)) return saved;
      if (isSame(saved.content, before)) return send(now, saved.tag);
      setNewer(found);
      return undefined;
    }
  }

  if (newer) {
    return (
      <>
        <SectionConflict
          base={base.content}
          plan={plan}
          mine={content}
          {...newer}
          onBack={() => setNewer(undefined)}
          onChosen={(chosen) => {
            setNewer(undefined);
            state.adopt(newer.saved, chosen);
            save(chosen as DraftSection['content'], newer.saved);
          }}
        />
        {leaveGuard}
      </>
    );
  }

  return (
    <SectionEditingContext
      value={{
        ...editing,
        showInPreview(now, page) {
          setWords(now);
          if (page) setPage(page);
        },
        isSample: (path) => samplePlaces.has(path.join('.')),
      }}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: two buttons need no fieldset. */}
      <div className={styles.views} role="group" aria-label="Mostrar">
        {(['form', 'preview'] as const).map((view) => (
          <Button
            key={view}
            size="small"
            variant="quiet"
            aria-pressed={shown === view}
            onClick={() => setShown(view)}
          >
            {view === 'form' ? 'Editar' : 'Ver como ficará'}
          </Button>
        ))}
      </div>
      <div className={styles.editor} data-shown={shown}>
        <form
          className={styles.form}
          noValidate
          onSubmit={(event: FormEvent) => {
            event.preventDefault();
            save();
          }}
        >
          <ErrorSummary problems={refused} />
          {state.recoveredAt !== undefined && (
            <Notice
              action={
                <Button variant="quiet" size="small" onClick={() => state.dropTyped()}>
                  Descartar
                </Button>
              }
            >
              O que você digitou em <span>{dateAndTime(state.recoveredAt)}</span> e não salvou está de volta.
            </Notice>
          )}
          <FormMessage {...confirmation.failure} />
          {(section === 'home' || section === 'about') && (
            <p>
              <Link to={`/admin/site/arrangement#${fieldId([section])}`}>Mover ou esconder partes</Link>
            </p>
          )}
          <SectionFields
            plan={plan}
            hidden={(key) => isPartHidden(`${section}.${key}`, arrangement)}
            samples={samples}
            onConfirm={confirmation.confirm}
          />
          {notEdited.length > 0 && (
            <p className={styles.state}>
              {`Só a administração muda: ${notEdited.map((part) => labelAt(planOf(section), part.split('.'))).join('; ')}.`}
            </p>
          )}
          <SaveBar
            actions={
              <>
                <SubmitButton pending={action.pending} working="Salvando…" uploading={uploading}>
                  Salvar rascunho
                </SubmitButton>
                {byAdmin && base.changed && !unsaved && (
                  <ButtonLink variant="quiet" size="small" to="/admin/site/publicar">
                    Rever e publicar
                  </ButtonLink>
                )}
              </>
            }
          >
            <FormMessage {...action.failure} />
            <p role="status">
              {stateSentence({
                isPublished,
                unsaved,
                kept,
                byAdmin,
                count: fieldsWithProblems(plan, problems).length,
              })}
            </p>
          </SaveBar>
          {/* Below the bar, so that the button does not appear where the user has just pressed "Salvar". */}
          {base.changed && (
            <div>
              <DiscardSection base={base} onDiscarded={(published) => state.adopt(published)} />
            </div>
          )}
        </form>
        <section className={styles.side} aria-label="Prévia">
          <PreviewFrame page={page} content={shownToVisitors} words={words || startsAt} />
        </section>
      </div>
      {signInAgain}
      {confirmation.signInAgain}
      {leaveGuard}
    </SectionEditingContext>
  );
}

function stateSentence({
  isPublished,
  unsaved,
  kept,
  byAdmin,
  count,
}: {
  isPublished: boolean;
  unsaved: boolean;
  kept: boolean;
  byAdmin: boolean;
  count: number;
}): string {
  if (unsaved) return kept ? 'Ainda não salvo. O que você digitou fica neste aparelho.' : 'Ainda não salvo.';
  const fields = count === 1 ? 'Falta corrigir 1 campo' : `Faltam corrigir ${count} campos`;
  if (count > 0) return `${fields} antes de publicar.`;
  if (isPublished) return 'Igual ao que está publicado.';
  return byAdmin ? 'Rascunho salvo. Falta publicar.' : 'Rascunho salvo. Agora a administração publica.';
}

/** All fields of a section. In a section with many groups, each group opens and closes. */
function SectionFields({
  plan,
  hidden,
  samples,
  onConfirm,
}: {
  plan: Plan;
  /** Returns true if visitors do not see the part with this key. */
  hidden: (key: string) => boolean;
  samples: SamplePart[];
  onConfirm: (part: SamplePart) => void;
}) {
  const groups = partsOf(plan);
  const noticeOf = (key: string) => {
    const part = samples.find((one) => one.key === key);
    return part && <SampleNotice part={part} onConfirm={onConfirm} />;
  };
  if (plan.kind !== 'group' || !groups) {
    return (
      <>
        {noticeOf('')}
        {plan.kind === 'group' ? <GroupFields plan={plan} path={[]} /> : <PlanField plan={plan} path={[]} />}
      </>
    );
  }
  const [first] = Object.keys(groups);
  return (
    <>
      {noticeOf('')}
      {Object.entries(plan.fields).map(([key, inner]) =>
        inner.kind === 'group' ? (
          <Part
            key={key}
            name={key}
            plan={inner}
            open={key === first}
            hidden={hidden(key)}
            notice={noticeOf(key)}
          />
        ) : (
          <PlanField key={key} plan={inner} path={[key]} />
        ),
      )}
    </>
  );
}

function Part({
  name,
  plan,
  open,
  hidden,
  notice,
}: {
  name: string;
  plan: AnyGroup;
  open: boolean;
  hidden: boolean;
  /** Says which fields are still the sample. */
  notice: ReactNode;
}) {
  return (
    <details className={styles.part} open={open}>
      <summary>
        <h2>
          <span>{plan.label}</span> {notice && <SampleMark />}{' '}
          {hidden && <span className={styles.state}>Não aparece no site</span>}
        </h2>
        <ChevronDown aria-hidden="true" />
      </summary>
      <div className={styles.fields}>
        {notice}
        <GroupFields plan={plan} path={[name]} />
      </div>
    </details>
  );
}
