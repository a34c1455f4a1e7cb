import { type ReactNode, type Ref, useId } from 'react';
import { classNames } from './class-names.ts';
import styles from './crisis.module.css';
import { CvvLink } from './layout/contact-links.tsx';

/**
 * The phone numbers and services for help in a crisis.
 * @param ref set only if the page moves the focus to the card
 * @param children what follows the numbers
 */
export function Crisis({
  id,
  title,
  lead,
  className,
  ref,
  children,
}: {
  id?: string;
  title: string;
  lead?: string;
  className?: string | undefined;
  ref?: Ref<HTMLElement>;
  children?: ReactNode;
}) {
  const titleId = useId();
  const leadId = useId();
  return (
    <aside
      ref={ref}
      id={id}
      className={classNames(styles.crisis, className)}
      tabIndex={ref ? -1 : undefined}
      aria-labelledby={titleId}
      aria-describedby={ref ? leadId : undefined}
    >
      <div>
        <h2 className={styles.title} id={titleId}>
          {title}
        </h2>
        {lead && (
          <p className={styles.lead} id={ref ? leadId : undefined}>
            {lead}
          </p>
        )}
      </div>
      <dl className={styles.list}>
        <div>
          <dt>
            <CvvLink />
          </dt>
          <dd>
            CVV. Conversa gratuita, por telefone ou <a href="https://cvv.org.br/chat/">pelo chat</a>, dia e
            noite.
          </dd>
        </div>
        <div>
          <dt>
            <a href="tel:192" aria-label="Ligar para o SAMU, 192">
              192
            </a>
          </dt>
          <dd>SAMU, em risco imediato. Ou vá à UPA ou ao CAPS mais próximo.</dd>
        </div>
      </dl>
      {children}
    </aside>
  );
}
