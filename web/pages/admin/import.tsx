import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { type Axis, formAxes, mainAxisOf } from '#contract/axes.ts';
import { Button, ButtonLink } from '#web/components/button.tsx';
import { TextAreaField } from '#web/components/form/field.tsx';
import { ErrorSummary, focusField, SubmitButton } from '#web/components/form/form.tsx';
import { Choice } from '#web/components/form/radio-group.tsx';
import { PageTitle } from '#web/components/layout/page-title.tsx';
import { useLeaveGuard } from '#web/components/leave-guard.tsx';
import { FormMessage, Notice } from '#web/components/notice.tsx';
import { axisNames } from '#web/components/practice/practice-names.ts';
import { AxisChoice } from './components/activity/axis.tsx';
import { ImportPreview } from './import/import-preview.tsx';
import { TableFile } from './import/table-file.tsx';
import { type ImportResult, useImport } from './import/use-import.ts';
import styles from './import.module.css';

/** Creates or changes activities from a table. `?axis=` preselects the axis of rows that name none. */
export function Component() {
  const [search] = useSearchParams();
  const [result, setResult] = useState<ImportResult>();
  const [round, setRound] = useState(0);
  const axis = formAxes.find((offered) => offered === search.get('axis'));
  return (
    <>
      <PageTitle title="Importar práticas" />
      <h1>Importar práticas</h1>
      {result ? (
        <Done
          result={result}
          onAgain={() => {
            setResult(undefined);
            setRound(round + 1);
          }}
        />
      ) : (
        <Importer key={round} axis={axis} onDone={setResult} />
      )}
    </>
  );
}

function Importer({ axis, onDone }: { axis: Axis | undefined; onDone: (result: ImportResult) => void }) {
  const { form, unsaved, kept, preview, savedRows, correct, saving, failure, save, signInAgain, continued } =
    useImport(axis, (result) => {
      allowLeaving();
      onDone(result);
    });
  const { leaveGuard, allowLeaving } = useLeaveGuard(unsaved, false, kept);
  const text = form.field('text');

  return (
    <div className={styles.page}>
      <p className={styles.lead}>
        Crie ou mude várias práticas de uma vez: cole uma tabela da sua planilha, confira linha por linha e
        salve tudo junto.
      </p>
      {/* The form closes after a save. It is inert during the save, so that no newly typed text is lost. */}
      <form {...form.props} className={styles.form} inert={saving}>
        <ErrorSummary problems={form.problems} />
        {continued && (
          <Notice
            action={
              <Button
                variant="quiet"
                size="small"
                onClick={() => {
                  form.fill({ text: '' });
                  focusField(text.id);
                }}
              >
                Descartar
              </Button>
            }
          >
            O que você colou antes continua aqui.
          </Notice>
        )}
        <TextAreaField
          {...text}
          label="Tabela"
          hint="Copie as células da planilha e cole aqui: título e texto. Na primeira linha você pode dar nome às colunas, em qualquer ordem: Título, Texto, Link, Eixo e Minutos."
          rows={10}
          autoComplete="off"
        />
        <TableFile onText={text.onValue} />
        <AxisChoice {...form.field('axis')} offered={formAxes} />
        <p className={styles.hint}>Vale para as linhas sem a coluna Eixo.</p>
        <Choice
          type="checkbox"
          checked={form.values.hidden === 'on'}
          onChange={({ target }) => form.field('hidden').onValue(target.checked ? 'on' : '')}
        >
          Deixar as práticas novas fora do site por enquanto
        </Choice>
        <FormMessage message={form.message} onReload={form.onReload} />
        <div className={styles.send}>
          <SubmitButton pending={form.pending} working="Conferindo…">
            Conferir
          </SubmitButton>
          <p className={styles.hint} role="status">
            {kept && 'O que você colou fica neste aparelho até você salvar.'}
          </p>
        </div>
      </form>
      {savedRows > 0 && <Notice>{leftSentence(savedRows)}</Notice>}
      {preview && (
        <ImportPreview {...preview} saving={saving} failure={failure} onCorrect={correct} onSave={save} />
      )}
      {signInAgain}
      {leaveGuard}
    </div>
  );
}

function Done({ result, onAgain }: { result: ImportResult; onAgain: () => void }) {
  const { added, changed, axes } = result;
  return (
    <section className={styles.done} aria-label="Importação">
      <p className={styles.result} role="status" tabIndex={-1} ref={focus}>
        {doneSentence(added, changed)}
      </p>
      <div className={styles.send}>
        {axes.map((axis) => (
          <ButtonLink key={axis} to={`/admin/${mainAxisOf(axis)}`}>{`Abrir ${axisNames[axis]}`}</ButtonLink>
        ))}
        <Button variant="quiet" onClick={onAgain}>
          Importar mais
        </Button>
      </div>
    </section>
  );
}

/** Focuses an element, because the button that had the focus is gone. */
const focus = (element: HTMLElement | null) => element?.focus();

function leftSentence(saved: number) {
  const rows = saved === 1 ? '1 linha está salva' : `${saved} linhas estão salvas`;
  return `${rows} na biblioteca. As que têm problema continuam na tabela.`;
}

function doneSentence(added: number, changed: number) {
  const parts = [
    added > 0 && (added === 1 ? '1 prática nova' : `${added} práticas novas`),
    changed > 0 && (changed === 1 ? '1 mudada' : `${changed} mudadas`),
  ].filter((part) => part !== false);
  if (parts.length === 0) return 'A nova ordem está salva.';
  return `Tudo salvo: ${parts.join(', ')}.`;
}
