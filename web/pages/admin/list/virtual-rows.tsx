import { useWindowVirtualizer, type VirtualItem } from '@tanstack/react-virtual';
import { type ReactNode, type RefObject, useImperativeHandle, useLayoutEffect, useState } from 'react';
import type { Axis } from '#contract/axes.ts';
import { AxisIcon } from '#web/components/practice/practice-icons.tsx';
import { axisNames } from '#web/components/practice/practice-names.ts';
import type { Row } from './rows.ts';
import styles from './virtual-rows.module.css';

/** A list with at most this many rows is rendered whole, so that the browser's own search finds every row. */
const allInPage = 200;
const linesBeyondView = 6;
/** Estimated heights in pixels, until a row is measured. */
const guessed = { heading: 68, card: 108 };

export type VirtualRowsHandle = {
  /** Scrolls to a row; returns false when the list has no such row. */
  show: (key: string) => boolean;
};

type CardRow = Extract<Row, { kind: 'card' }>;

/**
 * Renders only those rows of a long list that are in or near the window. They stay in normal flow, with space
 * reserved before and after them.
 */
export function VirtualRows({
  rows,
  box,
  handle,
  children,
}: {
  rows: Row[];
  /** The element around all rows. Each card row needs `data-row` (activity id) and `data-group` (axis). */
  box: RefObject<HTMLDivElement | null>;
  handle: RefObject<VirtualRowsHandle | null>;
  children: (row: CardRow) => ReactNode;
}) {
  const [offset, setOffset] = useState(0);
  const virtualizer = useWindowVirtualizer<HTMLElement>({
    count: rows.length,
    estimateSize: (index) => guessed[rows[index]?.kind ?? 'card'],
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: rows.length <= allInPage ? rows.length : linesBeyondView,
    scrollMargin: offset,
  });
  // The browser itself keeps the visible rows in place (scroll anchoring). If the virtualizer also changed
  // the scroll position, a scroll to the top or to the end would stop before it gets there.
  virtualizer.shouldAdjustScrollPositionOnItemSizeChange = () => false;
  const items = virtualizer.getVirtualItems();
  const before = (items[0]?.start ?? offset) - offset;
  const after = virtualizer.getTotalSize() - ((items.at(-1)?.end ?? offset) - offset);

  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    // The content security policy allows `setProperty`, but not a `style` attribute in HTML.
    element.style.setProperty('--rows-before', `${before}px`);
    element.style.setProperty('--rows-after', `${after}px`);
    setOffset(Math.round(element.getBoundingClientRect().top + window.scrollY));
  });

  useImperativeHandle(handle, () => ({
    show(key) {
      const index = rows.findIndex((row) => row.key === key);
      if (index === -1) return false;
      const line = box.current?.querySelector(`[data-row="${key}"]`);
      if (line) line.scrollIntoView({ block: 'nearest' });
      else virtualizer.scrollToIndex(index, { align: 'center' });
      return true;
    },
  }));

  return (
    <div ref={box} className={styles.rows}>
      {groupsOf(rows, items).map(({ axis, heading, cards }) => (
        <section key={axis} aria-label={heading === undefined ? undefined : axisNames[axis]} data-axis={axis}>
          {heading?.item && (
            <h2 className={styles.heading} data-index={heading.item.index} ref={virtualizer.measureElement}>
              <AxisIcon axis={axis} /> <span>{axisNames[axis]}</span> <small>{heading.count}</small>
            </h2>
          )}
          {/* biome-ignore lint/a11y/noRedundantRoles: without list markers, Safari does not expose it as a list. */}
          <ul role="list">
            {cards.map(({ item, row }) => (
              <li
                key={row.key}
                ref={virtualizer.measureElement}
                className={styles.row}
                data-index={item.index}
                data-row={row.key}
                data-group={row.axis}
                aria-setsize={row.of}
                aria-posinset={row.place}
              >
                {children(row)}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

type Group = {
  axis: Axis;
  /** Set in lists with several groups. `item` is undefined when the heading's row is not rendered. */
  heading: { item: VirtualItem | undefined; count: number } | undefined;
  cards: { item: VirtualItem; row: CardRow }[];
};

/** The rendered rows, by group. */
function groupsOf(rows: Row[], items: VirtualItem[]): Group[] {
  const groups = new Map<Axis, Group>();
  const grouped = rows[0]?.kind === 'heading';
  for (const item of items) {
    const row = rows[item.index];
    if (!row) continue;
    let group = groups.get(row.axis);
    if (!group) {
      const count = row.kind === 'heading' ? row.count : row.of;
      group = { axis: row.axis, heading: grouped ? { item: undefined, count } : undefined, cards: [] };
      groups.set(row.axis, group);
    }
    if (row.kind === 'card') group.cards.push({ item, row });
    else if (group.heading) group.heading.item = item;
  }
  return [...groups.values()];
}
