import { useNavigate, useSearchParams } from 'react-router';
import { formAxes, mainAxisOf } from '#contract/axes.ts';
import { client } from '#web/app/client.ts';
import { contentLoader } from '#web/app/services.ts';
import { SubmitButton } from '#web/components/form/form.tsx';
import { useSignInAgain } from '#web/components/form/sign-in-again.tsx';
import { PageTitle } from '#web/components/layout/page-title.tsx';
import { useLeaveGuard } from '#web/components/leave-guard.tsx';
import { ActivityForm, useActivityForm } from './components/activity/activity-form.tsx';
import { listState } from './components/activity/activity-paths.ts';
import { isChanged, valuesOf } from './components/activity/activity-values.ts';
import { DraftGate, type InitialDraft } from './components/activity/draft-gate.tsx';
import { useSavedToast } from './components/activity/use-saved-toast.tsx';
import { useDraft } from './components/drafts/use-draft.ts';

/** The form offers the needs of the site content. */
export const loader = contentLoader('practices');

/** The form for a new activity; `?axis=` preselects the axis. */
export function Component() {
  return (
    <>
      <PageTitle title="Nova Act" />
      <h1>Nova Act</h1>
      <DraftGate scope="new.">{(start) => <Creator start={start} />}</DraftGate>
    </>
  );
}

function Creator({ start }: { start: InitialDraft }) {
  const navigate = useNavigate();
  const announce = useSavedToast();
  const { withSession, signInAgain } = useSignInAgain();
  const [search] = useSearchParams();
  const initial = valuesOf({ axis: formAxes.find((offered) => offered === search.get('axis')) });
  const form = useActivityForm(start.draft?.values ?? initial, async (input) => {
    const created = await withSession(() => client.documents.createActivity(input));
    allowLeaving();
    forget();
    await navigate(`/admin/${mainAxisOf(created.axis)}`, { state: listState(created) });
    announce(created, { english: 'act created', portuguese: 'Prática criada.' });
  });
  const unsaved = isChanged(initial, form.values);
  const { kept, forget } = useDraft(start.key, { values: form.values, unsaved });
  const { leaveGuard, allowLeaving } = useLeaveGuard(unsaved, form.uploading, kept);

  return (
    <>
      <ActivityForm
        form={form}
        kept={kept}
        actions={
          <SubmitButton pending={form.pending} working="Criando…" uploading={form.uploading}>
            Criar prática
          </SubmitButton>
        }
      />
      {signInAgain}
      {leaveGuard}
    </>
  );
}
