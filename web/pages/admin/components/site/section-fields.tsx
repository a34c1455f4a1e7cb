import { ChevronDown } from 'lucide-react';
import { GroupFields, PlanField } from './fields/plan-field.tsx';
import type { AnyGroup, Plan } from './plans/plan.ts';
import styles from './section-fields.module.css';

/** In a section with at least this many groups, the user can close each group. */
const manyGroups = 3;

/** All fields of a section. In a section with many groups, each group opens and closes. */
export function SectionFields({ plan }: { plan: Plan }) {
  if (plan.kind !== 'group') return <PlanField plan={plan} path={[]} />;
  const groups = Object.entries(plan.fields).filter(([, { kind }]) => kind === 'group');
  if (groups.length < manyGroups) return <GroupFields plan={plan} path={[]} />;
  const [first] = groups;
  return Object.entries(plan.fields).map(([key, inner]) =>
    inner.kind === 'group' ? (
      <Part key={key} name={key} plan={inner} open={key === first?.[0]} />
    ) : (
      <PlanField key={key} plan={inner} path={[key]} />
    ),
  );
}

function Part({ name, plan, open }: { name: string; plan: AnyGroup; open: boolean }) {
  return (
    <details className={styles.part} open={open}>
      <summary>
        <h2>{plan.label}</h2>
        <ChevronDown aria-hidden="true" />
      </summary>
      <div className={styles.fields}>
        <GroupFields plan={plan} path={[name]} />
      </div>
    </details>
  );
}
