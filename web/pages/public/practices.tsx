import { type LoaderFunctionArgs, redirect, useLoaderData } from 'react-router';
import {
  isDefaultChoice,
  type PracticeChoice,
  practiceChoiceIn,
  practicesPath,
} from '#contract/practices/choice.ts';
import { isLate } from '#contract/practices/night.ts';
import type { NightPractice, PracticesPage } from '#contract/practices/page.ts';
import type { PracticesTexts } from '#contract/site/content.ts';
import { servicesContext, useContent } from '#web/app/services.ts';
import { Crisis } from '#web/components/crisis.tsx';
import { PageTitle } from '#web/components/layout/page-title.tsx';
import { Lock } from '#web/components/practice/practice-icons.tsx';
import { publicAxisNames } from '#web/components/practice/practice-names.ts';
import { failureOf, type LoadFailure } from './components/problem.tsx';
import { Filters } from './practices/filters.tsx';
import { Guidance } from './practices/guidance.tsx';
import { Night } from './practices/night.tsx';
import { PageLinks, PracticeGrid } from './practices/practice-grid.tsx';
import { SearchForm } from './practices/search-form.tsx';
import styles from './practices.module.css';

type PracticesData = {
  choice: PracticeChoice;
  /** The chosen practices; undefined if they could not be loaded. */
  chosen: PracticesPage | undefined;
  failure?: LoadFailure;
  /** The practices for the night; empty if the visitor has chosen something. */
  night: NightPractice[];
  /** True if it is night at the clinic. */
  late: boolean;
};

/**
 * Loads the page's texts, the practices for the night, and the chosen practices. If these fail to load, the
 * data contains the reason. A number after the last page leads to the last page.
 */
export async function loader({ context, request }: LoaderFunctionArgs): Promise<PracticesData | Response> {
  const { pageData, content } = context.get(servicesContext);
  await content.load('practices', 'identity');
  const choice = practiceChoiceIn(new URL(request.url).searchParams, content.get('practices').needs);
  const [result, night] = await Promise.all([
    pageData
      .practices(choice, request.signal)
      .then((chosen) => ({ chosen }))
      .catch((error: unknown) => ({ chosen: undefined, failure: failureOf(error) })),
    // The page is useful without the practices for the night, so ignore an error here.
    isDefaultChoice(choice) ? pageData.nightPractices(request.signal).catch(() => []) : [],
  ]);
  const page = result.chosen?.page ?? choice.page;
  if (page !== choice.page) return redirect(practicesPath({ ...choice, page }));
  const late = isLate(content.get('identity').schedule.timeZone, new Date());
  return { choice, night, late, ...result };
}

/**
 * The path of the canonical URL; undefined for a search, which search engines need not index. A shorter or
 * sorted list shows the same practices as the whole list, and a need those of its axes.
 */
function canonicalPath({ axis, need, minutes, search, order, page }: PracticeChoice): string | undefined {
  if (search !== '') return undefined;
  const whole = need === undefined ? { axis } : { need };
  const isWhole = minutes === undefined && order === 'clinic' && (need === undefined || axis === undefined);
  return practicesPath(isWhole ? { ...whole, page } : whole);
}

/** For example `Práticas: Sono, página 2`. */
function titleOf({ axis, need, search, page }: PracticeChoice, { needs }: PracticesTexts): string {
  const named = needs.find(({ id }) => id === need)?.name ?? (axis && publicAxisNames[axis]);
  const chosen = search || named;
  return `Práticas${chosen ? `: ${chosen}` : ''}${page > 1 ? `, página ${page}` : ''}`;
}

export function Component() {
  const { choice, chosen, failure, night, late } = useLoaderData<PracticesData>();
  const texts = useContent('practices');
  const nightPath = night.length > 0 && <Night practices={night} />;
  const path = canonicalPath(choice);
  return (
    <div className={styles.practices}>
      <PageTitle
        title={titleOf(choice, texts)}
        description={texts.description}
        {...(path !== undefined && { path })}
      />
      <div className={styles.head}>
        <div>
          <h1 className="page-title">Práticas</h1>
          <p className="lead">{texts.leads[choice.axis ?? 'all']}</p>
        </div>
        <SearchForm choice={choice} />
      </div>
      {late && nightPath}
      <Filters choice={choice} needs={texts.needs} chosen={chosen} />
      <PracticeGrid
        choice={choice}
        chosen={chosen}
        failure={failure}
        externalVideo={texts.externalVideo}
        guidance={<Guidance texts={texts} />}
        help={
          <>
            {!late && nightPath}
            <Crisis
              className={styles.crisis}
              title="Se agora está pesado demais"
              lead="Prática nenhuma precisa dar conta disso. Fale com alguém."
            />
          </>
        }
      />
      {chosen && <PageLinks choice={choice} pages={chosen.pages} />}
      <p className={styles.note}>{texts.note}</p>
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
