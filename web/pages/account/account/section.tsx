import { type ReactNode, type Ref, useId } from 'react';
import styles from './section.module.css';

/** A section of the account page: heading, one sentence, then its controls. */
export function AccountSection({
  title,
  lead,
  ref,
  children,
}: {
  title: string;
  lead?: ReactNode;
  ref?: Ref<HTMLElement>;
  children: ReactNode;
}) {
  const titleId = useId();
  return (
    <section ref={ref} className={styles.section} aria-labelledby={titleId} tabIndex={ref ? -1 : undefined}>
      <div className={styles.about}>
        <h2 id={titleId}>{title}</h2>
        {lead && <p>{lead}</p>}
      </div>
      <div className={styles.content}>{children}</div>
    </section>
  );
}
