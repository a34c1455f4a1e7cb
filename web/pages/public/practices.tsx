import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { ClientError } from '#client/client-error.ts';
import type { Activity } from '#contract/activity.ts';
import { listOf, mainAxisNamed } from '#contract/axes.ts';
import { isCodeMissing } from '#web/app/reload-after-deploy.ts';
import { servicesContext, useContent } from '#web/app/services-context.ts';
import { PageTitle } from '#web/components/layout/page-title.tsx';
import { AxisFilter } from './practices/axis-filter.tsx';
import { Guidance } from './practices/guidance.tsx';
import { PracticeGrid, type PracticesData } from './practices/practice-grid.tsx';
import styles from './practices.module.css';

/** Loads the texts, and the list of an axis or the sentence that explains the failure. */
export async function loader({ context, request }: LoaderFunctionArgs): Promise<PracticesData> {
  const { client, content } = context.get(servicesContext);
  const axis = mainAxisNamed(new URL(request.url).searchParams.get('eixo'));
  const [list] = await Promise.all([
    readList(() => client.documents.getActivities(listOf(axis), request.signal)),
    content.load('practices'),
  ]);
  return { axis, ...list };
}

async function readList(read: () => Promise<{ activities: Activity[] }>) {
  try {
    const { activities } = await read();
    return { activities };
  } catch (error) {
    if (error instanceof ClientError) return { problem: error.message, codeMissing: isCodeMissing(error) };
    throw error;
  }
}

export function Component() {
  const data = useLoaderData<typeof loader>();
  const texts = useContent('practices');
  return (
    <div className={styles.practices}>
      <PageTitle title="Práticas" description={texts.description} path="/practices" />
      <div className={styles.head}>
        <div className={styles.intro}>
          <h1 className="page-title">Práticas</h1>
          <div>
            <p className="lead">{texts.leads[data.axis]}</p>
            <p>{texts.note}</p>
          </div>
        </div>
        <Guidance tips={texts.tips} />
      </div>
      <AxisFilter selected={data.axis} />
      <PracticeGrid data={data} externalVideo={texts.externalVideo} />
    </div>
  );
}
