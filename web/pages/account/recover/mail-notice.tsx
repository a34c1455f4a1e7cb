import { useEffect, useRef } from 'react';
import { useContent } from '#web/app/services.ts';
import { Button } from '#web/components/button.tsx';
import { Quoted } from '#web/components/layout/messages.tsx';
import { Link } from '#web/components/link.tsx';
import styles from './mail-notice.module.css';

/** Says, on the home page, what to do with the mail that sets a new password, until the user closes it. */
export function MailNotice({ onClose }: { onClose: () => void }) {
  const { whatsapp } = useContent('identity');
  const notice = useRef<HTMLElement>(null);
  // Screen readers then say the heading and the message.
  useEffect(() => notice.current?.focus({ preventScroll: true }), []);
  return (
    <section
      ref={notice}
      tabIndex={-1}
      className={styles.notice}
      aria-labelledby="olhe-o-email"
      aria-describedby="link-enviado"
    >
      <h2 id="olhe-o-email">Olhe o seu e-mail</h2>
      <p id="link-enviado">
        <Quoted english="Password reset link sent!">
          Pronto. Se esta conta existir, o link chega em instantes ao seu e-mail.
        </Quoted>
      </p>
      <p>Se não chegar:</p>
      <ul>
        <li>Olhe também a pasta de spam.</li>
        <li>
          O link vale por 10 minutos. Depois, <Link to="/login/recover">peça outro</Link>.
        </li>
        <li>Talvez a conta esteja em outro e-mail seu. Tente com ele.</li>
        <li>
          Se nada der certo,{' '}
          <a href={`https://wa.me/${whatsapp}`} target="_blank" rel="noopener">
            fale com a clínica pelo WhatsApp<span className="visually-hidden"> (abre em outra aba)</span>
          </a>
          .
        </li>
      </ul>
      <Button size="small" onClick={onClose}>
        Entendi
      </Button>
    </section>
  );
}
