import { type ReactNode, useEffect, useRef } from 'react';
import { fullDate } from '#contract/calendar.ts';
import type { ConsultationNote } from '#contract/diary/share.ts';
import { Button } from '#web/components/button.tsx';
import { Dialog } from '#web/components/dialog.tsx';
import { FormMessage } from '#web/components/notice.tsx';
import styles from './consultation.module.css';

/** The note that another device has stored, and what the patient can do with the text in the form. */
export function NewerNote({
  note,
  name,
  onTake,
  onKeep,
}: {
  note: ConsultationNote;
  name: string;
  onTake: () => void;
  onKeep: () => void;
}) {
  const box = useRef<HTMLElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <section ref={box} className={styles.box} tabIndex={-1} aria-label="A nota mudou em outro aparelho">
      <p>
        <strong>Esta nota mudou em outro aparelho.</strong>{' '}
        <span>
          {note.shownAt === null
            ? 'Nada foi perdido: o que você escreveu aqui continua abaixo. Lá está guardado:'
            : `Ela está mostrada a ${name}. O que você escreveu aqui continua abaixo. Lá está guardado:`}
        </span>
      </p>
      <dl className={styles.answers}>
        <div>
          <dt>Dia da consulta</dt>
          <dd>{fullDate(note.day)}</dd>
        </div>
        {note.questions.map((question, place) => (
          <div key={question}>
            <dt>{question}</dt>
            <dd>{note.answers[place] || 'sem resposta'}</dd>
          </div>
        ))}
      </dl>
      <div className={styles.actions}>
        <Button variant="quiet" size="small" onClick={onTake}>
          Ficar com o que está lá
        </Button>
        <Button variant="quiet" size="small" onClick={onKeep}>
          Guardar o que está aqui
        </Button>
      </div>
    </section>
  );
}

/** Asks before a note is shown or deleted. */
export function AskDialog({
  title,
  action,
  keep,
  danger = false,
  failure,
  onAction,
  onClose,
  children,
}: {
  title: string;
  action: string;
  keep: string;
  danger?: boolean;
  failure: { message: string; onReload: (() => void) | undefined };
  onAction: () => void;
  onClose: () => void;
  children: ReactNode;
}) {
  return (
    <Dialog
      title={title}
      size="narrow"
      onClose={onClose}
      footer={
        <>
          <Button variant={danger ? 'danger' : 'primary'} onClick={onAction}>
            {action}
          </Button>
          <Button variant="quiet" onClick={onClose}>
            {keep}
          </Button>
        </>
      }
    >
      <p>{children}</p>
      <FormMessage {...failure} />
    </Dialog>
  );
}
