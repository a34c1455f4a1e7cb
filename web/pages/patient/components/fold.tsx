import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from '#web/components/class-names.ts';
import styles from './fold.module.css';

/** A part of a page that is folded at first. Its forms keep their text while it is folded. */
export function Fold({
  title,
  className,
  children,
}: {
  title: string;
  className?: string | undefined;
  children: ReactNode;
}) {
  return (
    <details className={classNames(styles.fold, className)}>
      <summary>
        <span>{title}</span>
        <ChevronDown />
      </summary>
      <div className={styles.content}>{children}</div>
    </details>
  );
}
