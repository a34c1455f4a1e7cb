import { useState } from 'react';
import * as z from 'zod/mini';
import { hasCode } from '#client/client-error.ts';
import { type Axis, axes, listNames, listOf, type MainAxis, mainAxes } from '#contract/axes.ts';
import { visibleText } from '#contract/text.ts';
import { client } from '#web/app/client.ts';
import { useServices, useSession } from '#web/app/services.ts';
import { userOf } from '#web/app/session.ts';
import { useSignInAgain } from '#web/components/form/sign-in-again.tsx';
import { useForm } from '#web/components/form/use-form.ts';
import { useAction } from '#web/components/use-action.ts';
import { draftKey, listDrafts } from '../components/drafts/device-drafts.ts';
import { useDraft } from '../components/drafts/use-draft.ts';
import { type ImportPlan, type Lists, planImport } from './plan-import.ts';
import { type Column, readTable, type Table, withCell, withRows } from './read-table.ts';

const required = 'Cole a tabela, ou escolha um arquivo.';

const importForm = z
  .object({
    text: z.pipe(
      z.string(required).check(visibleText(required)),
      z.transform((text, context): Table => {
        const table = readTable(text);
        if (!('problem' in table)) return table;
        context.issues.push({ code: 'custom', message: table.problem, input: text });
        return z.NEVER;
      }),
    ),
    axis: z.optional(z.enum(axes)),
    hidden: z.optional(z.string()),
  })
  .check(
    z.superRefine(({ text, axis }, context) => {
      if (axis === undefined && text.rows.some((row) => row.axis === ''))
        context.issues.push({
          code: 'custom',
          input: axis,
          path: ['axis'],
          message: 'Escolha um eixo para as linhas sem a coluna Eixo.',
        });
    }),
  );
type ImportInput = z.output<typeof importForm>;
type Values = Record<'text' | 'axis' | 'hidden', string>;

const labels = { text: 'Tabela', axis: 'Eixo' };

/** The values of the form that this device has stored as a draft. */
const keptValues = z.object({
  text: z.string(),
  axis: z.string(),
  hidden: z.string(),
});

/** A checked table. It is valid until the user changes the form. */
type Preview = {
  plan: ImportPlan;
  /** True if the lists changed while the user looked at the previous preview. */
  overtaken: boolean;
  /** The cells that the user has corrected here, as `line column`. */
  corrected: string[];
  /** When the lists were read, in epoch milliseconds. */
  checkedAt: number;
  lists: Lists;
  of: Values;
  input: ImportInput;
};

export type ImportResult = { added: number; changed: number; axes: MainAxis[] };

/**
 * The state of an import: the typed table, its preview and the save. The save writes each list as a whole,
 * with `If-Match`. What the user typed stays on this device until it is saved.
 */
export function useImport(axis: Axis | undefined, onDone: (result: ImportResult) => void) {
  const { content } = useServices();
  const { withSession, signInAgain } = useSignInAgain();
  const { pending: saving, failure, run } = useAction();
  const uid = userOf(useSession())?.id;
  const [key] = useState(() => uid && draftKey(uid, 'import'));
  const [before] = useState(() => (key ? keptUnder(key) : undefined));
  const [preview, setPreview] = useState<Preview>();
  const [savedRows, setSavedRows] = useState(0);

  const form = useForm<keyof Values, typeof importForm>({
    schema: importForm,
    initial: before ?? { text: '', axis: axis ?? '', hidden: '' },
    submit: async (input) => {
      setSavedRows(0);
      await check(input, form.values, false);
    },
    labels,
  });
  const unsaved = form.values.text !== '';
  const { kept, forget } = useDraft(key, { values: form.values, unsaved });

  /** Compares the table with the current lists. */
  async function check(input: ImportInput, of: Values, overtaken: boolean) {
    // A corrected cell can name any axis.
    const read = await withSession(() =>
      Promise.all(listNames.map((list) => client.documents.getActivitiesInParts(list))),
    );
    const lists = Object.fromEntries(listNames.map((list, place) => [list, read[place]])) as Lists;
    const plan = planOf(input, lists);
    setPreview({ plan, overtaken, corrected: [], checkedAt: Date.now(), lists, of, input });
  }

  function planOf({ text, axis, hidden }: ImportInput, lists: Lists): ImportPlan {
    const visibility = hidden === 'on' ? 'hidden' : 'public';
    return planImport(text, { axis, visibility, origin: content.site.origin, lists });
  }

  /** Writes another text into a cell of the table, and checks the table again. */
  function correct(line: number, column: Column, cell: string) {
    if (!current) return;
    const text = withCell(form.values.text, { line, column }, cell);
    form.fill({ text });
    const table = readTable(text);
    if ('problem' in table) return;
    const input = { ...current.input, text: table };
    setPreview({
      ...current,
      plan: planOf(input, current.lists),
      corrected: [...current.corrected, `${line} ${column}`],
      of: { ...form.values, text },
      input,
    });
  }

  async function send({ plan, input }: Preview) {
    try {
      for (const [place, { list, activities, tag }] of plan.writes.entries()) {
        await withSession(() => client.documents.replaceActivities(list, activities, tag));
        // If the write of a later list fails, the next attempt writes only the remaining lists.
        setPreview((now) => now && { ...now, plan: { ...plan, writes: plan.writes.slice(place + 1) } });
      }
    } catch (error) {
      if (!hasCode(error, 'documents/precondition-failed')) throw error;
      await check(input, form.values, true);
      return;
    }
    const left = plan.rows.flatMap(({ kind, line }) => (kind === 'problem' ? line : []));
    if (left.length > 0) {
      setSavedRows(plan.rows.length - left.length);
      const text = withRows(form.values.text, left);
      form.fill({ text });
      const table = readTable(text);
      if (!('problem' in table)) await check({ ...input, text: table }, { ...form.values, text }, false);
      return;
    }
    forget();
    const count = (kind: string) => plan.rows.filter((row) => row.kind === kind).length;
    onDone({
      added: count('new'),
      changed: count('changed'),
      axes: mainAxes.filter((main) => plan.lists.includes(listOf(main))),
    });
  }

  const { text, axis: chosen, hidden } = form.values;
  const isCurrent = preview?.of.text === text && preview.of.axis === chosen && preview.of.hidden === hidden;
  const current = isCurrent ? preview : undefined;
  return {
    form,
    unsaved,
    kept,
    /** True while the form still shows the table of the draft that it started with. */
    continued: before !== undefined && form.values.text === before.text,
    preview: current,
    /** How many rows a save has stored while others with a problem stayed in the table. */
    savedRows,
    correct,
    saving,
    failure,
    save: () => current && run(() => send(current)),
    signInAgain,
  };
}

function keptUnder(key: string): Values | undefined {
  const [draft] = listDrafts((one) => one === key);
  return z.safeParse(keptValues, draft?.values).data;
}
