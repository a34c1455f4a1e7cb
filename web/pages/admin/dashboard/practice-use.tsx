import { type ReactNode, useId, useState } from 'react';
import { monthAndYear } from '#contract/calendar.ts';
import type { PracticeTotals } from '#contract/practices/totals.ts';
import { client } from '#web/app/client.ts';
import { Button } from '#web/components/button.tsx';
import { shortMonthAndYear } from '#web/components/date-and-time.ts';
import { Deferred, deferred, SkeletonBar } from '#web/components/deferred.tsx';
import { Link } from '#web/components/link.tsx';
import { EmptyState } from '../components/page-parts.tsx';
import styles from './practice-use.module.css';
import { PracticeUseTable } from './practice-use-table.tsx';

/** The table shows this many practices until the admin asks for all. */
const shownAtFirst = 10;

/**
 * Shows how often visitors used each practice in a chosen month.
 * @param current the totals of the current month
 * @param byAdmin true if the user may turn the counting on and off
 */
export function PracticeUse({ current, byAdmin }: { current: PracticeTotals; byAdmin: boolean }) {
  const [month, setMonth] = useState(current.month);
  const [other, setOther] = useState<Promise<PracticeTotals>>();
  const id = useId();

  function read(wanted: string) {
    setMonth(wanted);
    setOther(deferred(client.documents.getPracticeTotals(wanted)));
  }

  return (
    <Section>
      <div className={styles.head}>
        <h2 id="uso">Uso das práticas</h2>
        <p className={styles.month}>
          <label htmlFor={id}>Mês</label>
          <select
            id={id}
            className={styles.select}
            value={month}
            onChange={({ target }) => read(target.value)}
          >
            {current.months.map((one) => (
              <option key={one} value={one}>
                {shortMonthAndYear(one)}
              </option>
            ))}
          </select>
        </p>
      </div>
      {other ? (
        <Deferred value={other} skeleton={<TableSkeleton />} retry={() => read(month)}>
          {(totals) => <Month key={totals.month} totals={totals} />}
        </Deferred>
      ) : (
        <Month totals={current} />
      )}
      <p className={styles.note}>
        Contamos quantas vezes cada prática foi aberta, tocada e ouvida até o fim, uma vez por dia para cada
        visitante. De vídeos não sabemos o fim, porque o YouTube não nos conta. Não guardamos quem foi nem
        quando. Os números são arredondados para baixo, e os pequenos não aparecem para ninguém.{' '}
        {!current.counting && (
          <>
            <strong>A contagem está desligada: nada de novo é contado.</strong>{' '}
          </>
        )}
        {byAdmin && (
          <Link to={switchPath}>{current.counting ? 'Desligar a contagem' : 'Ligar a contagem'}</Link>
        )}
      </p>
    </Section>
  );
}

const switchPath = '/admin/site/practices#campo-countsUse';

function Month({ totals: { month, practices } }: { totals: PracticeTotals }) {
  const [all, setAll] = useState(false);
  const name = monthAndYear(month);
  if (practices.length === 0)
    return <EmptyState>{`Em ${name}, os usos foram poucos para mostrar um número.`}</EmptyState>;
  return (
    <>
      <PracticeUseTable
        caption={`Uso das práticas em ${name}`}
        practices={all ? practices : practices.slice(0, shownAtFirst)}
      />
      {practices.length > shownAtFirst && (
        <p>
          <Button variant="quiet" size="small" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? 'Ver menos' : `Ver todas as ${practices.length}`}
          </Button>
        </p>
      )}
    </>
  );
}

export function PracticeUseSkeleton() {
  return (
    <Section>
      <h2 id="uso">Uso das práticas</h2>
      <TableSkeleton />
    </Section>
  );
}

function TableSkeleton() {
  return (
    <div className={styles.skeleton}>
      {['first', 'second', 'third', 'fourth'].map((place) => (
        <SkeletonBar key={place} width="full" />
      ))}
    </div>
  );
}

const Section = ({ children }: { children: ReactNode }) => (
  <section aria-labelledby="uso" className={styles.use}>
    {children}
  </section>
);
