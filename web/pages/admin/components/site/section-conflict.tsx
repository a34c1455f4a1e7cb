import { useEffect, useRef, useState } from 'react';
import type { DraftSection } from '#contract/site/draft.ts';
import { Button } from '#web/components/button.tsx';
import { FormMessage } from '#web/components/notice.tsx';
import styles from '../versions/conflict.module.css';
import { ConflictVersion, type Side, whoChanged } from '../versions/conflict-version.tsx';
import { UnitVersion } from './differences.tsx';
import type { Plan } from './plans/plan.ts';
import { changedUnits, unitText } from './units.ts';
import { isSame, valueAt, withValueAt } from './values.ts';

/**
 * Lets the admin resolve a conflict of two edits: shows both versions of every field that differs. If only
 * one edit changed a field, the changed version is preselected.
 */
export function SectionConflict({
  base,
  plan,
  mine,
  saved,
  savedBy,
  onChosen,
  onBack,
}: {
  /** The content that both edits started from. */
  base: unknown;
  plan: Plan;
  mine: unknown;
  saved: DraftSection;
  /** The name of the admin who saved the section `saved`; `undefined` when the account is deleted. */
  savedBy: string | undefined;
  onChosen: (chosen: unknown) => void;
  /** Returns to the fields with what the admin has typed; the next save shows the conflict again. */
  onBack: () => void;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const units = changedUnits(plan, mine, saved.content);
  const [choices, setChoices] = useState<(Side | undefined)[]>(() =>
    units.map(({ path }) => {
      if (isSame(valueAt(mine, path), valueAt(base, path))) return 'saved';
      if (isSame(valueAt(saved.content, path), valueAt(base, path))) return 'mine';
      return undefined;
    }),
  );
  const [incomplete, setIncomplete] = useState(false);
  const open = choices.indexOf(undefined);

  function finish() {
    setIncomplete(open !== -1);
    if (open !== -1) return document.getElementById(`conflict-${open}`)?.querySelector('input')?.focus();
    onChosen(
      units.reduce<unknown>(
        (chosen, { path }, index) =>
          choices[index] === 'mine' ? withValueAt(chosen, path, valueAt(mine, path)) : chosen,
        saved.content,
      ),
    );
  }

  return (
    <section className={styles.conflict} aria-labelledby="conflict-title">
      <h2 id="conflict-title" ref={heading} tabIndex={-1}>
        Alguém salvou esta parte antes de você
      </h2>
      <p>
        Salva por <strong>{savedBy ?? 'outra pessoa'}</strong>. Nada se perdeu: veja as duas versões do que
        mudou e escolha o que fica.
      </p>
      {units.length === 0 && <p>As duas versões dizem o mesmo.</p>}
      {units.map((unit, index) => {
        const [mineText, savedText] = [unitText(plan, mine, unit), unitText(plan, saved.content, unit)];
        return (
          <fieldset key={unit.label} id={`conflict-${index}`} className={styles.field}>
            <legend>{unit.label}</legend>
            <p className={styles.note}>{whoChanged(unitText(plan, base, unit), mineText, savedText)}</p>
            {(['mine', 'saved'] as const).map((side) => (
              <ConflictVersion
                key={side}
                side={side}
                name={String(index)}
                checked={choices[index] === side}
                onChoose={() => setChoices(choices.map((choice, at) => (at === index ? side : choice)))}
              >
                <UnitVersion
                  unit={unit}
                  side={side === 'mine' ? 'one' : 'other'}
                  one={mineText}
                  other={savedText}
                />
              </ConflictVersion>
            ))}
          </fieldset>
        );
      })}
      <FormMessage message={incomplete && open !== -1 ? 'Falta escolher uma versão de cada campo.' : ''} />
      <div className={styles.choices}>
        <Button onClick={finish}>Salvar o que escolhi</Button>
        <Button variant="quiet" onClick={onBack}>
          Continuar editando
        </Button>
      </div>
    </section>
  );
}
