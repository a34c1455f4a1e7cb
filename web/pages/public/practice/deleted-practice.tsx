import type { ActivitySummary } from '#contract/activity.ts';
import { Hexaflex } from '#web/components/art/hexaflex.tsx';
import { ButtonLink } from '#web/components/button.tsx';
import { PageTitle } from '#web/components/layout/page-title.tsx';
import styles from './deleted-practice.module.css';
import { OtherPractices } from './other-practices.tsx';
import pageStyles from './practice.module.css';

/** The page of a deleted practice. It offers links to other practices. */
export function DeletedPractice({ others }: { others: readonly ActivitySummary[] }) {
  return (
    <div className={pageStyles.page}>
      <PageTitle title="Prática retirada" />
      <header className={styles.message}>
        <Hexaflex lit={0} className={styles.mark} />
        <h1 className="page-title">Esta prática saiu da biblioteca.</h1>
        <p className="lead">Quem cuida do site a retirou. As outras continuam aqui.</p>
        <ButtonLink to="/practices">Ver todas as práticas</ButtonLink>
      </header>
      <OtherPractices practices={others} title="Talvez uma destas" />
    </div>
  );
}
