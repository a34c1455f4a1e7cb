import { CircleAlert, CirclePlus, Equal, Pencil } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Button } from '#web/components/button.tsx';
import { TextAreaField, TextField } from '#web/components/form/field.tsx';
import { FormMessage, Notice } from '#web/components/notice.tsx';
import { fieldLabels } from '../components/activity/activity-values.ts';
import { AxisChip } from '../components/activity/axis.tsx';
import styles from './import-preview.module.css';
import type { ImportPlan, PlannedRow } from './plan-import.ts';
import { type Column, columns, type Table } from './read-table.ts';

/**
 * Shows what the import does with each row, and a button that saves the rows without a problem. Cells with a
 * problem can be corrected in place. After a check, the heading is focused.
 */
export function ImportPreview({
  plan,
  input,
  overtaken,
  corrected,
  checkedAt,
  saving,
  failure,
  onCorrect,
  onSave,
}: {
  plan: ImportPlan;
  input: { text: Table };
  overtaken: boolean;
  corrected: string[];
  checkedAt: number;
  saving: boolean;
  failure: { message: string; onReload: (() => void) | undefined };
  onCorrect: OnCorrect;
  onSave: () => void;
}) {
  const { unused, misread } = input.text;
  const heading = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the heading takes the focus after each check.
  useEffect(() => heading.current?.focus(), [checkedAt]);
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
      <Rows
        key={checkedAt}
        rows={plan.rows}
        corrected={corrected}
        onCorrect={misread ? undefined : onCorrect}
      />
      <FormMessage {...failure} />
      {problems > 0 && (
        <p className={styles.refused}>
          <CircleAlert />
          <span>{problemsSentence(problems, misread)}</span>
        </p>
      )}
      {problems === 0 && plan.writes.length === 0 && <p>A lista já está assim: não há nada a salvar.</p>}
      {plan.writes.length > 0 && (
        <p>
          <Button aria-disabled={saving || undefined} onClick={onSave}>
            {saving ? 'Salvando…' : saveLabel(plan.rows.length, problems)}
          </Button>
        </p>
      )}
    </section>
  );
}

function problemsSentence(problems: number, misread: boolean) {
  const rows = problems === 1 ? 'Uma linha tem um problema.' : `${problems} linhas têm um problema.`;
  if (misread)
    return `${rows} As aspas podem ter misturado outras linhas: corrija na tabela acima e confira de novo.`;
  return `${rows} Corrija aqui, ou salve as outras linhas: ${problems === 1 ? 'ela continua' : 'elas continuam'} na tabela.`;
}

function saveLabel(rows: number, problems: number) {
  return problems === 0 ? 'Salvar na biblioteca' : `Salvar ${rows - problems} de ${rows} linhas`;
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

type OnCorrect = (line: number, column: Column, cell: string) => void;
/** `onCorrect` is undefined while cells can be wrong, because a correction would write all of them again. */
type Corrections = { corrected: string[]; onCorrect: OnCorrect | undefined };

const columnLabels: Record<Column, string> = {
  title: 'Título',
  content: 'Texto',
  url: 'Link',
  axis: 'Eixo',
  minutes: 'Minutos',
};

/** The cells of a row that have, or had, a problem, as fields. */
function Cells({ row, corrected, onCorrect }: { row: PlannedRow } & Corrections) {
  if (!onCorrect) return null;
  const wrong = row.kind === 'problem' ? row.column : undefined;
  const shown = columns.filter((column) => column === wrong || corrected.includes(`${row.line} ${column}`));
  return shown.map((column) => (
    <Cell
      key={column}
      error={column === wrong && row.kind === 'problem' ? row.reason : undefined}
      label={`${columnLabels[column]} da linha ${row.line}`}
      column={column}
      initial={row.cells[column]}
      onCell={(cell) => onCorrect(row.line, column, cell)}
    />
  ));
}

function Cell({
  label,
  error,
  column,
  initial,
  onCell,
}: {
  label: string;
  error: string | undefined;
  column: Column;
  initial: string;
  onCell: (cell: string) => void;
}) {
  const id = useId();
  // The table trims its cells, but a space at the end can be the beginning of the next word.
  const [value, setValue] = useState(initial);
  const field = {
    ...{ id, name: column, label, value, error, required: false, onLeave: () => undefined },
    onValue: (cell: string) => {
      setValue(cell);
      onCell(cell);
    },
  };
  if (column === 'content') return <TextAreaField {...field} rows={4} />;
  return <TextField {...field} inputMode={column === 'minutes' ? 'numeric' : undefined} />;
}

/** The explicit roles keep the table semantics where CSS changes `display`. */
function Rows({ rows, ...cells }: { rows: PlannedRow[] } & Corrections) {
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
                <Result row={row} inField={cells.onCorrect !== undefined} />
                <Cells row={row} {...cells} />
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

/** @param inField true if a field for the wrong cell shows the reason */
function Result({ row, inField }: { row: PlannedRow; inField: boolean }): ReactNode {
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
      if (row.column && inField) return null;
      return (
        <span>
          <CircleAlert /> <span>{row.reason}</span>
        </span>
      );
  }
}
