import { useState } from 'react';
import type { PracticesTexts } from '#contract/site/content.ts';
import { Hexaflex } from '#web/components/art/hexaflex.tsx';
import { Button } from '#web/components/button.tsx';
import { classNames } from '#web/components/class-names.ts';
import { Dialog } from '#web/components/dialog.tsx';
import { PlainText } from '#web/components/plain-text.tsx';
import styles from './guidance.module.css';

type Texts = Pick<PracticesTexts, 'tipsTitle' | 'tipsLead' | 'tips'>;

/** A quiet card that opens a dialog with six tips. Without JavaScript, the card itself shows the tips. */
export function Guidance({ texts: { tipsTitle, tipsLead, tips } }: { texts: Texts }) {
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <section className={classNames(styles.card, 'print-none')} aria-labelledby="dicas">
      <Hexaflex className={styles.bloom} />
      <h2 id="dicas">{tipsTitle}</h2>
      <p>{tipsLead}</p>
      <Button variant="quiet" className={styles.button} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        Ver as seis dicas
      </Button>
      <noscript>
        <Tips tips={tips} />
      </noscript>
      {open && (
        <Dialog title={tipsTitle} onClose={close} footer={<Button onClick={close}>Entendi</Button>}>
          <Tips tips={tips} />
        </Dialog>
      )}
    </section>
  );
}

function Tips({ tips }: Pick<PracticesTexts, 'tips'>) {
  return (
    <ol className={styles.tips}>
      {tips.map((tip, place) => (
        <li key={place}>
          <Hexaflex lit={place + 1} className={styles.bullet} />
          <h3>{tip.title}</h3>
          <PlainText text={tip.text} className={styles.words} />
        </li>
      ))}
    </ol>
  );
}
