import { useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { ClientError } from '#client/client-error.ts';
import { type Activity, type ActivityInput, activity as activitySchema } from '#contract/activity.ts';
import { axes, listOf, mainAxisOf } from '#contract/axes.ts';
import {
  ActivityForm,
  type ActivityValues,
  isChanged,
  useActivityForm,
  valuesOf,
} from '#web/parts/activity-form.tsx';
import { Button, ButtonLink } from '#web/parts/button.tsx';
import { Deferred, deferred } from '#web/parts/deferred.tsx';
import { EditConflict } from '#web/parts/edit-conflict.tsx';
import { EmptyState } from '#web/parts/empty-state.tsx';
import { SubmitButton } from '#web/parts/form.tsx';
import { useLeaveGuard } from '#web/parts/leave-guard.tsx';
import { Notice } from '#web/parts/notice.tsx';
import { PageTitle } from '#web/parts/page-title.tsx';
import { useSignInAgain } from '#web/parts/sign-in-again.tsx';
import { SkeletonBar } from '#web/parts/skeleton.tsx';
import { useToast } from '#web/parts/toast.tsx';
import { useServices } from '#web/services-context.ts';
import styles from './edit-activity.module.css';

/** The activity comes with the navigation; without one (another tab, a shared link) `?axis=&id=` finds it. */
export function Component() {
  const location = useLocation();
  const [search] = useSearchParams();
  const given = activitySchema.safeParse(location.state);
  return (
    <>
      <PageTitle title="Editar prática" />
      <h1>Editar prática</h1>
      {given.success ? (
        <Editor key={location.key} opened={given.data} />
      ) : (
        <Finder key={location.key} axis={search.get('axis')} id={search.get('id')} />
      )}
    </>
  );
}

function Finder({ axis, id }: { axis: string | null; id: string | null }) {
  const { client } = useServices();
  const [wanted, setWanted] = useState(find);

  function find() {
    const known = axes.find((name) => name === axis);
    if (!known) return Promise.resolve(undefined);
    const list = client.documents.getActivities(listOf(known));
    return deferred(list.then(({ activities }) => activities.find((activity) => activity.id === id)));
  }

  return (
    <Deferred value={wanted} skeleton={<EditorSkeleton />} retry={() => setWanted(find())}>
      {(found) => (found ? <Editor opened={found} /> : <Missing />)}
    </Deferred>
  );
}

function Missing() {
  return (
    <>
      <EmptyState>
        Esta prática não está mais aqui. Ela pode ter sido deletada, ou mudado de eixo depois que o link foi
        copiado.
      </EmptyState>
      <p>
        <ButtonLink to="/admin">Voltar ao início</ButtonLink>
      </p>
    </>
  );
}

type Conflict = { mine: ActivityInput; saved: Activity };

function Editor({ opened }: { opened: Activity }) {
  const { client } = useServices();
  const navigate = useNavigate();
  const notify = useToast();
  const { withSession, signInAgain } = useSignInAgain();
  /** The version that the fields are based on. */
  const [base, setBase] = useState(opened);
  const [conflict, setConflict] = useState<Conflict>();
  /** What the person had typed when choosing the saved version instead. */
  const [setAside, setSetAside] = useState<ActivityValues>();

  const form = useActivityForm(valuesOf(opened), (input) => save(base, input));
  const { leaveGuard, letGo } = useLeaveGuard(isChanged(valuesOf(base), form.values));

  async function save(from: Activity, input: ActivityInput) {
    try {
      const saved = await withSession(() => client.documents.updateActivity(from, input));
      letGo();
      await navigate(`/admin/${mainAxisOf(saved.axis)}`, { replace: true });
      notify('post updated');
    } catch (error) {
      const saved = newerVersion(error);
      if (!saved) throw error;
      setConflict({ mine: input, saved });
    }
  }

  if (conflict) {
    const { mine, saved } = conflict;
    return (
      <>
        <EditConflict
          mine={mine}
          saved={saved}
          onKeepMine={() => {
            setConflict(undefined);
            setBase(saved);
            void form.send((input) => save(saved, input));
          }}
          onKeepSaved={() => {
            setConflict(undefined);
            setBase(saved);
            setSetAside(form.values);
            form.fill(valuesOf(saved));
          }}
          onBack={() => setConflict(undefined)}
        />
        {leaveGuard}
      </>
    );
  }

  return (
    <>
      <ActivityForm
        form={form}
        actions={
          <>
            <SubmitButton pending={form.pending} working="Salvando…">
              Salvar
            </SubmitButton>
            <ButtonLink variant="quiet" to={`/admin/${mainAxisOf(base.axis)}`}>
              Cancelar
            </ButtonLink>
          </>
        }
      >
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
            Esta é a versão salva. A sua continua guardada até você sair desta página.
          </Notice>
        )}
      </ActivityForm>
      {signInAgain}
      {leaveGuard}
    </>
  );
}

/** The activity as somebody else has saved it meanwhile. */
function newerVersion(error: unknown): Activity | undefined {
  if (!(error instanceof ClientError && error.code === 'documents/precondition-failed')) return undefined;
  return activitySchema.safeParse(error.current).data;
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
