import { Copy, Download, Printer } from 'lucide-react';
import { createPortal } from 'react-dom';
import { useContent } from '#web/app/services-context.ts';
import { Button } from '#web/components/button.tsx';
import { useToast } from '#web/components/toast.tsx';
import styles from './second-factor.module.css';

/** Lets users copy, download or print the recovery codes. The printed page has only the codes and a title. */
export function RecoveryCodes({ codes }: { codes: string[] }) {
  const identity = useContent('identity');
  const notify = useToast();
  const title = `Códigos de recuperação de ${identity.shortName}. Cada um serve uma vez.`;
  const text = [title, ...codes, ''];

  async function copy() {
    try {
      await navigator.clipboard.writeText(codes.join('\n'));
      notify('Códigos copiados.');
    } catch {
      notify('O navegador não deixou copiar. Baixe ou imprima os códigos.', { plain: true });
    }
  }

  function download() {
    const url = URL.createObjectURL(new Blob([text.join('\r\n')], { type: 'text/plain' }));
    const link = document.createElement('a');
    link.href = url;
    link.download = 'codigos-de-recuperacao.txt';
    link.click();
    URL.revokeObjectURL(url);
  }

  const list = (
    <ul className={styles.codes}>
      {codes.map((code) => (
        <li key={code}>{code}</li>
      ))}
    </ul>
  );
  return (
    <>
      {list}
      {createPortal(
        <div className={styles.printed}>
          <p>{title}</p>
          {list}
        </div>,
        document.body,
      )}
      <div className={styles.actions}>
        <Button variant="quiet" size="small" onClick={() => void copy()}>
          <Copy /> Copiar
        </Button>
        <Button variant="quiet" size="small" onClick={download}>
          <Download /> Baixar
        </Button>
        <Button variant="quiet" size="small" onClick={() => window.print()}>
          <Printer /> Imprimir
        </Button>
      </div>
    </>
  );
}
