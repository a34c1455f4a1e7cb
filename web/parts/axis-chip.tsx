import type { Axis } from '#contract/axes.ts';
import styles from './axis-chip.module.css';
import { AxisIcon } from './axis-icon.tsx';
import { axisNames } from './axis-names.ts';

/** The axis of an activity, by icon and name, in its colour. */
export function AxisChip({ axis }: { axis: Axis }) {
  return (
    <span className={styles.chip} data-axis={axis}>
      <AxisIcon axis={axis} /> {axisNames[axis]}
    </span>
  );
}
