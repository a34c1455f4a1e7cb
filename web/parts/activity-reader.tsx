import type { Activity } from '#contract/activity.ts';
import styles from './activity-reader.module.css';
import { AxisChip } from './axis-chip.tsx';
import { Button, ButtonLink } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { editTarget } from './edit-target.ts';
import { PlainText } from './plain-text.tsx';

/** An activity, to be read: its title and its content. */
export function ActivityReader({ activity, onClose }: { activity: Activity; onClose: () => void }) {
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
      <div className={styles.words}>
        <AxisChip axis={activity.axis} />
        <PlainText text={activity.content} />
        <a href={activity.url} target="_blank" rel="noopener noreferrer">
          {activity.url}
          <span className="visually-hidden"> (abre em outra aba)</span>
        </a>
      </div>
    </Dialog>
  );
}
