import { useEffect, useId, useRef, useState } from 'react';
import { messageOf } from '#client/client-error.ts';
import type { Activity } from '#contract/activity.ts';
import { formAxes } from '#contract/axes.ts';
import type { DiaryEntry } from '#contract/diary/entry.ts';
import { limits } from '#contract/limits.ts';
import { useContent } from '#web/app/services.ts';
import { Button, ButtonLink } from '#web/components/button.tsx';
import { calendarDay, dayAndWeekday } from '#web/components/date-and-time.ts';
import {
  blankDraft,
  type Draft,
  draftOf,
  EntryDeleted,
  possibleDays,
  saysSomething,
} from '#web/components/diary/draft.ts';
import { intensityNames, stepNames } from '#web/components/diary/names.ts';
import { TextAreaField, TextField } from '#web/components/form/field.tsx';
import { useSignInAgain } from '#web/components/form/sign-in-again.tsx';
import { useLeaveGuard } from '#web/components/leave-guard.tsx';
import { FormMessage } from '#web/components/notice.tsx';
import type { WaitingEntry } from '#web/offline/queue-items.ts';
import { Chips } from '../components/chips.tsx';
import { DangerNote } from '../components/danger-note.tsx';
import { useToday } from '../components/use-today.ts';
import styles from './entry-form.module.css';
import { type Saved, useEntrySaving } from './use-entry-saving.ts';

/**
 * The form of an entry. It is no `<form>`, because the site keeps the texts of forms on the device when it
 * reloads, and no word of a diary may stay there.
 * @param stored the entry on the server; undefined for a new entry
 * @param waiting the entry that waits on this device, to correct it
 * @param practices the practices that the form offers
 * @param wanted the id of the practice that a new entry is about
 */
export function EntryForm({
  stored,
  waiting,
  practices,
  wanted,
  onSaved,
}: {
  stored?: DiaryEntry | undefined;
  waiting?: WaitingEntry;
  practices: readonly Pick<Activity, 'id' | 'title'>[];
  wanted: string | undefined;
  onSaved: (saved: Saved) => void;
}) {
  const entry = waiting?.entry ?? stored;
  const [first] = useState<Draft>(() =>
    entry ? draftOf(entry) : { ...blankDraft, practices: wanted === undefined ? [] : [wanted] },
  );
  const [draft, setDraft] = useState(first);
  /** The user's own word, while it is being typed. */
  const [own, setOwn] = useState('');
  const today = useToday();
  const [day, setDay] = useState(entry?.day ?? today);
  const [failure, setFailure] = useState(waiting?.refused?.message ?? '');
  const [deleted, setDeleted] = useState(false);
  const { withSession, signInAgain } = useSignInAgain();
  const [pending, setPending] = useState(false);
  const underWay = useRef(false);
  const { save, startAnew } = useEntrySaving(entry, waiting);
  const { leaveGuard, allowLeaving } = useLeaveGuard(draft !== first || own !== '');
  const change = (fields: Partial<Draft>) => setDraft((before) => ({ ...before, ...fields }));

  // A page that stays open overnight begins a new day, unless the user has begun to write on the day before.
  const untouched = !entry && draft === first;
  useEffect(() => {
    if (untouched) setDay(today);
  }, [untouched, today]);

  async function store() {
    if (underWay.current) return;
    setFailure('');
    // A word that is typed and not added counts, too.
    const whole = { ...draft, words: withOwnWord(draft.words, own) };
    if (!entry && !saysSomething(whole)) return setFailure('Escolha uma palavra, ou escreva algo.');
    if (draft.note.trim().length > limits.diaryNoteMaxLength)
      return setFailure(`A nota passa de ${limits.diaryNoteMaxLength} caracteres. Encurte um pouco.`);
    underWay.current = true;
    setPending(true);
    try {
      const saved = await withSession(() => save(whole, day));
      allowLeaving();
      onSaved(saved);
    } catch (error) {
      if (error instanceof EntryDeleted) setDeleted(true);
      else setFailure(messageOf(error));
    } finally {
      underWay.current = false;
      setPending(false);
    }
  }

  function keepAsNew() {
    startAnew();
    setDeleted(false);
    void store();
  }

  return (
    <div className={styles.form}>
      <h1 className={styles.title}>{entry ? 'Editar anotação' : 'Como você está agora?'}</h1>
      <WordField words={draft.words} onWords={(words) => change({ words })} own={own} onOwn={setOwn} />
      <Chips
        legend="Quanto isso ocupa você? (opcional)"
        options={intensityNames.map((name, index) => [index + 1, name] as const)}
        isOn={(step) => draft.intensity === step}
        onToggle={(step) => change({ intensity: draft.intensity === step ? null : step })}
      />
      <TextAreaField
        id={useId()}
        name=""
        label="Quer contar algo? (opcional)"
        hint={
          draft.note !== '' && entry?.joined
            ? 'Esta nota veio de dois aparelhos. Junte os dois textos.'
            : undefined
        }
        rows={4}
        required={false}
        autoComplete="off"
        value={draft.note}
        error={undefined}
        onValue={(note) => change({ note })}
        onLeave={() => {}}
      />
      {practices.length > 0 && (
        <Chips
          legend="Fez alguma prática?"
          options={practices.map(({ id, title }) => [id, title] as const)}
          isOn={(id) => draft.practices.includes(id)}
          onToggle={(id) =>
            change({ practices: toggled(draft.practices, id, limits.diaryPracticesMaxItems) })
          }
        />
      )}
      <StepField toward={draft.toward} onToward={(toward) => change({ toward })} />
      <DayField
        day={day}
        time={draft.time}
        onDay={entry && !waiting?.isNew ? undefined : setDay}
        onTime={(time) => change({ time })}
      />
      <FormMessage message={failure} />
      {deleted && (
        <FormMessage message="Esta anotação foi apagada em outro aparelho.">
          {' '}
          <button type="button" className={styles.link} onClick={keepAsNew}>
            Guardar como uma nova
          </button>
        </FormMessage>
      )}
      <div className={styles.bar}>
        <Button size="large" aria-disabled={pending || undefined} onClick={() => void store()}>
          {pending ? 'Guardando…' : 'Guardar'}
        </Button>
        <ButtonLink to="/diario" variant="quiet">
          {entry ? 'Cancelar' : 'Ver o diário'}
        </ButtonLink>
      </div>
      <DangerNote />
      {leaveGuard}
      {signInAgain}
    </div>
  );
}

/** @returns the list without the item, or with it if the list has room */
const toggled = (list: readonly string[], item: string, most: number) =>
  list.includes(item) ? list.filter((one) => one !== item) : [...list, item].slice(0, most);

/** Adds the user's own word, unless it is blank or the entry has the word already. */
function withOwnWord(words: string[], own: string): string[] {
  const word = own.trim().replace(/\s+/g, ' ');
  return word === '' || words.includes(word) ? words : toggled(words, word, limits.diaryWordsMaxItems);
}

/** The words of the clinic as buttons, and a field for one's own words. */
function WordField({
  words,
  onWords,
  own,
  onOwn,
}: {
  words: string[];
  onWords: (words: string[]) => void;
  own: string;
  onOwn: (own: string) => void;
}) {
  const offered = useContent('diary').words.map(({ word }) => word);
  const id = useId();
  // Own words keep their buttons when they are switched off.
  const [known, setKnown] = useState(words);
  const isFull = words.length >= limits.diaryWordsMaxItems;

  function add() {
    const next = withOwnWord(words, own);
    setKnown([...known, ...next]);
    onWords(next);
    onOwn('');
  }

  return (
    <Chips
      legend={<span className="visually-hidden">Palavras</span>}
      large
      options={[...new Set([...offered, ...known])].map((word) => [word, word] as const)}
      isOn={(word) => words.includes(word)}
      onToggle={(word) => onWords(toggled(words, word, limits.diaryWordsMaxItems))}
    >
      <div className={styles.own}>
        <label htmlFor={id}>Outra palavra, sua</label>
        <input
          id={id}
          value={own}
          maxLength={limits.diaryWordMaxLength}
          autoComplete="off"
          onChange={({ target }) => onOwn(target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') add();
          }}
        />
        <Button variant="quiet" size="small" onClick={add}>
          Juntar
        </Button>
      </div>
      <p role="status" className={styles.hint}>
        {isFull && <span>{`São até ${limits.diaryWordsMaxItems} palavras por anotação.`}</span>}
      </p>
    </Chips>
  );
}

/** A step toward a value: first the value, then what the user did, in their own words. */
function StepField({
  toward,
  onToward,
}: {
  toward: Draft['toward'];
  onToward: (toward: Draft['toward']) => void;
}) {
  const id = useId();
  return (
    <Chips
      legend="Um passo na direção do que importa? (opcional)"
      options={formAxes.map((axis) => [axis, stepNames[axis]] as const)}
      isOn={(axis) => toward?.axis === axis}
      onToggle={(axis) => onToward(toward?.axis === axis ? null : { axis, words: toward?.words ?? '' })}
    >
      {toward && (
        <div className={styles.own}>
          <label htmlFor={id}>O que foi? (opcional)</label>
          <input
            id={id}
            value={toward.words}
            maxLength={limits.diaryStepMaxLength}
            autoComplete="off"
            onChange={({ target }) => onToward({ ...toward, words: target.value })}
          />
        </div>
      )}
    </Chips>
  );
}

/**
 * The day and the time of the entry. The day of a stored entry never changes.
 * @param onDay undefined for a stored entry
 */
function DayField({
  day,
  time,
  onDay,
  onTime,
}: {
  day: string;
  time: string | null;
  onDay: ((day: string) => void) | undefined;
  onTime: (time: string | null) => void;
}) {
  const [ids] = [useId()];
  const today = calendarDay();
  const { first, last } = possibleDays(today);
  const field = { name: '', error: undefined, required: false, onLeave: () => {} };
  return (
    <details className={styles.day}>
      <summary>
        <span>{day === today ? `Hoje, ${dayAndWeekday(day)}` : dayAndWeekday(day)}</span>
        <span className={styles.change}>{onDay ? 'Mudar o dia ou a hora' : 'Mudar a hora'}</span>
      </summary>
      <div className={styles.dayFields}>
        {onDay && (
          <TextField
            {...field}
            id={`${ids}-day`}
            label="Dia"
            type="date"
            value={day}
            onValue={(value) => {
              if (value >= first && value <= last) onDay(value);
            }}
          />
        )}
        <TextField
          {...field}
          id={`${ids}-time`}
          label="Hora (opcional)"
          type="time"
          value={time ?? ''}
          onValue={(value) => onTime(value === '' ? null : value.slice(0, 5))}
        />
      </div>
    </details>
  );
}
