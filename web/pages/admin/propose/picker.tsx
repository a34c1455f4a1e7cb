import { useEffect, useId, useState } from 'react';
import { messageOf } from '#client/client-error.ts';
import { limits } from '#contract/limits.ts';
import { TextField } from '#web/components/form/field.tsx';
import { RadioGroup } from '#web/components/form/radio-group.tsx';
import { FormMessage } from '#web/components/notice.tsx';
import styles from './propose.module.css';

export type Choice = readonly [id: string, name: string];

/** The delay between the last key press and the search. */
const typingPauseMs = 300;

/** A search, and its results to choose one from. The chosen one stays while the search changes. */
export function Picker({
  search: searchLabel,
  legend,
  first,
  find,
  value,
  ...group
}: {
  id: string;
  legend: string;
  /** The label of the search. */
  search: string;
  /** The choices before a search. */
  first: readonly Choice[];
  find: (search: string, signal: AbortSignal) => Promise<Choice[]>;
  value: string;
  onValue: (value: string) => void;
  error: string | undefined;
}) {
  const searchId = useId();
  const [typed, setTyped] = useState('');
  const [found, setFound] = useState<{ choices: readonly Choice[]; failure: string; search: string }>({
    ...{ choices: first, failure: '', search: '' },
  });
  const [chosen, setChosen] = useState(() => first.find(([id]) => id === value));
  const search = typed.trim().slice(0, limits.searchMaxLength);

  useEffect(() => {
    if (search === '') {
      setFound({ choices: first, failure: '', search });
      return;
    }
    const controller = new AbortController();
    const timer = setTimeout(() => {
      find(search, controller.signal).then(
        (choices) => setFound({ choices, failure: '', search }),
        (error: unknown) => {
          if (!controller.signal.aborted) setFound({ choices: [], failure: messageOf(error), search });
        },
      );
    }, typingPauseMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [search, first, find]);

  const { choices, failure } = found;
  const others = choices.filter(([id]) => id !== chosen?.[0]);
  const options = chosen ? [chosen, ...others] : others;
  return (
    <div className={styles.picker}>
      <TextField
        id={searchId}
        name=""
        label={searchLabel}
        value={typed}
        onValue={setTyped}
        onLeave={() => undefined}
        error={undefined}
        required={false}
      />
      <FormMessage message={failure} />
      <p className={styles.found} role="status">
        {found.search !== '' && failure === '' && (
          <span>{choices.length === 0 ? 'Nada encontrado.' : `${choices.length} na lista abaixo.`}</span>
        )}
      </p>
      <RadioGroup
        {...group}
        legend={legend}
        value={value}
        options={options}
        hint={options.length === 0 ? 'Procure acima.' : undefined}
        onValue={(id) => {
          setChosen(options.find(([one]) => one === id));
          group.onValue(id);
        }}
      />
    </div>
  );
}
