import { ArrowDown, ArrowUp } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { type Arranged, orderedParts } from '#contract/site/parts.ts';
import { Button, IconButton } from '#web/components/button.tsx';
import { classNames } from '#web/components/class-names.ts';
import { FieldError } from '#web/components/form/field.tsx';
import type { ConfirmedPlan, PartsPlan } from '../plans/plan.ts';
import { fieldId, useMayDecide, useSectionEditing } from '../section-editing.ts';
import { isSame, type Path, valueAt } from '../values.ts';
import { Heading } from './heading.tsx';
import styles from './parts-field.module.css';

/** The parts of a page: buttons move each part up and down, hide it and show it again. */
export function PartsField({ plan, path }: { plan: PartsPlan; path: Path }) {
  const { content, change, errorAt, leave, showInPreview } = useSectionEditing();
  const titleId = useId();
  const [announcement, setAnnouncement] = useState('');
  const list = useRef<HTMLOListElement>(null);
  const moved = useRef<string>(undefined);
  const arranged = valueAt(content, path) as Arranged<string>;
  const parts = orderedParts(arranged, plan.parts);
  const mayToggle = useMayDecide();
  const ofAdmins = parts.filter((part) => !mayToggle([...path, part].join('.')));

  useEffect(() => {
    // A browser takes the focus from an element that moves in the document.
    const button =
      moved.current && list.current?.querySelector<HTMLElement>(`[data-move="${moved.current}"]`);
    moved.current = undefined;
    if (button) button.focus();
  });

  function apply(next: Arranged<string>, words: string) {
    change(path, next);
    leave(path);
    showInPreview('', plan.page);
    setAnnouncement(words);
  }

  function move(part: string, by: -1 | 1) {
    const from = parts.indexOf(part);
    const to = from + by;
    if (to < 0 || to >= parts.length) return;
    const order = parts.filter((one) => one !== part);
    order.splice(to, 0, part);
    moved.current = `${part} ${by}`;
    apply(
      { ...arranged, order: isSame(order, plan.parts) ? [] : order },
      `${plan.labelOf(part)}: agora na posição ${to + 1} de ${parts.length}.`,
    );
  }

  function toggle(part: string) {
    const isHidden = arranged.hidden.includes(part);
    const hidden = plan.parts.filter((one) => (one === part ? !isHidden : arranged.hidden.includes(one)));
    apply({ ...arranged, hidden }, `${plan.labelOf(part)}: ${isHidden ? 'aparece' : 'não aparece'} no site.`);
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: some browsers cannot lay out a fieldset as a grid.
    <div role="group" id={fieldId(path)} tabIndex={-1} aria-labelledby={titleId} className={styles.field}>
      <Heading path={path} id={titleId} className={styles.title}>
        {plan.label}
      </Heading>
      <p className={styles.hint}>{plan.hint}</p>
      {ofAdmins.length > 0 && (
        <p className={styles.hint}>
          {`Só a administração mostra ou esconde: ${ofAdmins.map(plan.labelOf).join('; ')}.`}
        </p>
      )}
      <FieldError error={errorAt(path)} />
      <p className="visually-hidden" role="status">
        {announcement}
      </p>
      <ol ref={list} className={styles.parts}>
        {parts.map((part, place) => {
          const label = plan.labelOf(part);
          const isHidden = arranged.hidden.includes(part);
          return (
            <li
              key={part}
              className={classNames(styles.part, styles.movable)}
              data-hidden={isHidden || undefined}
            >
              <span className={styles.name}>
                <span>{label}</span>
                {isHidden && <span className={styles.state}>Não aparece</span>}
              </span>
              <span className={styles.tools}>
                <IconButton
                  label={`Mover ${label} para cima`}
                  data-move={`${part} -1`}
                  aria-disabled={place === 0 || undefined}
                  onClick={() => move(part, -1)}
                >
                  <ArrowUp />
                </IconButton>
                <IconButton
                  label={`Mover ${label} para baixo`}
                  data-move={`${part} 1`}
                  aria-disabled={place === parts.length - 1 || undefined}
                  onClick={() => move(part, 1)}
                >
                  <ArrowDown />
                </IconButton>
                {ofAdmins.includes(part) ? (
                  <span className={styles.toggle} />
                ) : (
                  <Button
                    variant="quiet"
                    size="small"
                    className={styles.toggle}
                    aria-label={`${isHidden ? 'Mostrar' : 'Esconder'} ${label}`}
                    onClick={() => toggle(part)}
                  >
                    {isHidden ? 'Mostrar' : 'Esconder'}
                  </Button>
                )}
              </span>
            </li>
          );
        })}
      </ol>
    </div>
  );
}

/** The parts whose sample texts the clinic keeps. A button takes each confirmation back. */
export function ConfirmedField({ plan, path }: { plan: ConfirmedPlan; path: Path }) {
  const { content, change } = useSectionEditing();
  const titleId = useId();
  const group = useRef<HTMLDivElement>(null);
  const names = valueAt(content, path) as string[];
  const mayReview = useMayDecide();
  return (
    // biome-ignore lint/a11y/useSemanticElements: some browsers cannot lay out a fieldset as a grid.
    <div ref={group} role="group" tabIndex={-1} aria-labelledby={titleId} className={styles.field}>
      <Heading path={path} id={titleId} className={styles.title}>
        {plan.label}
      </Heading>
      <p className={styles.hint}>{names.length === 0 ? 'Nenhum por enquanto.' : plan.hint}</p>
      {names.length > 0 && (
        <details>
          <summary>{names.length === 1 ? 'Ver 1 parte' : `Ver ${names.length} partes`}</summary>
          <ul className={styles.parts}>
            {names.map((name) => (
              <li key={name} className={styles.part}>
                <span className={styles.name}>{plan.labelOf(name)}</span>
                {mayReview(name) ? (
                  <Button
                    variant="quiet"
                    size="small"
                    aria-label={`Rever ${plan.labelOf(name)}`}
                    onClick={() => {
                      group.current?.focus();
                      change(
                        path,
                        names.filter((one) => one !== name),
                      );
                    }}
                  >
                    Rever
                  </Button>
                ) : (
                  <span className={styles.state}>Só a administração muda</span>
                )}
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}
