import type { SiteContent } from '#contract/site/content.ts';
import styles from './differences.module.css';
import { planOf } from './plans/plans.ts';
import { sectionOrder, sections } from './sections.ts';
import { UnitVersion } from './unit-version.tsx';
import { changedUnits, unitText } from './units.ts';

/** Shows what differs between two versions of the site content, section by section, old beside new. */
export function Differences({ before, after }: { before: SiteContent; after: SiteContent }) {
  const changed = sectionOrder.flatMap((section) => {
    const plan = planOf(section);
    const units = changedUnits(plan, before[section], after[section]);
    return units.length === 0 ? [] : [{ section, plan, units }];
  });
  if (changed.length === 0) return <p>Nada mudou.</p>;
  return changed.map(({ section, plan, units }) => (
    <div key={section} className={styles.section}>
      <h3>{sections[section].label}</h3>
      {units.map((unit) => {
        const [old, now] = [unitText(plan, before[section], unit), unitText(plan, after[section], unit)];
        return (
          <div key={unit.label} className={styles.unit}>
            <h4>{unit.label}</h4>
            <div className={styles.version}>
              <p className={styles.name}>Antes</p>
              <UnitVersion unit={unit} side="one" one={old} other={now} />
            </div>
            <div className={styles.version} data-new="">
              <p className={styles.name}>Depois</p>
              <UnitVersion unit={unit} side="other" one={old} other={now} />
            </div>
          </div>
        );
      })}
    </div>
  ));
}
