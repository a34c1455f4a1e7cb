import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import type { Activity } from '#contract/activity.ts';
import { limits } from '#contract/limits.ts';
import { axisNames } from '#web/components/axis-names.ts';
import { Button } from '#web/components/button.tsx';
import { dateAndTime } from '#web/components/date-and-time.ts';
import { FormMessage } from '#web/components/form/form-message.tsx';
import { type ActivityValues, valuesOf } from './activity-form.tsx';
import { ConflictVersion, type Side } from './conflict-version.tsx';
import styles from './edit-conflict.module.css';
import { compareTexts, mergeTexts } from './merge-text.ts';

type Field = keyof ActivityValues;
type Choice = Side | 'both';

const labels: Record<Field, string> = {
  title: 'Título',
  url: 'Link do vídeo',
  axis: 'Eixo',
  content: 'Conteúdo',
  image: 'Imagem',
  audio: 'Áudio',
};

/**
 * Two people edited the same activity: both versions of every field wherever they differ, and the choice between
 * them. What only one of the two changed is chosen already, and so is a text whose changes do not touch each other.
 */
export function EditConflict({
  base,
  mine,
  saved,
  savedBy,
  onSave,
  onBack,
}: {
  /** What both began with. */
  base: Activity;
  mine: ActivityValues;
  saved: Activity;
  /** The name of the admin who saved it; none when that account is gone. */
  savedBy: string | undefined;
  onSave: (chosen: ActivityValues) => void;
  /** Goes on editing what is chosen, and the person's own version of what is not. */
  onBack: (chosen: ActivityValues, complete: boolean) => void;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);

  const [before, theirs] = [valuesOf(base), valuesOf(saved)];
  const different = (Object.keys(labels) as Field[]).filter((field) => mine[field] !== theirs[field]);
  const [merged] = useState(() =>
    mergeTexts({ base: before.content, mine: mine.content, saved: theirs.content }),
  );
  const [choices, setChoices] = useState<Partial<Record<Field, Choice>>>(() =>
    Object.fromEntries(different.map((field) => [field, likelyChoice(field)])),
  );
  const [together, setTogether] = useState(merged.text);
  const [missing, setMissing] = useState<Field[]>([]);
  const pairs = useRef<Partial<Record<Field, HTMLFieldSetElement | null>>>({});

  /** Nothing is chosen where one of the two would silently lose what they wrote. */
  function likelyChoice(field: Field): Choice | undefined {
    if (mine[field] === before[field]) return 'saved';
    if (theirs[field] === before[field]) return 'mine';
    return field === 'content' && merged.clean ? 'both' : undefined;
  }

  function choose(field: Field, choice: Choice) {
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

  /** Saves once every field has its version; otherwise says which have none, and leads to the first. */
  function finish() {
    setMissing(open);
    const [first] = open;
    if (first === undefined) onSave(chosen);
    else pairs.current[first]?.querySelector('input')?.focus();
  }

  return (
    <section className={styles.conflict} aria-labelledby="conflict-title">
      <div className={styles.head}>
        <h2 id="conflict-title" ref={heading} tabIndex={-1}>
          Alguém salvou esta prática antes de você
        </h2>
        <p className={styles.who}>
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
              Escolher tudo da minha
            </Button>
            <Button variant="quiet" size="small" onClick={() => chooseAll('saved')}>
              Escolher tudo da salva
            </Button>
          </div>
        )}
      </div>
      {different.map((field) => (
        <fieldset
          key={field}
          className={styles.pair}
          ref={(element) => {
            pairs.current[field] = element;
          }}
        >
          <legend>{labels[field]}</legend>
          <p className={styles.who}>{whoChanged(before[field], mine[field], theirs[field])}</p>
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
            ? `Falta escolher uma versão: ${missing.map((field) => labels[field]).join(', ')}.`
            : ''
        }
      />
      <div className={styles.choices}>
        <Button onClick={finish}>Salvar o que escolhi</Button>
        <Button variant="quiet" onClick={() => onBack(chosen, open.length === 0)}>
          Continuar editando
        </Button>
      </div>
    </section>
  );
}

/** Both texts in one, to be changed at will. */
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
        <p className={styles.who}>
          Vocês mudaram a mesma linha: aqui as duas ficam, uma depois da outra. Ajuste o texto antes de
          salvar.
        </p>
      )}
      <textarea
        className={styles.together}
        aria-label="As duas juntas"
        rows={checked ? limits.contentRows : 4}
        value={text}
        onFocus={onChoose}
        onChange={(event) => onText(event.target.value)}
      />
    </ConflictVersion>
  );
}

type ShownProps = { field: Field; side: Side; mine: ActivityValues; theirs: ActivityValues };

/** What a version has in a field. */
function Shown({ field, side, mine, theirs }: ShownProps): ReactNode {
  const value = (side === 'mine' ? mine : theirs)[field];
  if (value === '') return <p className={styles.nothing}>Sem {labels[field].toLowerCase()}</p>;
  if (field === 'image' && value.startsWith('/')) return <img className={styles.image} src={value} alt="" />;
  if (field === 'audio' && value.startsWith('/')) return <AudioVersion src={value} />;
  if (field === 'axis') return <p>{axisNames[value as Activity['axis']]}</p>;
  return <TextVersion side={side} mine={mine[field]} theirs={theirs[field]} />;
}

function AudioVersion({ src }: { src: string }) {
  // biome-ignore lint/a11y/useMediaCaption: the text of the practice stands beside it.
  return <audio className={styles.audio} src={src} controls preload="none" />;
}

/** The text, with the words marked that the other version does not have. */
function TextVersion({ side, mine, theirs }: { side: Side; mine: string; theirs: string }) {
  const [mineParts, theirParts] = useMemo(() => compareTexts(mine, theirs), [mine, theirs]);
  return (
    <p>
      {(side === 'mine' ? mineParts : theirParts).map(({ text, shared }, index) =>
        shared || text.trim() === '' ? (
          text
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts may repeat, and they never move.
          <Marked key={index} text={text} />
        ),
      )}
    </p>
  );
}

/** Without the white space around it, which would be marked as lines of their own. */
function Marked({ text }: { text: string }) {
  const words = text.trim();
  const start = text.indexOf(words);
  return (
    <>
      {text.slice(0, start)}
      <mark>{words}</mark>
      {text.slice(start + words.length)}
    </>
  );
}

function whoChanged(before: string, mine: string, theirs: string): string {
  if (mine === before) return 'Só a outra pessoa mudou.';
  if (theirs === before) return 'Só você mudou.';
  return 'As duas pessoas mudaram.';
}
