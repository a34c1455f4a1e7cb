import { FileUp } from 'lucide-react';
import { useId, useState } from 'react';
import { buttonClassNames } from '#web/components/button.tsx';
import { FieldError } from '#web/components/form/field.tsx';
import { decodeFile, importMaxBytes, tooLarge } from './decode-file.ts';
import styles from './table-file.module.css';

/** Reads a CSV file from this device into the text field. The file is not sent to the server. */
export function TableFile({ onText }: { onText: (text: string) => void }) {
  const id = useId();
  const [problem, setProblem] = useState('');
  const [name, setName] = useState('');

  async function take(file: File | undefined) {
    if (!file) return;
    setName('');
    const read = file.size > importMaxBytes ? { problem: tooLarge } : decodeFile(await bytesOf(file));
    if ('problem' in read) return setProblem(read.problem);
    setProblem('');
    setName(file.name);
    onText(read.text);
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
        {name && `Lido: ${name}`}
      </p>
      {problem && <FieldError key={problem} error={problem} role="alert" />}
    </div>
  );
}

const bytesOf = async (file: File) => new Uint8Array(await file.arrayBuffer());
