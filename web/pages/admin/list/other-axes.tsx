import { useState } from 'react';
import type { ListedActivity } from '#contract/activity.ts';
import { listOf, type MainAxis, mainAxes } from '#contract/axes.ts';
import { client } from '#web/app/client.ts';
import { Deferred, deferred } from '#web/components/deferred.tsx';
import { Link } from '#web/components/link.tsx';
import { AxisIcon } from '#web/components/practice/practice-icons.tsx';
import { axisNames } from '#web/components/practice/practice-names.ts';
import { wholeNumber } from '#web/components/whole-number.ts';
import { listState, searchState } from '../components/activity/activity-paths.ts';
import styles from './other-axes.module.css';
import { useContents } from './use-contents.ts';
import { useSearch } from './use-search.ts';

/** Shows what a search finds in the lists of the other axes, grouped by axis, with links to these lists. */
export function OtherAxes({ axis, search }: { axis: MainAxis; search: string }) {
  return mainAxes
    .filter((other) => other !== axis)
    .map((other) => <AxisResults key={other} axis={other} search={search} />);
}

function AxisResults({ axis, search }: { axis: MainAxis; search: string }) {
  const read = () => deferred(client.documents.getActivitySummaries(listOf(axis)));
  const [list, setList] = useState(read);
  return (
    <Deferred value={list} skeleton={null} retry={() => setList(read())}>
      {({ activities }) => <Results axis={axis} summaries={activities} search={search} />}
    </Deferred>
  );
}

/** The maximum number of results that the page shows of each axis. */
const mostShown = 8;

function Results({
  axis,
  summaries,
  search,
}: {
  axis: MainAxis;
  summaries: ListedActivity[];
  search: string;
}) {
  const [activities, setActivities] = useState(summaries);
  const onRead = (read: { activities: ListedActivity[] }) => setActivities(read.activities);
  const texts = useContents(axis, { activities, wanted: true, onRead });
  const found = useSearch(activities, search);
  const name = axisNames[axis];
  const practices = found.length === 1 ? '1 prática' : `${wholeNumber(found.length)} práticas`;
  return (
    <>
      <p className="visually-hidden" role="status">
        {found.length > 0 && `${practices} em ${name}`}
      </p>
      {found.length > 0 && (
        <section className={styles.results} data-axis={axis} aria-label={`Também em ${name}`}>
          <h2 className={styles.title}>
            <AxisIcon axis={axis} /> <span>{`Também em ${name}`}</span>
          </h2>
          <ul>
            {found.slice(0, mostShown).map((activity) => (
              <li key={activity.id}>
                <Link to={`/admin/${axis}`} state={listState(activity)}>
                  {activity.title}
                </Link>
              </li>
            ))}
          </ul>
          {found.length > mostShown && (
            <p>
              <Link
                to={`/admin/${axis}`}
                state={searchState(search)}
              >{`Ver as ${practices} em ${name}`}</Link>
            </p>
          )}
        </section>
      )}
      {texts.failed && <p>{`Em ${name}, só nos títulos: os textos não puderam ser lidos.`}</p>}
    </>
  );
}
