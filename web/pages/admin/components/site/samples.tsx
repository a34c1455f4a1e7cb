import { useState } from 'react';
import type { Arrangement } from '#contract/site/content.ts';
import type { DraftSection, SiteDraft } from '#contract/site/draft.ts';
import { openSamples } from '#contract/site/untouched.ts';
import { client } from '#web/app/client.ts';
import { Button } from '#web/components/button.tsx';
import { useSignInAgain } from '#web/components/form/sign-in-again.tsx';
import { useToast } from '#web/components/toast.tsx';
import { useAction } from '#web/components/use-action.ts';
import { planOf } from './plans/plans.ts';
import styles from './samples.module.css';
import { fieldPath, labelAt, partsOf } from './units.ts';
import { newerSection } from './use-section.ts';
import { isSame, type Path } from './values.ts';

/** A part of a section with fields that are still the sample. An admin can confirm the part as it is. */
export type SamplePart = {
  /** The key of the group; empty for the fields outside groups, and for a section without groups. */
  key: string;
  label: string;
  /** The fields, in the order of the form, each once. */
  fields: { place: Path; label: string }[];
  /** What a confirmation adds to `confirmed`; empty if the clinic must replace all of the fields. */
  names: string[];
};

const arrangementSection = ({ sections }: SiteDraft) =>
  sections.find(({ section }) => section === 'arrangement') as DraftSection<'arrangement'>;
export const arrangementOf = (draft: SiteDraft): Arrangement => arrangementSection(draft).content;

export const SampleMark = () => <span className={styles.mark}>Ainda é o exemplo</span>;

/**
 * Lists the parts of a section that "Ainda é o exemplo" marks.
 * @param content the content that the form shows
 */
export function samplePartsOf(
  { section, sample }: Pick<DraftSection, 'section' | 'sample'>,
  content: unknown,
  arrangement: Arrangement,
): SamplePart[] {
  const plan = planOf(section);
  const groups = partsOf(plan);
  const found = openSamples(section, { content, sample, arrangement });
  const parts = new Map<string, { paths: string[]; names: Set<string> }>();
  for (const path of found) {
    const [first = ''] = path.split('.');
    const key = groups?.[first] ? first : '';
    const part = parts.get(key) ?? { paths: [], names: new Set() };
    part.paths.push(path);
    part.names.add(groups ? `${section}.${first}` : section);
    parts.set(key, part);
  }
  return [...parts].map(([key, { paths, names }]) => {
    const label = groups?.[key]?.label ?? '';
    const confirmed = [...arrangement.confirmed, ...names];
    const left = openSamples(section, { content, sample, arrangement: { ...arrangement, confirmed } });
    return {
      key,
      label,
      fields: fieldsOf(paths, section, label),
      names: paths.every((path) => left.includes(path)) ? [] : [...names],
    };
  });
}

function fieldsOf(paths: string[], section: DraftSection['section'], label: string): SamplePart['fields'] {
  const plan = planOf(section);
  const places = paths.map((path) => fieldPath(plan, path === '' ? [] : path.split('.')));
  return places
    .filter((place, index) => places.findIndex((one) => isSame(one, place)) === index)
    .map((place) => ({ place, label: labelAt(plan, place).replace(`${label}, `, '') }));
}

/** The most fields that a sentence names. */
const mostNamed = 4;

/** Names the fields of a part, for example "Título, Texto e mais 3". */
export function fieldNames({ fields }: SamplePart): string {
  const names = fields.slice(0, mostNamed).map(({ label }) => label);
  const more = fields.length - names.length;
  return more > 0 ? `${names.join(', ')} e mais ${more}` : names.join(', ');
}

/** Says which fields of a part are still the sample, with a button that confirms them. */
export function SampleNotice({
  part,
  onConfirm,
}: {
  part: SamplePart;
  onConfirm: (names: string[]) => void;
}) {
  return (
    <div className={styles.notice}>
      <p>
        <SampleMark /> <span>{fieldNames(part)}</span>
      </p>
      {part.names.length > 0 && <ConfirmButton part={part} onConfirm={onConfirm} />}
    </div>
  );
}

export function ConfirmButton({
  part,
  onConfirm,
}: {
  part: SamplePart;
  onConfirm: (names: string[]) => void;
}) {
  return (
    <Button variant="quiet" size="small" onClick={() => onConfirm(part.names)}>
      <span>Está bom assim</span>
      {part.label && <span className="visually-hidden">{`: ${part.label}`}</span>}
    </Button>
  );
}

/** Saves in the draft which sample texts the clinic keeps. @param onSaved called after each save */
export function useConfirmation(draft: SiteDraft, onSaved?: () => void) {
  const [section, setSection] = useState(() => arrangementSection(draft));
  const notify = useToast();
  const action = useAction();
  const { withSession, signInAgain } = useSignInAgain();

  /** @param change returns the names after the change, from the names before it */
  const save = (change: (names: string[]) => string[], after: () => void) =>
    action.run(async () => {
      const write = ({ tag, content }: DraftSection<'arrangement'>) =>
        withSession(() =>
          client.site.saveSection({
            ...{ section: 'arrangement', tag },
            content: { ...content, confirmed: change(content.confirmed) },
          }),
        );
      const saved = await write(section).catch((error: unknown) => {
        const found = newerSection(error);
        if (!found) throw error;
        // Another admin has changed the order meanwhile. The confirmation does not depend on it.
        return write(found.saved as DraftSection<'arrangement'>);
      });
      setSection(saved as DraftSection<'arrangement'>);
      onSaved?.();
      after();
    });

  function confirm(names: string[]) {
    save(
      (before) => [...new Set([...before, ...names])],
      () =>
        notify('Combinado, fica como está.', {
          action: {
            label: 'Desfazer',
            run: () =>
              save(
                (now) => now.filter((one) => !names.includes(one)),
                () => {},
              ),
          },
          plain: true,
          focus: true,
        }),
    );
  }

  return {
    arrangement: section.content,
    confirm,
    failure: action.failure,
    signInAgain,
  };
}
