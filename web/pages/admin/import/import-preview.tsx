import { CircleAlert, CirclePlus, Equal, Pencil } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { Button } from '#web/components/button.tsx';
import { FormMessage, Notice } from '#web/components/notice.tsx';
import { fieldLabels } from '../components/activity/activity-values.ts';
import { AxisChip } from '../components/activity/axis.tsx';
import styles from './import-preview.module.css';
import type { ImportPlan, PlannedRow } from './plan-import.ts';

/** Shows what the import does with each row, and a button that saves the result. Its heading is focused. */
export function ImportPreview({
  plan,
  unused,
  overtaken,
  saving,
  failure,
  onSave,
}: {
  plan: ImportPlan;
  unused: string[];
  overtaken: boolean;
  saving: boolean;
  failure: { message: string; onReload: (() => void) | undefined };
  onSave: () => void;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the heading takes the focus for each new preview.
  useEffect(() => heading.current?.focus(), [plan.rows]);
  const count = (kind: PlannedRow['kind']) => plan.rows.filter((row) => row.kind === kind).length;
  const problems = count('problem');

  return (
    <section className={styles.preview} aria-labelledby="conferencia">
      <h2 id="conferencia" ref={heading} tabIndex={-1}>
        O que vai mudar
      </h2>
      {overtaken && (
        <Notice>
          Alguém mudou a lista enquanto você conferia, e nada foi salvo ainda. Esta é a comparação com a lista
          de agora: confira de novo e salve.
        </Notice>
      )}
      <p className={styles.summary}>{summaryOf(count)}</p>
      {unused.length > 0 && (
        <p className={styles.note}>
          <span>{unused.length === 1 ? 'Esta coluna não é usada: ' : 'Estas colunas não são usadas: '}</span>
          <span>{`${unused.join(', ')}.`}</span>
        </p>
      )}
      <p className={styles.note}>
        As práticas da tabela ficam no começo da lista, na ordem da tabela. As outras vêm depois, na ordem de
        agora.
      </p>
      <Rows rows={plan.rows} />
      <FormMessage {...failure} />
      {problems > 0 && (
        <p className={styles.refused}>
          <CircleAlert />
          <span>
            {problems === 1
              ? 'Uma linha tem um problema. Corrija na tabela acima e confira de novo: nada é salvo pela metade.'
              : `${problems} linhas têm um problema. Corrija na tabela acima e confira de novo: nada é salvo pela metade.`}
          </span>
        </p>
      )}
      {problems === 0 && plan.writes.length === 0 && <p>A lista já está assim: não há nada a salvar.</p>}
      {plan.writes.length > 0 && (
        <p>
          <Button aria-disabled={saving || undefined} onClick={onSave}>
            {saving ? 'Salvando…' : 'Salvar na biblioteca'}
          </Button>
        </p>
      )}
    </section>
  );
}

function summaryOf(count: (kind: PlannedRow['kind']) => number) {
  const parts = (
    [
      ['new', 'nova', 'novas'],
      ['changed', 'muda', 'mudam'],
      ['same', 'fica igual', 'ficam iguais'],
      ['problem', 'com problema', 'com problema'],
    ] as const
  ).flatMap(([kind, one, many]) => {
    const number = count(kind);
    return number === 0 ? [] : [`${number} ${number === 1 ? one : many}`];
  });
  return `${parts.join(', ')}.`;
}

/** The explicit roles keep the table semantics where CSS changes `display`. */
function Rows({ rows }: { rows: PlannedRow[] }) {
  return (
    <>
      {/* biome-ignore-start lint/a11y/noRedundantRoles: see above. */}
      {/* biome-ignore-start lint/a11y/useSemanticElements: see above. */}
      <table className={styles.table} role="table">
        <caption className="visually-hidden">As linhas da tabela</caption>
        <thead role="rowgroup">
          <tr role="row">
            {['Linha', 'Prática', 'Resultado'].map((label) => (
              <th key={label} role="columnheader" scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr key={row.line} role="row" data-kind={row.kind}>
              <td role="cell" className={styles.line}>
                <span className={styles.label}>Linha </span>
                <span>{row.line}</span>
              </td>
              <th role="rowheader" scope="row" className={styles.practice}>
                <span className={styles.title}>{row.title || 'Sem título'}</span>
                <span className={styles.excerpt}>{row.content.slice(0, 160)}</span>
                {row.axis && <AxisChip axis={row.axis} />}
              </th>
              <td role="cell" className={styles.result}>
                <Result row={row} />
                {row.kind !== 'problem' && row.video !== 'video' && (
                  <span className={styles.excerpt}>
                    {row.video === 'none' ? 'Sem vídeo' : 'Sem vídeo: o link não leva a um vídeo do YouTube'}
                  </span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {/* biome-ignore-end lint/a11y/useSemanticElements: see above. */}
      {/* biome-ignore-end lint/a11y/noRedundantRoles: see above. */}
    </>
  );
}

function Result({ row }: { row: PlannedRow }): ReactNode {
  switch (row.kind) {
    case 'new':
      return (
        <span>
          <CirclePlus /> Nova
        </span>
      );
    case 'changed':
      return (
        <span>
          <Pencil />{' '}
          <span>{`Muda: ${row.changes.map((field) => fieldLabels[field].toLowerCase()).join(', ')}`}</span>
        </span>
      );
    case 'same':
      return (
        <span>
          <Equal /> Fica igual
        </span>
      );
    case 'problem':
      return (
        <span>
          <CircleAlert /> <span>{row.reason}</span>
        </span>
      );
  }
}
