import { mainAxes } from '#contract/axes.ts';
import { type PracticeChoice, practicesPath } from '#contract/practices/choice.ts';
import { Link } from '#web/components/link.tsx';
import { AxisIcon } from '#web/components/practice/practice-icons.tsx';
import { publicAxisNames } from '#web/components/practice/practice-names.ts';
import styles from './axis-filter.module.css';

/** Links to the four lists of activities. Each list has its own URL, so the links work without JavaScript. */
export function AxisFilter({ choice }: { choice: PracticeChoice }) {
  return (
    <nav className={styles.filter} aria-label="Tipos de prática">
      <ul>
        {mainAxes.map((axis) => (
          <li key={axis} data-axis={axis}>
            <Link
              to={practicesPath({ ...choice, axis, page: 1 })}
              aria-current={axis === choice.axis ? 'page' : undefined}
            >
              <AxisIcon axis={axis} /> <span>{publicAxisNames[axis]}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
