import { useRef, useState } from 'react';
import { useRevalidator } from 'react-router';
import { fullDate } from '#contract/calendar.ts';
import { type DiaryFile, type DiaryImportResult, diaryFile } from '#contract/diary/entry.ts';
import { client } from '#web/app/client.ts';
import { Button } from '#web/components/button.tsx';
import { FormMessage } from '#web/components/notice.tsx';
import { useAction } from '#web/components/use-action.ts';
import { usePatientUid } from '../components/patient-page.tsx';
import styles from './import-diary.module.css';

const notADiary =
  'Este arquivo não é um diário deste site. Escolha um arquivo baixado aqui, que termina em .json.';

/** Brings the entries of a file back into the diary. Entries that were deleted come back only on request. */
export function ImportDiary() {
  const uid = usePatientUid();
  const [file, setFile] = useState<DiaryFile>();
  const [problem, setProblem] = useState('');
  const [result, setResult] = useState<DiaryImportResult>();
  const { run, pending, failure } = useAction();
  const revalidator = useRevalidator();
  const input = useRef<HTMLInputElement>(null);

  async function bring(chosen: DiaryFile, again: string[] = []) {
    setResult(await (await client.diary(uid)).importFile({ file: chosen, again }));
    setFile(chosen);
    await revalidator.revalidate();
  }

  async function read(chosen: File | undefined) {
    if (!chosen) return;
    setProblem('');
    setResult(undefined);
    const parsed = diaryFile.safeParse(
      await chosen
        .text()
        .then(JSON.parse)
        .catch(() => undefined),
    );
    if (input.current) input.current.value = '';
    if (!parsed.success) return setProblem(notADiary);
    run(() => bring(parsed.data));
  }

  return (
    <section className={styles.import} aria-labelledby="trazer">
      <h2 id="trazer">Trazer de um arquivo</h2>
      <p>
        Se você baixou o arquivo do diário, pode trazê-lo de volta. O que já está no diário fica como está.
      </p>
      <label className={styles.file}>
        <span>Arquivo do diário</span>
        <input
          ref={input}
          type="file"
          accept="application/json,.json"
          disabled={pending}
          onChange={({ target }) => void read(target.files?.[0])}
        />
      </label>
      <FormMessage message={problem} />
      <FormMessage {...failure} />
      <div role="status">
        {pending && <p>Trazendo…</p>}
        {result && <p>{sentenceOf(result)}</p>}
      </div>
      {file && result && result.deleted.length > 0 && (
        <div className={styles.deleted}>
          <p>Estas você tinha apagado. Elas só voltam se você quiser:</p>
          <ul>
            {result.deleted.map(({ id, day }) => (
              <li key={id}>{fullDate(day)}</li>
            ))}
          </ul>
          <Button
            variant="quiet"
            size="small"
            aria-disabled={pending || undefined}
            onClick={() =>
              run(() =>
                bring(
                  file,
                  result.deleted.map(({ id }) => id),
                ),
              )
            }
          >
            Trazer também as apagadas
          </Button>
        </div>
      )}
    </section>
  );
}

function sentenceOf({ added, kept }: DiaryImportResult): string {
  const came = added === 1 ? 'Uma anotação voltou.' : `${added} anotações voltaram.`;
  if (kept === 0) return came;
  return `${came} ${kept === 1 ? 'Uma já estava aqui.' : `${kept} já estavam aqui.`}`;
}
