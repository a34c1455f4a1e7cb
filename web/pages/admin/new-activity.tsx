import { useNavigate, useSearchParams } from 'react-router';
import { formAxes, mainAxisOf } from '#contract/axes.ts';
import { ActivityForm, isChanged, useActivityForm } from '#web/parts/activity-form.tsx';
import { DraftGate, type DraftStart } from '#web/parts/draft-gate.tsx';
import { SubmitButton } from '#web/parts/form.tsx';
import { useLeaveGuard } from '#web/parts/leave-guard.tsx';
import { listState } from '#web/parts/list-state.ts';
import { PageTitle } from '#web/parts/page-title.tsx';
import { useSignInAgain } from '#web/parts/sign-in-again.tsx';
import { useToast } from '#web/parts/toast.tsx';
import { useDraft } from '#web/parts/use-draft.ts';
import { useServices } from '#web/services-context.ts';

/** A new activity; `?axis=` names the axis that is chosen already. */
export function Component() {
  return (
    <>
      <PageTitle title="Nova Act" />
      <h1>Nova Act</h1>
      <DraftGate scope="new.">{(start) => <Creator start={start} />}</DraftGate>
    </>
  );
}

function Creator({ start }: { start: DraftStart }) {
  const { client } = useServices();
  const navigate = useNavigate();
  const notify = useToast();
  const { withSession, signInAgain } = useSignInAgain();
  const [search] = useSearchParams();
  const axis = formAxes.find((offered) => offered === search.get('axis')) ?? '';

  const initial = { title: '', url: '', content: '', axis, image: '', audio: '' };
  const form = useActivityForm(start.draft?.values ?? initial, async (input) => {
    const created = await withSession(() => client.documents.createActivity(input));
    letGo();
    forget();
    await navigate(`/admin/${mainAxisOf(created.axis)}`, { state: listState(created) });
    notify('act created');
  });
  const unsaved = isChanged(initial, form.values);
  const { kept, forget } = useDraft(start.key, { values: form.values, unsaved });
  const { leaveGuard, letGo } = useLeaveGuard(unsaved, form.uploading, kept);

  return (
    <>
      <ActivityForm
        form={form}
        kept={kept}
        isNew
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
