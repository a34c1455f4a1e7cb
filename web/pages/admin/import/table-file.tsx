import { FileUp } from 'lucide-react';
import { useId, useState } from 'react';
import { Button, buttonClassNames } from '#web/components/button.tsx';
import { FieldError } from '#web/components/form/field.tsx';
import { decodeFile, importMaxBytes, sampleOf, tooLarge } from './decode-file.ts';
import styles from './table-file.module.css';

/** Reads a CSV file from this device into the text field. The file is not sent to the server. */
export function TableFile({ onText }: { onText: (text: string) => void }) {
  const id = useId();
  const [problem, setProblem] = useState('');
  const [name, setName] = useState('');
  const [doubt, setDoubt] = useState<{ name: string; texts: string[] }>();

  async function take(file: File | undefined) {
    if (!file) return;
    setName('');
    setDoubt(undefined);
    const read = file.size > importMaxBytes ? { problem: tooLarge } : decodeFile(await bytesOf(file));
    if ('problem' in read) return setProblem(read.problem);
    setProblem('');
    if ('choices' in read) setDoubt({ name: file.name, texts: read.choices });
    else use(file.name, read.text);
  }

  function use(fileName: string, text: string) {
    setDoubt(undefined);
    setName(fileName);
    onText(text);
  }

  return (
    <div className={styles.file}>
      <input
        id={id}
        className={styles.input}
        type="file"
        accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values,text/plain"
        aria-describedby={`${id}-hint`}
        onChange={({ target }) => {
          void take(target.files?.[0]);
          // Without this, choosing the same file again fires no event.
          target.value = '';
        }}
      />
      <label className={buttonClassNames({ variant: 'quiet', size: 'small' }, styles.choose)} htmlFor={id}>
        <FileUp /> Escolher um arquivo CSV
      </label>
      <p id={`${id}-hint`} className={styles.hint}>
        Até 200 linhas e 1 MB. O texto do arquivo aparece no campo acima.
      </p>
      <p className={styles.hint} role="status">
        {name ? `Lido: ${name}` : doubt && 'Falta escolher como o arquivo deve ser lido.'}
      </p>
      {doubt && (
        <fieldset className={styles.doubt}>
          <legend>Em qual destas linhas os acentos estão certos?</legend>
          {doubt.texts.map((text) => (
            <Button key={text} variant="quiet" size="small" onClick={() => use(doubt.name, text)}>
              {sampleOf(text)}
            </Button>
          ))}
        </fieldset>
      )}
      {problem && <FieldError key={problem} error={problem} role="alert" />}
    </div>
  );
}

const bytesOf = async (file: File) => new Uint8Array(await file.arrayBuffer());
