import type { Axis } from '#contract/axes.ts';
import { AxisIcon } from '#web/components/practice/practice-icons.tsx';
import { axisNames } from '#web/components/practice/practice-names.ts';
import styles from './axis-chip.module.css';

/** The icon and name of an axis, in its colour. */
export function AxisChip({ axis }: { axis: Axis }) {
  return (
    <span className={styles.chip} data-axis={axis}>
      <AxisIcon axis={axis} /> <span>{axisNames[axis]}</span>
    </span>
  );
}
