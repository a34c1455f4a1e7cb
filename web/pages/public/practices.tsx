import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import type { Activity } from '#contract/activity.ts';
import { listOf } from '#contract/axes.ts';
import { choosePractices, type PracticeChoice, practiceChoiceIn } from '#contract/practices/choice.ts';
import type { NightPractice } from '#contract/practices/page.ts';
import { servicesContext, useContent } from '#web/app/services-context.ts';
import { PageTitle } from '#web/components/layout/page-title.tsx';
import { failureOf, type LoadFailure } from './components/problem.tsx';
import { AxisFilter } from './practices/axis-filter.tsx';
import { Guidance } from './practices/guidance.tsx';
import { Night } from './practices/night.tsx';
import { PracticeGrid } from './practices/practice-grid.tsx';
import { TimeFilter } from './practices/time-filter.tsx';
import styles from './practices.module.css';

type PracticesData = {
  choice: PracticeChoice;
  /** The practices of the chosen axis; undefined if they could not be loaded. */
  activities: Activity[] | undefined;
  failure?: LoadFailure;
  night: NightPractice[];
};

/**
 * Loads the page's texts, the practices for the night, and the list of the chosen axis. If the list fails to
 * load, the data contains the reason.
 */
export async function loader({ context, request }: LoaderFunctionArgs): Promise<PracticesData> {
  const { client, content } = context.get(servicesContext);
  const choice = practiceChoiceIn(new URL(request.url).searchParams);
  const [list, night] = await Promise.all([
    client.documents
      .getActivities(listOf(choice.axis), request.signal)
      .then(({ activities }) => ({ activities }))
      .catch((error: unknown) => ({ activities: undefined, failure: failureOf(error) })),
    // The page is useful without the practices for the night, so ignore an error here.
    client.documents.getNightPractices(request.signal).catch(() => []),
    content.load('practices'),
  ]);
  return { choice, night, ...list };
}

export function Component() {
  const { choice, activities, failure, night } = useLoaderData<typeof loader>();
  const texts = useContent('practices');
  const chosen = activities && choosePractices(activities, choice);
  return (
    <div className={styles.practices}>
      <PageTitle title="Práticas" description={texts.description} path="/practices" />
      <div className={styles.head}>
        <div className={styles.intro}>
          <h1 className="page-title">Práticas</h1>
          <div>
            <p className="lead">{texts.leads[choice.axis]}</p>
            <p>{texts.note}</p>
          </div>
        </div>
        <Guidance texts={texts} />
      </div>
      {night.length > 0 && <Night practices={night} />}
      <AxisFilter choice={choice} />
      {activities && activities.length > 0 && chosen && (
        <TimeFilter choice={choice} practices={activities} shown={chosen.length} />
      )}
      <PracticeGrid
        practices={chosen}
        failure={failure}
        leftOut={activities !== undefined && activities.length > 0}
        withCrisis={night.length === 0}
        externalVideo={texts.externalVideo}
      />
    </div>
  );
}
