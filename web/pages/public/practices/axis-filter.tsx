import { type MainAxis, mainAxes } from '#contract/axes.ts';
import { AxisIcon } from '#web/components/axis-icon.tsx';
import { publicAxisNames } from '#web/components/axis-names.ts';
import { Link } from '#web/components/link.tsx';
import { practicesPath } from '../components/practices-path.ts';
import styles from './axis-filter.module.css';

/** Links to the four lists of activities. Each list has its own URL, and works without JavaScript. */
export function AxisFilter({ selected }: { selected: MainAxis }) {
  return (
    <nav className={styles.filter} aria-label="Tipos de prática">
      <ul>
        {mainAxes.map((axis) => (
          <li key={axis} data-axis={axis}>
            <Link to={practicesPath(axis)} aria-current={axis === selected ? 'page' : undefined}>
              <AxisIcon axis={axis} /> {publicAxisNames[axis]}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
