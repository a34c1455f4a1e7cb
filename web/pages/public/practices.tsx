import { type LoaderFunctionArgs, redirect, useLoaderData } from 'react-router';
import { type PracticeChoice, practiceChoiceIn, practicesPath } from '#contract/practices/choice.ts';
import type { NightPractice, PracticesPage } from '#contract/practices/page.ts';
import { servicesContext, useContent } from '#web/app/services.ts';
import { PageTitle } from '#web/components/layout/page-title.tsx';
import { Lock } from '#web/components/practice/practice-icons.tsx';
import { failureOf, type LoadFailure } from './components/problem.tsx';
import { AxisFilter, TimeFilter } from './practices/filters.tsx';
import { Guidance } from './practices/guidance.tsx';
import { Night } from './practices/night.tsx';
import { PageLinks, PracticeGrid } from './practices/practice-grid.tsx';
import styles from './practices.module.css';

type PracticesData = {
  choice: PracticeChoice;
  /** The chosen practices; undefined if they could not be loaded. */
  chosen: PracticesPage | undefined;
  failure?: LoadFailure;
  night: NightPractice[];
};

/**
 * Loads the page's texts, the practices for the night, and the chosen practices. If these fail to load, the
 * data contains the reason. A number after the last page leads to the last page.
 */
export async function loader({ context, request }: LoaderFunctionArgs): Promise<PracticesData | Response> {
  const { pageData, content } = context.get(servicesContext);
  const choice = practiceChoiceIn(new URL(request.url).searchParams);
  const [result, night] = await Promise.all([
    pageData
      .practices(choice, request.signal)
      .then((chosen) => ({ chosen }))
      .catch((error: unknown) => ({ chosen: undefined, failure: failureOf(error) })),
    // The page is useful without the practices for the night, so ignore an error here.
    pageData.nightPractices(request.signal).catch(() => []),
    content.load('practices'),
  ]);
  const page = result.chosen?.page ?? choice.page;
  if (page !== choice.page) return redirect(practicesPath({ ...choice, page }));
  return { choice, night, ...result };
}

/**
 * The path of the canonical URL. A shorter or sorted list shows the same practices as the whole list, so
 * search engines need only the latter.
 */
const canonicalPath = ({ axis, minutes, order, page }: PracticeChoice) =>
  practicesPath(minutes === undefined && order === 'clinic' ? { axis, page } : { axis });

export function Component() {
  const { choice, chosen, failure, night } = useLoaderData<PracticesData>();
  const texts = useContent('practices');
  const hasPractices = chosen !== undefined && chosen.total > 0;
  return (
    <div className={styles.practices}>
      <PageTitle
        title={choice.page > 1 ? `Práticas, página ${choice.page}` : 'Práticas'}
        description={texts.description}
        path={canonicalPath(choice)}
      />
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
      {hasPractices && <TimeFilter choice={choice} {...chosen} />}
      <PracticeGrid
        practices={chosen?.practices}
        failure={failure}
        leftOut={hasPractices}
        withCrisis={night.length === 0}
        externalVideo={texts.externalVideo}
        page={choice.page}
        pages={chosen?.pages ?? 1}
      />
      {chosen && <PageLinks choice={choice} pages={chosen.pages} />}
      <VideoNote />
    </div>
  );
}

/** Says when the page loads something from YouTube. */
const VideoNote = () => (
  <p className={styles.note}>
    <Lock />
    <span>
      Nada é carregado do YouTube até você tocar em Assistir. A partir daí, vale também a política de
      privacidade do Google.
    </span>
  </p>
);
