import { useId } from 'react';
import { classNames } from '#web/components/class-names.ts';
import { CvvLink } from '#web/components/layout/contact-links.tsx';
import styles from './crisis.module.css';

/** The phone numbers and services for help in a crisis. */
export function Crisis({
  id,
  title,
  lead,
  className,
}: {
  id?: string;
  title: string;
  lead?: string;
  className?: string | undefined;
}) {
  const titleId = useId();
  return (
    <aside id={id} className={classNames(styles.crisis, className)} aria-labelledby={titleId}>
      <div>
        <h2 className={styles.title} id={titleId}>
          {title}
        </h2>
        {lead && <p className={styles.lead}>{lead}</p>}
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
    </aside>
  );
}
