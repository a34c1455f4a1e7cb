import { GripVertical, Plus, Trash2 } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { limits } from '#contract/limits.ts';
import { Button, IconButton } from '#web/components/button.tsx';
import { FieldError } from '#web/components/form/field.tsx';
import { useToast } from '#web/components/toast.tsx';
import { moved } from '../../ordering/move.ts';
import { useDrag } from '../../ordering/use-drag.ts';
import { capital } from '../capital.ts';
import type { AnyList, Plan } from '../plans/plan.ts';
import { SampleMark } from '../samples.tsx';
import { fieldId, useSectionEditing } from '../section-editing.ts';
import { summaryOf } from '../units.ts';
import { type Path, valueAt } from '../values.ts';
import { Heading } from './heading.tsx';
import styles from './list-field.module.css';

/**
 * A list whose items the user can edit and reorder. If the plan has `blank`, the user can also add and remove
 * items.
 */
export function ListField({
  plan,
  path,
  fieldsOf,
}: {
  plan: AnyList;
  path: Path;
  /** Renders the fields of one item. */
  fieldsOf: (plan: Plan, path: Path) => ReactNode;
}) {
  const { content, change, errorAt, hasErrorIn, isSample } = useSectionEditing();
  const notify = useToast();
  const titleId = useId();
  const box = useRef<HTMLOListElement>(null);
  const items = valueAt(content, path) as unknown[];
  // In a longer list, the items start closed, because open items would fill the window.
  const [startsOpen] = useState(items.length <= 2);
  const { keys, setKeys, newKey } = useItemKeys(items.length);
  const [announcement, setAnnouncement] = useState('');
  const focus = useRef<{ key: string; on: 'field' | 'handle' }>(undefined);
  const drag = useDrag(box, ({ id, ...drop }) => reorder(moved(asItems(keys), { id, ...drop }), id));
  const closeToasts = useRef<(() => void)[]>([]);
  // The toasts offer to undo removals. Undo works only on this page, so close them when the user leaves it.
  useEffect(
    () => () => {
      for (const close of closeToasts.current) close();
    },
    [],
  );
  const { blank, noun, most = limits.siteListMaxItems } = plan;
  const article = plan.feminine ? 'a' : 'o';
  const nameOf = (index: number) => `${noun} ${index + 1}`;

  useEffect(() => {
    const wanted = focus.current;
    focus.current = undefined;
    if (!wanted) return;
    const row = box.current?.querySelector<HTMLElement>(`[data-row="${wanted.key}"]`);
    const selector = wanted.on === 'handle' ? '[data-handle]' : 'input, textarea';
    if (wanted.on === 'field') row?.querySelector('details')?.setAttribute('open', '');
    row?.querySelector<HTMLElement>(selector)?.focus();
  });

  function add() {
    if (!blank) return;
    const key = newKey();
    setKeys([...keys, key]);
    change(path, (before: unknown[]) => [...before, blank()]);
    focus.current = { key, on: 'field' };
  }

  function remove(index: number) {
    const [item, key = ''] = [items[index], keys[index]];
    setKeys(keys.filter((_key, at) => at !== index));
    change(path, (before: unknown[]) => before.filter((_item, at) => at !== index));
    const undo = () => {
      setKeys((now) => [...now.slice(0, index), key, ...now.slice(index)]);
      change(path, (before: unknown[]) => [...before.slice(0, index), item, ...before.slice(index)]);
      focus.current = { key, on: 'field' };
    };
    closeToasts.current.push(
      notify(`${capital(noun)} removid${article}.`, {
        action: { label: 'Desfazer', run: undo },
        plain: true,
        focus: true,
      }),
    );
  }

  function reorder(next: { id: string }[], id: string) {
    const order = next.map((item) => keys.indexOf(item.id));
    setKeys(next.map((item) => item.id));
    change(path, (before: unknown[]) => order.map((index) => before[index]));
    setAnnouncement(`Agora na posição ${next.findIndex((item) => item.id === id) + 1} de ${next.length}.`);
    focus.current = { key: id, on: 'handle' };
  }

  function onHandleKey(event: KeyboardEvent, index: number) {
    const target = { ArrowUp: index - 1, ArrowDown: index + 1, Home: 0, End: keys.length - 1 }[event.key];
    const [id, beside] = [keys[index], keys[target ?? -1]];
    if (target === undefined || id === undefined) return;
    event.preventDefault();
    if (beside === undefined || target === index) return;
    reorder(moved(asItems(keys), { id, beside, side: target < index ? 'before' : 'after' }), id);
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: some browsers cannot lay out a fieldset as a grid.
    <div role="group" aria-labelledby={titleId} className={styles.list}>
      <Heading path={path} id={titleId} className={styles.title}>
        {plan.label}
      </Heading>
      {plan.hint && <p className={styles.hint}>{plan.hint}</p>}
      <FieldError error={errorAt(path, true)} />
      <p className="visually-hidden" role="status">
        {announcement}
      </p>
      <ol ref={box} className={styles.items}>
        {keys.map((key, index) => {
          const itemPath = [...path, String(index)];
          return (
            <li
              key={key}
              data-row={key}
              className={styles.item}
              data-dragged={drag.drag?.id === key || undefined}
              data-drop={drag.drag?.drop?.beside === key ? drag.drag.drop.side : undefined}
            >
              {plan.item.kind === 'group' ? (
                <details className={styles.details} open={startsOpen}>
                  <summary id={fieldId(itemPath)}>
                    <span className="visually-hidden">{`${capital(nameOf(index))}: `}</span>
                    <span>{summaryOf(plan, items[index]) || capital(nameOf(index))}</span>{' '}
                    {isSample(itemPath) && <SampleMark />}{' '}
                    {hasErrorIn(itemPath) && <span className={styles.error}>Confira</span>}
                  </summary>
                  <div className={styles.fields}>{fieldsOf(plan.item, itemPath)}</div>
                </details>
              ) : (
                fieldsOf({ ...plan.item, label: capital(nameOf(index)) } as typeof plan.item, itemPath)
              )}
              <div className={styles.tools}>
                <IconButton
                  label={`Mover ${nameOf(index)} de ${keys.length}: setas para cima e para baixo`}
                  className={styles.handle}
                  data-handle
                  onPointerDown={(event) => drag.start(event, key)}
                  onKeyDown={(event) => onHandleKey(event, index)}
                >
                  <GripVertical />
                </IconButton>
                {blank && (
                  <IconButton label={`Remover ${nameOf(index)}`} danger onClick={() => remove(index)}>
                    <Trash2 />
                  </IconButton>
                )}
              </div>
            </li>
          );
        })}
      </ol>
      {blank && keys.length < most && (
        <Button id={fieldId(path)} variant="quiet" size="small" className={styles.add} onClick={add}>
          <Plus /> <span>{`Acrescentar ${noun}`}</span>
        </Button>
      )}
    </div>
  );
}

const asItems = (keys: string[]) => keys.map((id) => ({ id }));

let last = 0;
const newKey = () => {
  last += 1;
  return `item-${last}`;
};

/** Gives each item of a list a key, which stays the same when the item's position changes. */
function useItemKeys(count: number) {
  const [keys, setKeys] = useState(() => Array.from({ length: count }, newKey));
  // The count differs after the list was replaced, for example by the version of another admin.
  const fitting =
    keys.length === count ? keys : Array.from({ length: count }, (_, index) => keys[index] ?? newKey());
  if (fitting !== keys) setKeys(fitting);
  return { keys: fitting, setKeys, newKey };
}
