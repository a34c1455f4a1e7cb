import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Activity } from '#contract/activity.ts';
import { needIdsIn } from '#contract/practices/needs.ts';
import { useContent } from '#web/app/services.ts';
import { Button } from '#web/components/button.tsx';
import { dateAndTime } from '#web/components/date-and-time.ts';
import { FormMessage } from '#web/components/notice.tsx';
import { axisNames } from '#web/components/practice/practice-names.ts';
import shared from '../versions/conflict.module.css';
import { ComparedText, ConflictVersion, type Side, whoChanged } from '../versions/conflict-version.tsx';
import { mergeTexts } from '../versions/merge-text.ts';
import { contentRows } from './activity-form.tsx';
import {
  type ActivityField,
  type ActivityValues,
  fieldLabels,
  nightOptions,
  valuesOf,
  visibilityOptions,
} from './activity-values.ts';
import styles from './edit-conflict.module.css';

type Choice = Side | 'both';

/**
 * Lets the user resolve a conflict of two edits: shows both versions of every field that differs.
 * If only one edit changed a field, the changed version is preselected. If both edits changed the content
 * without an overlap, the merged text is preselected.
 */
export function EditConflict({
  base,
  mine,
  saved,
  savedBy,
  onSave,
  onBack,
}: {
  /** The version that both edits started from. */
  base: Activity;
  mine: ActivityValues;
  saved: Activity;
  /** The name of the admin who saved `saved`; `undefined` if a command did, or the account is deleted. */
  savedBy: string | undefined;
  onSave: (chosen: ActivityValues) => void;
  /** Returns to the form with the chosen versions; fields without a choice keep the user's version. */
  onBack: (chosen: ActivityValues, complete: boolean) => void;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);

  const [before, theirs] = [valuesOf(base), valuesOf(saved)];
  const different = (Object.keys(fieldLabels) as ActivityField[]).filter(
    (field) => mine[field] !== theirs[field],
  );
  const [merged] = useState(() =>
    mergeTexts({ base: before.content, mine: mine.content, saved: theirs.content }),
  );
  const [choices, setChoices] = useState<Partial<Record<ActivityField, Choice>>>(() =>
    Object.fromEntries(different.map((field) => [field, likelyChoice(field)])),
  );
  const [together, setTogether] = useState(merged.text);
  const [missing, setMissing] = useState<ActivityField[]>([]);
  const pairs = useRef<Partial<Record<ActivityField, HTMLFieldSetElement | null>>>({});

  /** Returns the choice that keeps both edits; `undefined` if each choice would lose one. */
  function likelyChoice(field: ActivityField): Choice | undefined {
    if (mine[field] === before[field]) return 'saved';
    if (theirs[field] === before[field]) return 'mine';
    return field === 'content' && merged.clean ? 'both' : undefined;
  }

  function choose(field: ActivityField, choice: Choice) {
    setChoices({ ...choices, [field]: choice });
    setMissing(missing.filter((other) => other !== field));
  }

  const chosen = { ...theirs };
  for (const field of different) {
    if (choices[field] === 'mine' || choices[field] === undefined) chosen[field] = mine[field];
    if (choices[field] === 'both') chosen[field] = together;
  }
  function chooseAll(side: Side) {
    setChoices(Object.fromEntries(different.map((field) => [field, side])));
    setMissing([]);
  }

  const open = different.filter((field) => choices[field] === undefined);

  /** Saves if every field has a choice. Otherwise shows which fields have none, and focuses the first. */
  function finish() {
    setMissing(open);
    const [first] = open;
    if (first === undefined) onSave(chosen);
    else pairs.current[first]?.querySelector('input')?.focus();
  }

  return (
    <section className={shared.conflict} aria-labelledby="conflict-title">
      <div className={styles.head}>
        <h2 id="conflict-title" ref={heading} tabIndex={-1}>
          Alguém salvou esta prática antes de você
        </h2>
        <p className={shared.note}>
          Salva por <strong>{savedBy ?? 'outra pessoa'}</strong> em{' '}
          <time dateTime={new Date(saved.updatedAt).toISOString()}>{dateAndTime(saved.updatedAt)}</time>.
        </p>
        <p>
          {different.length > 0
            ? 'Nada se perdeu. Veja as duas versões do que mudou e escolha o que fica.'
            : 'As duas versões dizem o mesmo. Você pode salvar ou voltar a editar.'}
        </p>
        {different.length > 1 && (
          <div className={styles.all}>
            <Button variant="quiet" size="small" onClick={() => chooseAll('mine')}>
              Ficar com a minha versão
            </Button>
            <Button variant="quiet" size="small" onClick={() => chooseAll('saved')}>
              Ficar com a versão salva
            </Button>
          </div>
        )}
      </div>
      {different.map((field) => (
        <fieldset
          key={field}
          className={shared.field}
          ref={(element) => {
            pairs.current[field] = element;
          }}
        >
          <legend>{fieldLabels[field]}</legend>
          <p className={shared.note}>{whoChanged(before[field], mine[field], theirs[field])}</p>
          {(['mine', 'saved'] as const).map((side) => (
            <ConflictVersion
              key={side}
              side={side}
              name={field}
              checked={choices[field] === side}
              onChoose={() => choose(field, side)}
            >
              <Shown field={field} side={side} mine={mine} theirs={theirs} />
            </ConflictVersion>
          ))}
          {field === 'content' && (
            <Together
              text={together}
              clean={merged.clean}
              checked={choices.content === 'both'}
              onChoose={() => choose('content', 'both')}
              onText={setTogether}
            />
          )}
        </fieldset>
      ))}
      <FormMessage
        message={
          missing.length > 0
            ? `Falta escolher uma versão: ${missing.map((field) => fieldLabels[field]).join(', ')}.`
            : ''
        }
      />
      <div className={shared.choices}>
        <Button onClick={finish}>Salvar o que escolhi</Button>
        <Button variant="quiet" onClick={() => onBack(chosen, open.length === 0)}>
          Continuar editando
        </Button>
      </div>
    </section>
  );
}

/** Shows the merged text, which the user can edit. */
function Together({
  text,
  clean,
  checked,
  onChoose,
  onText,
}: {
  text: string;
  clean: boolean;
  checked: boolean;
  onChoose: () => void;
  onText: (text: string) => void;
}) {
  return (
    <ConflictVersion side="both" name="content" checked={checked} onChoose={onChoose}>
      {!clean && (
        <p className={shared.note}>
          Vocês mudaram a mesma linha: aqui as duas ficam, uma depois da outra. Ajuste o texto antes de
          salvar.
        </p>
      )}
      <textarea
        className={styles.merged}
        aria-label="As duas juntas"
        rows={checked ? contentRows : 4}
        value={text}
        onFocus={onChoose}
        onChange={(event) => onText(event.target.value)}
      />
    </ConflictVersion>
  );
}

type ShownProps = { field: ActivityField; side: Side; mine: ActivityValues; theirs: ActivityValues };

/** Shows the value that a field has in one of the two versions. */
function Shown({ field, side, mine, theirs }: ShownProps): ReactNode {
  const value = (side === 'mine' ? mine : theirs)[field];
  if (value === '') return <p className={styles.nothing}>{`Sem ${fieldLabels[field].toLowerCase()}`}</p>;
  if (field === 'image' && value.startsWith('/')) return <img className={styles.image} src={value} alt="" />;
  if (field === 'audio' && value.startsWith('/')) return <AudioVersion src={value} />;
  const [, option] = [...nightOptions, ...visibilityOptions].find(([known]) => known === value) ?? [];
  if (option && (field === 'night' || field === 'visibility')) return <p>{option}</p>;
  if (field === 'needs') return <NeedNames value={value} />;
  if (field === 'axis') return <p>{axisNames[value as Activity['axis']]}</p>;
  return <ComparedText side={side === 'mine' ? 'one' : 'other'} one={mine[field]} other={theirs[field]} />;
}

function NeedNames({ value }: { value: string }) {
  const { needs } = useContent('practices');
  const ids = needIdsIn(value);
  const names = needs.filter(({ id }) => ids.includes(id)).map(({ name }) => name);
  return <p>{names.join(', ') || 'Só necessidades que o site não tem mais'}</p>;
}

function AudioVersion({ src }: { src: string }) {
  // biome-ignore lint/a11y/useMediaCaption: the practice also has a text.
  return <audio className={styles.audio} src={src} controls preload="none" />;
}
