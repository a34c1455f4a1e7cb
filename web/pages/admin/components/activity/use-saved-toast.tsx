import { type Activity, isPublic } from '#contract/activity.ts';
import { practicePath } from '#contract/practices/path.ts';
import { Quoted } from '#web/components/layout/messages.tsx';
import { useToast } from '#web/components/toast.tsx';

/** Announces a saved activity, with a link to its page or a note that visitors do not see it. */
export function useSavedToast() {
  const notify = useToast();
  return (saved: Activity, { english, portuguese }: { english: string; portuguese: string }) =>
    isPublic(saved)
      ? notify(<Quoted english={english}>{portuguese}</Quoted>, {
          action: { label: 'Ver no site', to: practicePath(saved) },
        })
      : notify(<Quoted english={english}>{`${portuguese} Só a administração vê.`}</Quoted>);
}
