import type { ReactNode } from 'react';
import { classNames } from '#web/components/class-names.ts';
import { ChevronDown } from '#web/components/icons.tsx';
import styles from './disclosure.module.css';

/** More text for visitors who want it. It starts closed, and works without JavaScript. */
export function Disclosure({
  summary,
  className,
  children,
}: {
  summary: string;
  className?: string | undefined;
  children: ReactNode;
}) {
  return (
    <details className={classNames(styles.disclosure, className)}>
      <summary>
        <span>{summary}</span> <ChevronDown />
      </summary>
      <div className={styles.body}>{children}</div>
    </details>
  );
}
