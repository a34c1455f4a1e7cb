import { useEffect, useRef } from 'react';
import type { Activity, ActivityInput } from '#contract/activity.ts';
import { axisNames } from './axis-names.ts';
import { Button } from './button.tsx';
import styles from './edit-conflict.module.css';

const fields = [
  { name: 'title', label: 'Título' },
  { name: 'url', label: 'Link do vídeo' },
  { name: 'axis', label: 'Eixo' },
  { name: 'content', label: 'Conteúdo' },
] as const;

/** Two people edited the same activity: both versions, wherever they differ, and the choice between them. */
export function EditConflict({
  mine,
  saved,
  onKeepMine,
  onKeepSaved,
  onBack,
}: {
  mine: ActivityInput;
  saved: Activity;
  onKeepMine: () => void;
  onKeepSaved: () => void;
  onBack: () => void;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);

  const different = fields.filter(({ name }) => mine[name] !== saved[name]);
  return (
    <section className={styles.conflict} aria-labelledby="conflict-title">
      <h2 id="conflict-title" ref={heading} tabIndex={-1}>
        Alguém salvou esta prática antes de você
      </h2>
      <p>
        {different.length > 0
          ? 'Nada se perdeu. Compare o que mudou e escolha com qual versão ficar.'
          : 'As duas versões dizem o mesmo. Você pode ficar com qualquer uma.'}
      </p>
      {different.map(({ name, label }) => (
        <section key={name} className={styles.pair}>
          <h3>{label}</h3>
          <Version heading="A sua" text={textOf(mine, name)} mine />
          <Version heading="A salva" text={textOf(saved, name)} />
        </section>
      ))}
      <div className={styles.choices}>
        <Button onClick={onKeepMine}>Ficar com a minha</Button>
        <Button variant="quiet" onClick={onKeepSaved}>
          Ficar com a salva
        </Button>
        <Button variant="quiet" onClick={onBack}>
          Voltar a editar
        </Button>
      </div>
    </section>
  );
}

function Version({ heading, text, mine = false }: { heading: string; text: string; mine?: boolean }) {
  return (
    <div className={styles.version} data-mine={mine || undefined}>
      <h4>{heading}</h4>
      <p>{text}</p>
    </div>
  );
}

const textOf = (version: ActivityInput, name: (typeof fields)[number]['name']) =>
  name === 'axis' ? axisNames[version.axis] : version[name];
