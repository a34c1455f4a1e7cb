import { type ReactNode, useEffect, useRef } from 'react';
import type { Counts } from '#contract/activity.ts';
import { Hexaflex } from '#web/components/art/hexaflex.tsx';
import { wholeNumber } from '#web/components/whole-number.ts';
import styles from './page-parts.module.css';

/** The first row of a list page: title, search and actions. */
export function TitleBar({ children }: { children: ReactNode }) {
  return <div className={styles.bar}>{children}</div>;
}

/** Says that a list is empty, and what the user can do. */
export function EmptyState({ children }: { children: ReactNode }) {
  return (
    <div className={styles.empty}>
      <Hexaflex lit={0} className={styles.mark} />
      <p>{children}</p>
    </div>
  );
}

/** The last row of a form, which stays at the bottom of the window. */
export function SaveBar({
  actions,
  children,
}: {
  actions: ReactNode;
  /** Sentences about the form's state. */
  children: ReactNode;
}) {
  const bar = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const form = bar.current?.closest('form');
    form?.addEventListener('focusin', uncover);
    return () => form?.removeEventListener('focusin', uncover);
  }, []);
  return (
    <div ref={bar} className={styles.save}>
      <div className={styles.actions}>{actions}</div>
      {children}
    </div>
  );
}

/**
 * Scrolls a focused control out from under the bar. Browsers do not, because the bar is inside the window. It
 * leaves pressed buttons where they are, and controls that are taller than the room above the bar.
 */
function uncover({ target }: FocusEvent) {
  if (!(target instanceof HTMLElement) || !target.matches(':focus-visible')) return;
  // The field that lost the focus may show an error now, which moves the fields below it.
  requestAnimationFrame(() => {
    // `scroll-padding` of base.css is the room for the bar.
    if (target.offsetHeight < window.innerHeight / 2) target.scrollIntoView({ block: 'nearest' });
  });
}

/** Says how many users, without the team, signed up lately. */
export function NewUsers({ counts: { in7Days, in30Days } }: { counts: NonNullable<Counts['newUsers']> }) {
  return (
    <p className={styles.news}>
      <span>Novas pessoas, sem a equipe: </span>
      <strong>{wholeNumber(in7Days)}</strong>
      <span> em 7 dias · </span>
      <strong>{wholeNumber(in30Days)}</strong>
      <span> em 30 dias</span>
    </p>
  );
}
