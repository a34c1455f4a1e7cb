import { useState } from 'react';
import type { ListedActivity } from '#contract/activity.ts';
import { useContent, useServices } from '#web/app/services-context.ts';
import { Button, ButtonLink } from '#web/components/button.tsx';
import { Deferred, deferred, SkeletonBar } from '#web/components/deferred.tsx';
import { Dialog } from '#web/components/dialog.tsx';
import { PlainText } from '#web/components/plain-text.tsx';
import { hostName } from '#web/components/practice/outside-link.tsx';
import styles from './activity-reader.module.css';
import { AxisChip } from './axis-chip.tsx';
import { editTarget } from './edit-target.ts';

/** A dialog that shows an activity's title and content. */
export function ActivityReader({ activity, onClose }: { activity: ListedActivity; onClose: () => void }) {
  const { client } = useServices();
  const { shortName } = useContent('identity');
  const [whole, setWhole] = useState(read);

  function read() {
    const { content } = activity;
    return deferred<{ content: string } | undefined>(
      content === undefined ? client.documents.findActivity(activity) : Promise.resolve({ content }),
    );
  }

  return (
    <Dialog
      title={activity.title}
      onClose={onClose}
      footer={
        <>
          <ButtonLink variant="quiet" {...editTarget(activity)}>
            Editar
          </ButtonLink>
          <Button onClick={onClose}>Fechar</Button>
        </>
      }
    >
      <div className={styles.text}>
        <p className={styles.clinic}>{shortName}</p>
        <AxisChip axis={activity.axis} />
        <Deferred value={whole} skeleton={<SkeletonBar />} retry={() => setWhole(read())}>
          {(found) => <PlainText text={found?.content ?? 'Esta prática não está mais aqui.'} />}
        </Deferred>
        <a href={activity.url} target="_blank" rel="noopener noreferrer">
          <span>{`Abrir em ${hostName(activity.url)}`}</span>
          <span className="visually-hidden"> (abre em outra aba)</span>
        </a>
      </div>
    </Dialog>
  );
}
