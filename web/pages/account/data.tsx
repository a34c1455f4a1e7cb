import { useLoaderData } from 'react-router';
import { client } from '#web/app/client.ts';
import { useSession } from '#web/app/services.ts';
import { Button, ButtonLink } from '#web/components/button.tsx';
import { Deferred, deferred, SkeletonBar } from '#web/components/deferred.tsx';
import { Loading } from '#web/components/layout/messages.tsx';
import { PageTitle } from '#web/components/layout/page-title.tsx';
import { readableExport } from './data/readable-export.ts';
import styles from './data.module.css';

/** Loads the account export; the page appears before it arrives. */
export function loader({ request }: { request: Request }) {
  return { account: deferred(client.documents.exportAccount(request.signal)) };
}

/** The account export in words, to read and to print. */
export function Component() {
  const { account } = useLoaderData<typeof loader>();
  const session = useSession();
  if (session.status === 'loading') return <Loading />;
  return (
    <div className={styles.page}>
      <PageTitle title="Meus dados" />
      <header className={styles.head}>
        <h1 className="page-title">Meus dados</h1>
        <p className="lead">Tudo o que este site guarda sobre você, em palavras. Só você abre esta página.</p>
        {session.status === 'signed-in' && (
          <p className={styles.actions}>
            <Button variant="quiet" size="small" onClick={() => window.print()}>
              Imprimir
            </Button>
            <ButtonLink to="/account" variant="quiet" size="small">
              Voltar à conta
            </ButtonLink>
          </p>
        )}
      </header>
      {session.status === 'signed-in' ? (
        <Deferred value={account} skeleton={<SkeletonBar width="full" />}>
          {(data) =>
            readableExport(data).map(({ title, items }) => (
              <section key={title} className={styles.section}>
                <h2>{title}</h2>
                {items.length === 0 && <p>Nada por aqui.</p>}
                {items.map((facts, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes, and facts can be equal.
                  <dl key={index} className={styles.facts}>
                    {facts.map(([label, value]) => (
                      <div key={label}>
                        <dt>{label}</dt>
                        <dd translate={value.includes('@') ? 'no' : undefined}>{value}</dd>
                      </div>
                    ))}
                  </dl>
                ))}
              </section>
            ))
          }
        </Deferred>
      ) : (
        <p>
          <ButtonLink to="/login?para=dados">Entrar</ButtonLink>
        </p>
      )}
    </div>
  );
}
