import type { LatestActivity } from '#contract/activity.ts';
import { dateAndTime } from '#web/components/date-and-time.ts';
import { SkeletonBar } from '#web/components/deferred.tsx';
import { Link } from '#web/components/link.tsx';
import { AxisIcon } from '#web/components/practice/practice-icons.tsx';
import { axisNames } from '#web/components/practice/practice-names.ts';
import { editPath } from '../components/activity/activity-paths.ts';
import styles from './latest.module.css';

/** The activities that were created or changed last, with links to their forms. */
export function Latest({ activities }: { activities: LatestActivity[] }) {
  return (
    <section aria-labelledby="ultimas" className={styles.latest}>
      <h2 id="ultimas">Últimas mudanças</h2>
      <ul className={styles.list}>
        {activities.map((activity) => (
          <li key={activity.id} data-axis={activity.axis}>
            <Link to={editPath(activity)} className={styles.row}>
              <AxisIcon axis={activity.axis} />
              <span className={styles.title}>{activity.title}</span>
              <span className={styles.meta}>
                <span>{axisNames[activity.axis]}</span> ·{' '}
                <span>{activity.updatedAt === activity.createdAt ? 'criada em' : 'mudada em'}</span>{' '}
                <time dateTime={new Date(activity.updatedAt).toISOString()}>
                  {dateAndTime(activity.updatedAt)}
                </time>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

export function LatestSkeleton() {
  return (
    <div className={styles.latest}>
      <div className={styles.list}>
        {['first', 'second', 'third', 'fourth', 'fifth'].map((place) => (
          <div key={place} className={styles.row}>
            <SkeletonBar />
            <SkeletonBar width="short" />
          </div>
        ))}
      </div>
    </div>
  );
}
