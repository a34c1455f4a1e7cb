import { useEffect, useRef, useState } from 'react';
import type { DraftSection, SiteDraft } from '#contract/site/draft.ts';
import { client } from '#web/app/client.ts';
import { Button } from '#web/components/button.tsx';
import { useSignInAgain } from '#web/components/form/sign-in-again.tsx';
import { useToast } from '#web/components/toast.tsx';
import { useAction } from '#web/components/use-action.ts';
import { arrangementSection, fieldNames, type SamplePart } from './sample-parts.ts';
import styles from './samples.module.css';
import { useMayDecide } from './section-editing.ts';
import { newerSection } from './use-section.ts';

export const SampleMark = () => <span className={styles.mark}>Ainda é o exemplo</span>;

/** Says which fields of a part are still the sample, with a button that confirms them. */
export function SampleNotice({
  part,
  onConfirm,
}: {
  part: SamplePart;
  onConfirm: (part: SamplePart) => void;
}) {
  const mayConfirm = useMayDecide();
  return (
    <div className={styles.notice}>
      <p>
        <SampleMark /> <span>{fieldNames(part)}</span>
      </p>
      {part.names.length > 0 && part.names.every(mayConfirm) && (
        <ConfirmButton part={part} onConfirm={onConfirm} />
      )}
    </div>
  );
}

export function ConfirmButton({
  part,
  onConfirm,
}: {
  part: SamplePart;
  onConfirm: (part: SamplePart) => void;
}) {
  return (
    <Button
      variant="quiet"
      size="small"
      aria-label={part.label ? `Está bom assim: ${part.label}` : undefined}
      onClick={() => onConfirm(part)}
    >
      Está bom assim
    </Button>
  );
}

/** Saves in the draft which sample texts the clinic keeps. @param onSaved called after each save */
export function useConfirmation(draft: SiteDraft, onSaved?: () => void) {
  const [section, setSection] = useState(() => arrangementSection(draft));
  const notify = useToast();
  const closeToast = useRef<() => void>(undefined);
  useEffect(() => () => closeToast.current?.(), []);
  const action = useAction();
  const { withSession, signInAgain } = useSignInAgain();

  /** @param change returns the names after the change, from the names before it */
  const save = (change: (names: string[]) => string[], after: () => void) =>
    action.run(async () => {
      const write = ({ tag, content }: DraftSection<'arrangement'>) =>
        withSession(() =>
          client.site.saveSection({
            ...{ section: 'arrangement', tag },
            content: { ...content, confirmed: change(content.confirmed) },
          }),
        );
      const saved = await write(section).catch((error: unknown) => {
        const found = newerSection(error);
        if (!found) throw error;
        // Another admin has changed the order meanwhile. The confirmation does not depend on it.
        return write(found.saved as DraftSection<'arrangement'>);
      });
      setSection(saved as DraftSection<'arrangement'>);
      onSaved?.();
      after();
    });

  function confirm({ names, label }: SamplePart) {
    const undo = () =>
      save(
        (now) => now.filter((one) => !names.includes(one)),
        () => {},
      );
    save(
      (before) => [...new Set([...before, ...names])],
      () => {
        // One toast is enough: many would cover the rows that are still to be confirmed.
        closeToast.current?.();
        closeToast.current = notify(label ? `${label}: fica como está.` : 'Combinado, fica como está.', {
          action: { label: 'Desfazer', run: undo },
          plain: true,
          focus: true,
        });
      },
    );
  }

  return {
    arrangement: section.content,
    confirm,
    failure: action.failure,
    signInAgain,
  };
}
