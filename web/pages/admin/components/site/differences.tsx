import type { SiteContent } from '#contract/site/content.ts';
import { AudioPlayer } from '#web/components/media/audio-player.tsx';
import { StoredPicture } from '#web/components/upload/upload-preview.tsx';
import { ComparedText } from '../versions/conflict-version.tsx';
import styles from './differences.module.css';
import { planOf } from './plans/plans.ts';
import { sectionOrder, sections } from './sections.ts';
import type { Unit } from './units.ts';

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

/** One of two versions of a field: a text with marks on what differs, a picture, or a sound. */
export function UnitVersion({
  unit,
  side,
  one,
  other,
}: {
  unit: Unit;
  side: 'one' | 'other';
  one: string;
  other: string;
}) {
  const text = side === 'one' ? one : other;
  if (text === '') return <p className={styles.nothing}>Vazio</p>;
  if (unit.file === 'image') return <StoredPicture src={text} alt={unit.label} />;
  if (unit.file === 'audio') return <AudioPlayer src={text} title={unit.label} />;
  return (
    <div className={styles.text}>
      <ComparedText side={side} one={one} other={other} />
    </div>
  );
}
