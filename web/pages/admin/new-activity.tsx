import { useNavigate, useSearchParams } from 'react-router';
import { formAxes, mainAxisOf } from '#contract/axes.ts';
import { ActivityForm, isChanged, useActivityForm } from '#web/parts/activity-form.tsx';
import { SubmitButton } from '#web/parts/form.tsx';
import { useLeaveGuard } from '#web/parts/leave-guard.tsx';
import { PageTitle } from '#web/parts/page-title.tsx';
import { useSignInAgain } from '#web/parts/sign-in-again.tsx';
import { useToast } from '#web/parts/toast.tsx';
import { useServices } from '#web/services-context.ts';

/** A new activity; `?axis=` names the axis that is chosen already. */
export function Component() {
  const { client } = useServices();
  const navigate = useNavigate();
  const notify = useToast();
  const { withSession, signInAgain } = useSignInAgain();
  const [search] = useSearchParams();
  const axis = formAxes.find((offered) => offered === search.get('axis')) ?? '';

  const initial = { title: '', url: '', content: '', axis, image: '', audio: '' };
  const form = useActivityForm(initial, async (input) => {
    const created = await withSession(() => client.documents.createActivity(input));
    letGo();
    await navigate(`/admin/${mainAxisOf(created.axis)}`);
    notify('act created');
  });
  const { leaveGuard, letGo } = useLeaveGuard(isChanged(initial, form.values));

  return (
    <>
      <PageTitle title="Nova Act" />
      <h1>Nova Act</h1>
      <ActivityForm
        form={form}
        actions={
          <SubmitButton pending={form.pending} working="Criando…">
            Criar prática
          </SubmitButton>
        }
      />
      {signInAgain}
      {leaveGuard}
    </>
  );
}
