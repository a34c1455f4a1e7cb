import { useEffect, useState } from 'react';
import { Button } from '#web/components/button.tsx';
import { Link } from '#web/components/link.tsx';
import { FormMessage } from '#web/components/notice.tsx';
import { type KeptPractice, refreshKept } from '#web/offline/device.ts';
import { Fold } from '../components/fold.tsx';
import styles from '../device.module.css';

/** What the device keeps, apart from audio. */
export function Kept({
  own,
  waiting,
  practices,
  isReady,
  hasNight,
  onChange,
}: {
  /** True if the signed-in user has chosen this device. */
  own: boolean;
  waiting: number;
  practices: readonly KeptPractice[];
  /** True if pages start without network. */
  isReady: boolean;
  /** True if the practices for the night are kept. */
  hasNight: boolean;
  onChange: () => Promise<void>;
}) {
  return (
    <section className={styles.section} aria-labelledby="guardado">
      <h2 id="guardado">Guardado aqui</h2>
      {own && (
        <p>
          {isReady
            ? 'Este aparelho está pronto para usar sem internet.'
            : 'Este aparelho ainda não está pronto: falta buscar as páginas, com internet.'}
        </p>
      )}
      {waiting > 0 &&
        (own ? (
          <p>
            <Link to="/diario">
              {waiting === 1
                ? '1 anotação espera para ser enviada'
                : `${waiting} anotações esperam para ser enviadas`}
            </Link>
          </p>
        ) : (
          <p>{waiting === 1 ? '1 anotação espera.' : `${waiting} anotações esperam.`}</p>
        ))}
      {hasNight ? (
        <p>
          <Link to="/practices#noite">Práticas para a noite</Link>, com os telefones{' '}
          <a href="tel:188">188 (CVV)</a> e <a href="tel:192">192 (SAMU)</a>.
        </p>
      ) : (
        <p>As práticas para a noite ainda não foram guardadas.</p>
      )}
      {practices.length > 0 && (
        <Fold
          title={
            practices.length === 1
              ? '1 prática abre sem internet'
              : `${practices.length} práticas abrem sem internet`
          }
        >
          <ul className={styles.list}>
            {practices.map(({ path, title }) => (
              <li key={path}>
                <Link to={path}>{title}</Link>
              </li>
            ))}
          </ul>
        </Fold>
      )}
      {own && <Refresh onChange={onChange} />}
      {own && <Persisted />}
    </section>
  );
}

/** Fetches again what the night needs. The site does so at each start with network, too. */
function Refresh({ onChange }: { onChange: () => Promise<void> }) {
  const [state, setState] = useState<'idle' | 'pending' | 'done' | 'failed'>('idle');
  async function refresh() {
    if (state === 'pending') return;
    setState('pending');
    const { complete } = await refreshKept().catch(() => ({ complete: false }));
    setState(complete ? 'done' : 'failed');
    await onChange();
  }
  return (
    <>
      <FormMessage
        message={
          state === 'failed' ? 'Não deu para buscar tudo. O que já estava guardado continua aqui.' : ''
        }
      />
      <p className={styles.actions}>
        <Button
          variant="quiet"
          size="small"
          aria-disabled={state === 'pending'}
          onClick={() => void refresh()}
        >
          {state === 'pending' ? 'Buscando…' : 'Buscar de novo'}
        </Button>
        <span role="status">{state === 'done' ? 'Tudo guardado.' : ''}</span>
      </p>
    </>
  );
}

/** Says whether the browser has promised to keep the data, and lets the user ask for it. */
function Persisted() {
  const [persisted, setPersisted] = useState<boolean>();
  const [asked, setAsked] = useState(false);
  useEffect(() => {
    // Some browsers ask the user, so the opt-in has already asked, and this only reads the answer.
    void navigator.storage?.persisted().then(setPersisted);
  }, []);
  if (persisted === undefined) return null;
  if (persisted) return <p className={styles.note}>O navegador prometeu não apagar isto sozinho.</p>;
  return (
    <p className={styles.note}>
      <span>Se faltar espaço, o navegador pode apagar o que fica guardado aqui.</span>{' '}
      {asked ? (
        <span role="status">O navegador não prometeu guardar. Instalar o site ajuda.</span>
      ) : (
        <button
          type="button"
          className={styles.inline}
          onClick={() => {
            void navigator.storage.persist().then((answer) => {
              setPersisted(answer);
              setAsked(true);
            });
          }}
        >
          Pedir para não apagar
        </button>
      )}
    </p>
  );
}
