import { Fragment, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import type { Activity } from '#contract/activity.ts';
import { limits } from '#contract/limits.ts';
import { type ActivityValues, valuesOf } from './activity-form.tsx';
import { axisNames } from './axis-names.ts';
import { Button } from './button.tsx';
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
 * them. What only one of the two changed is chosen already.
 */
export function EditConflict({
  base,
  mine,
  saved,
  onSave,
  onBack,
}: {
  /** What both began with. */
  base: Activity;
  mine: ActivityValues;
  saved: Activity;
  onSave: (chosen: ActivityValues) => void;
  /** Goes on editing what is chosen. */
  onBack: (chosen: ActivityValues) => void;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);

  const [before, theirs] = [valuesOf(base), valuesOf(saved)];
  const different = (Object.keys(labels) as Field[]).filter((field) => mine[field] !== theirs[field]);
  const [choices, setChoices] = useState<Partial<Record<Field, Choice>>>(() =>
    Object.fromEntries(different.map((field) => [field, likelyChoice(field)])),
  );
  const [together, setTogether] = useState(() =>
    mergeTexts({ base: before.content, mine: mine.content, saved: theirs.content }),
  );

  function likelyChoice(field: Field): Choice {
    if (mine[field] === before[field]) return 'saved';
    if (theirs[field] === before[field]) return 'mine';
    return field === 'content' ? 'both' : 'mine';
  }

  const chosen = { ...theirs };
  for (const field of different) {
    if (choices[field] === 'mine') chosen[field] = mine[field];
    if (choices[field] === 'both') chosen[field] = together;
  }
  const chooseAll = (side: Side) => setChoices(Object.fromEntries(different.map((field) => [field, side])));

  return (
    <section className={styles.conflict} aria-labelledby="conflict-title">
      <div className={styles.head}>
        <h2 id="conflict-title" ref={heading} tabIndex={-1}>
          Alguém salvou esta prática antes de você
        </h2>
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
        <fieldset key={field} className={styles.pair}>
          <legend>{labels[field]}</legend>
          <p className={styles.who}>{whoChanged(before[field], mine[field], theirs[field])}</p>
          {(['mine', 'saved'] as const).map((side) => (
            <ConflictVersion
              key={side}
              side={side}
              name={field}
              checked={choices[field] === side}
              onChoose={() => setChoices({ ...choices, [field]: side })}
            >
              <Shown field={field} side={side} mine={mine} theirs={theirs} />
            </ConflictVersion>
          ))}
          {field === 'content' && (
            <Together
              text={together}
              checked={choices.content === 'both'}
              onChoose={() => setChoices({ ...choices, content: 'both' })}
              onText={setTogether}
            />
          )}
        </fieldset>
      ))}
      <div className={styles.choices}>
        <Button onClick={() => onSave(chosen)}>Salvar o que escolhi</Button>
        <Button variant="quiet" onClick={() => onBack(chosen)}>
          Continuar editando
        </Button>
      </div>
    </section>
  );
}

/** Both texts in one, to be changed at will. */
function Together({
  text,
  checked,
  onChoose,
  onText,
}: {
  text: string;
  checked: boolean;
  onChoose: () => void;
  onText: (text: string) => void;
}) {
  return (
    <ConflictVersion side="both" name="content" checked={checked} onChoose={onChoose}>
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
  if (field === 'content') return <ContentVersion side={side} mine={mine.content} theirs={theirs.content} />;
  if (value === '') return <p className={styles.nothing}>Sem {labels[field].toLowerCase()}</p>;
  if (field === 'image' && value.startsWith('/')) return <img className={styles.image} src={value} alt="" />;
  if (field === 'audio' && value.startsWith('/')) return <AudioVersion src={value} />;
  return <p>{field === 'axis' ? axisNames[value as Activity['axis']] : value}</p>;
}

function AudioVersion({ src }: { src: string }) {
  // biome-ignore lint/a11y/useMediaCaption: the text of the practice stands beside it.
  return <audio className={styles.audio} src={src} controls preload="none" />;
}

/** The text, with the lines marked that the other version does not have. */
function ContentVersion({ side, mine, theirs }: { side: Side; mine: string; theirs: string }) {
  const [mineLines, theirLines] = useMemo(() => compareTexts(mine, theirs), [mine, theirs]);
  return (
    <p>
      {(side === 'mine' ? mineLines : theirLines).map(({ text, shared }, index, lines) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines may repeat, and they never move.
        <Fragment key={index}>
          {shared || text === '' ? text : <mark>{text}</mark>}
          {index < lines.length - 1 && '\n'}
        </Fragment>
      ))}
    </p>
  );
}

function whoChanged(before: string, mine: string, theirs: string): string {
  if (mine === before) return 'Só a outra pessoa mudou.';
  if (theirs === before) return 'Só você mudou.';
  return 'As duas pessoas mudaram.';
}
