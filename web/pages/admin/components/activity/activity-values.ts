import * as z from 'zod/mini';
import {
  type Activity,
  type ActivityInput,
  activityInput,
  practiceMinutes,
  visibilities,
} from '#contract/activity.ts';
import { nightNeeds } from '#contract/practices/night.ts';
import { nightNames } from '#web/components/practice/practice-names.ts';

/** The name of a form field. The contract declares the fields. */
export type ActivityField = keyof ActivityInput;

/** The values of the form's fields, as text. */
export type ActivityValues = Record<ActivityField, string>;

export const activityFields = Object.keys(activityInput.shape) as ActivityField[];

/** Validates the form's string values, and converts them to the input of an activity. */
export const activityForm = z.extend(activityInput, {
  minutes: z._default(
    z.pipe(
      z.pipe(
        z.string(),
        z.transform((text): number | null => Number(text)),
      ),
      z.nullable(practiceMinutes),
    ),
    null,
  ),
});

/**
 * Returns the valid fields, with the values that the form would send, and a problem for each invalid field.
 * A required field that is empty is invalid.
 */
export function enteredFields(values: ActivityValues): {
  entered: Partial<Activity>;
  problems: { field: ActivityField; message: string }[];
} {
  const entered: Record<string, unknown> = {};
  const problems: { field: ActivityField; message: string }[] = [];
  for (const field of Object.keys(fieldLabels) as ActivityField[]) {
    const parsed = z.safeParse(activityForm.shape[field], values[field] || undefined);
    if (parsed.success) entered[field] = parsed.data;
    else problems.push({ field, message: parsed.error.issues[0]?.message ?? '' });
  }
  return { entered, problems };
}

/** The labels of the fields. Previews and comparisons list the fields in this order. */
export const fieldLabels: Record<ActivityField, string> = {
  title: 'Título',
  url: 'Link do vídeo',
  axis: 'Eixo',
  content: 'Conteúdo',
  image: 'Imagem',
  audio: 'Áudio',
  minutes: 'Duração em minutos',
  night: 'Para a noite',
  needs: 'Ajuda com',
  visibility: 'Onde aparece',
};

/** The options of the field `night`. */
export const nightOptions = [
  ['', 'Não é para a noite'],
  ...nightNeeds.map((need) => [need, nightNames[need]] as const),
] as const;

/** The options of the field `visibility`. */
export const visibilityOptions = visibilities.map(
  (visibility) => [visibility, visibility === 'public' ? 'No site' : 'Só na administração'] as const,
);

/** Makes an object with a value for each field. */
export const forEachField = <Value>(make: (field: ActivityField) => Value) =>
  Object.fromEntries(activityFields.map((field) => [field, make(field)])) as Record<ActivityField, Value>;

/** Converts an activity to the values of the form's fields. A field that the activity lacks becomes ''. */
export const valuesOf = (
  activity: { [field in ActivityField]?: Activity[field] | undefined },
): ActivityValues => ({
  ...forEachField((field) => String(activity[field] ?? '')),
  visibility: activity.visibility ?? 'public',
});

export const isChanged = (before: ActivityValues, now: ActivityValues) =>
  activityFields.some((field) => now[field] !== before[field]);
