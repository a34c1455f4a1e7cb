import { useState } from 'react';
import * as z from 'zod/mini';
import { hasCode } from '#client/client-error.ts';
import { type Axis, axes, listOf, type MainAxis, mainAxes } from '#contract/axes.ts';
import { visibleText } from '#contract/text.ts';
import { client } from '#web/app/client.ts';
import { useServices, useSession } from '#web/app/services.ts';
import { userOf } from '#web/app/session.ts';
import { useSignInAgain } from '#web/components/form/sign-in-again.tsx';
import { useForm } from '#web/components/form/use-form.ts';
import { useAction } from '#web/components/use-action.ts';
import { draftKey, listDrafts } from '../components/drafts/device-drafts.ts';
import { useDraft } from '../components/drafts/use-draft.ts';
import { type ImportPlan, type Lists, listsOf, planImport } from './plan-import.ts';
import { readTable, type Table } from './read-table.ts';

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
  unused: string[];
  /** True if the lists changed while the user looked at the previous preview. */
  overtaken: boolean;
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

  const form = useForm<keyof Values, typeof importForm>({
    schema: importForm,
    initial: before ?? { text: '', axis: axis ?? '', hidden: '' },
    submit: async (input) => check(input, false),
    labels,
  });
  const unsaved = form.values.text !== '';
  const { kept, forget } = useDraft(key, { values: form.values, unsaved });

  /** Compares the table with the current lists. */
  async function check(input: ImportInput, overtaken: boolean) {
    const { rows, unused } = input.text;
    const lists: Lists = {};
    for (const list of listsOf(rows, input.axis))
      lists[list] = await withSession(() => client.documents.getActivitiesInParts(list));
    const visibility = input.hidden === 'on' ? 'hidden' : 'public';
    const plan = planImport(rows, { axis: input.axis, visibility, origin: content.site.origin, lists });
    setPreview({ plan, unused, overtaken, of: form.values, input });
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
      await check(input, true);
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

  const current = preview?.of === form.values ? preview : undefined;
  return {
    form,
    unsaved,
    kept,
    /** True while the form still shows the table of the draft that it started with. */
    continued: before !== undefined && form.values.text === before.text,
    preview: current,
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
