import { memberTexts } from '#clinic/member.ts';
import { Hexaflex } from '#web/parts/hexaflex.tsx';
import { PageTitle } from '#web/parts/page-title.tsx';
import styles from './pro.module.css';

/** The members' page. */
export function Component() {
  return (
    <div className={styles.page}>
      <PageTitle title="Pro" />
      <header className={styles.head}>
        <h1>Pro</h1>
        <p>{memberTexts.lead}</p>
      </header>
      <div className={styles.sections}>
        {[memberTexts.courses, memberTexts.links].map(({ title, text }, index) => (
          <section key={title} className={styles.section}>
            <Hexaflex lit={index + 1} className={styles.mark} />
            <h2>{title}</h2>
            <p>{text}</p>
          </section>
        ))}
      </div>
    </div>
  );
}
