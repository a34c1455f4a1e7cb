import { useState } from 'react';
import { useLocation, useNavigate, useNavigationType, useSearchParams } from 'react-router';
import { hasCode } from '#client/client-error.ts';
import { type Activity, type ActivityInput, activity as activitySchema } from '#contract/activity.ts';
import { axes, mainAxisOf } from '#contract/axes.ts';
import { client } from '#web/app/client.ts';
import { contentLoader } from '#web/app/services.ts';
import { Button, ButtonLink } from '#web/components/button.tsx';
import { Deferred, deferred, SkeletonBar } from '#web/components/deferred.tsx';
import { SubmitButton } from '#web/components/form/form.tsx';
import { useSignInAgain } from '#web/components/form/sign-in-again.tsx';
import { PageTitle } from '#web/components/layout/page-title.tsx';
import { useLeaveGuard } from '#web/components/leave-guard.tsx';
import { Notice } from '#web/components/notice.tsx';
import styles from './components/activity/activity-form.module.css';
import { ActivityForm, useActivityForm } from './components/activity/activity-form.tsx';
import { listState } from './components/activity/activity-paths.ts';
import { type ActivityValues, isChanged, valuesOf } from './components/activity/activity-values.ts';
import { DraftGate, type InitialDraft } from './components/activity/draft-gate.tsx';
import { EditConflict } from './components/activity/edit-conflict.tsx';
import { useSavedToast } from './components/activity/use-saved-toast.tsx';
import { useDraft } from './components/drafts/use-draft.ts';
import { EmptyState } from './components/page-parts.tsx';

/** The form offers the needs of the site content. */
export const loader = contentLoader('practices');

/**
 * Edits the activity in the navigation state, if it is up to date. Otherwise, the page fetches the activity
 * that `?axis=&id=` names.
 */
export function Component() {
  const location = useLocation();
  const [search] = useSearchParams();
  const given = activitySchema.safeParse(location.state);
  // After a reload or a "back" navigation, the activity in the history state can be outdated.
  const old = useNavigationType() === 'POP' && search.has('id');
  return (
    <>
      <PageTitle title="Editar prática" />
      <h1>Editar prática</h1>
      {given.success && !old ? (
        <DraftedEditor key={location.key} opened={given.data} />
      ) : (
        <Finder key={location.key} axis={search.get('axis')} id={search.get('id')} />
      )}
    </>
  );
}

const DraftedEditor = ({ opened }: { opened: Activity }) => (
  <DraftGate scope={opened.id}>{(start) => <Editor opened={opened} start={start} />}</DraftGate>
);

function Finder({ axis, id }: { axis: string | null; id: string | null }) {
  const [wanted, setWanted] = useState(find);

  function find() {
    const known = axes.find((name) => name === axis);
    if (!known || !id) return Promise.resolve(undefined);
    return deferred(client.documents.findActivity({ axis: known, id }));
  }

  return (
    <Deferred value={wanted} skeleton={<EditorSkeleton />} retry={() => setWanted(find())}>
      {(found) => (found ? <DraftedEditor opened={found} /> : <Missing />)}
    </Deferred>
  );
}

function Missing() {
  return (
    <>
      <EmptyState>
        Esta prática não está mais aqui. Alguém pode ter deletado depois que o link foi copiado.
      </EmptyState>
      <p>
        <ButtonLink to="/admin">Voltar ao início</ButtonLink>
      </p>
    </>
  );
}

/** Why the last save failed: a newer version exists, or the activity was deleted. */
type Obstacle =
  | { kind: 'newer'; mine: ActivityValues; saved: Activity; savedBy: string | undefined }
  | { kind: 'deleted' };

/** @param start the key of the draft, and the draft to start with */
function Editor({ opened, start }: { opened: Activity; start: InitialDraft }) {
  const navigate = useNavigate();
  const announce = useSavedToast();
  const { withSession, signInAgain } = useSignInAgain();
  /** The version that the fields are based on. */
  const [base, setBase] = useState(start.draft?.base ?? opened);
  const [obstacle, setObstacle] = useState<Obstacle>();
  /** The values that the user had typed before choosing between two versions. */
  const [setAside, setSetAside] = useState<ActivityValues>();

  const form = useActivityForm(start.draft?.values ?? valuesOf(opened), (input) => save(base, input));
  const unsaved = isChanged(valuesOf(base), form.values);
  const { kept, forget } = useDraft(start.key, { values: form.values, base, unsaved });
  const { leaveGuard, allowLeaving } = useLeaveGuard(unsaved, form.uploading, kept);

  async function save(from: Activity, input: ActivityInput) {
    try {
      await leave(await withSession(() => client.documents.updateActivity(from, input)), {
        english: 'post updated',
        portuguese: 'Prática salva.',
      });
    } catch (error) {
      const newer = newerVersion(error);
      if (newer)
        setObstacle({
          kind: 'newer',
          mine: valuesOf(input),
          ...newer,
        });
      else if (isMissing(error)) setObstacle({ kind: 'deleted' });
      else throw error;
    }
  }

  /**
   * Saves an activity that another user has deleted. The activity returns to its old position. If it cannot
   * be restored, the values become a new activity.
   */
  async function bringBack(input: ActivityInput) {
    const restored = await withSession(() => client.documents.restoreActivity(base)).catch(
      (error: unknown) => {
        if (isMissing(error)) return undefined;
        throw error;
      },
    );
    setObstacle(undefined);
    if (restored) await save(base, input);
    else
      await leave(await withSession(() => client.documents.createActivity(input)), {
        english: 'act created',
        portuguese: 'Prática criada.',
      });
  }

  async function leave(saved: Activity, notice: { english: string; portuguese: string }) {
    allowLeaving();
    forget();
    await navigate(`/admin/${mainAxisOf(saved.axis)}`, { replace: true, state: listState(saved) });
    announce(saved, notice);
  }

  if (obstacle?.kind === 'newer') {
    const { mine, saved, savedBy } = obstacle;
    const choose = (chosen: ActivityValues, complete = true) => {
      setObstacle(undefined);
      // If some fields have no choice yet, keep the old version as the base, so that the next save asks about
      // these fields again.
      if (complete) setBase(saved);
      setSetAside(form.values);
      form.fill(chosen);
    };
    return (
      <>
        <EditConflict
          base={base}
          mine={mine}
          saved={saved}
          savedBy={savedBy}
          onSave={(chosen) => {
            choose(chosen);
            void form.send((input) => save(saved, input), chosen);
          }}
          onBack={choose}
        />
        {leaveGuard}
      </>
    );
  }

  return (
    <>
      <ActivityForm
        form={form}
        kept={kept}
        base={base}
        actions={
          <>
            <SubmitButton pending={form.pending} working="Salvando…" uploading={form.uploading}>
              Salvar
            </SubmitButton>
            <ButtonLink variant="quiet" to={`/admin/${mainAxisOf(base.axis)}`}>
              Cancelar
            </ButtonLink>
          </>
        }
      >
        {obstacle && (
          <Notice
            action={
              <Button size="small" onClick={() => void form.send(bringBack)}>
                Trazer de volta e salvar
              </Button>
            }
          >
            Alguém deletou esta prática enquanto você editava. O que você digitou continua aqui.
          </Notice>
        )}
        {setAside && (
          <Notice
            action={
              <Button
                variant="quiet"
                size="small"
                onClick={() => {
                  form.fill(setAside);
                  setSetAside(undefined);
                }}
              >
                Voltar à minha versão
              </Button>
            }
          >
            Estes campos têm o que você escolheu. A sua versão inteira continua aqui até você sair desta
            página.
          </Notice>
        )}
      </ActivityForm>
      {signInAgain}
      {leaveGuard}
    </>
  );
}

const isMissing = (error: unknown) => hasCode(error, 'documents/not-found');

/** Returns another admin's newer version, and that admin's name, from the error of a refused save. */
function newerVersion(error: unknown): { saved: Activity; savedBy: string | undefined } | undefined {
  if (!hasCode(error, 'documents/precondition-failed')) return undefined;
  const saved = activitySchema.safeParse(error.current).data;
  return saved && { saved, savedBy: error.changedBy?.name };
}

function EditorSkeleton() {
  return (
    <div className={styles.skeleton}>
      <SkeletonBar width="short" />
      <SkeletonBar width="full" />
      <SkeletonBar width="short" />
      <SkeletonBar width="full" />
    </div>
  );
}
