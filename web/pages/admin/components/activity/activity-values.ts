import { type Activity, type ActivityInput, activityInput } from '#contract/activity.ts';

/** A field of the form, as the contract declares it. */
export type ActivityField = keyof ActivityInput;

/** The values of the form's fields, as text. */
export type ActivityValues = Record<ActivityField, string>;

export const activityFields = Object.keys(activityInput.shape) as ActivityField[];

/** The names of the fields on screen, in the order of a comparison. */
export const fieldLabels: Record<ActivityField, string> = {
  title: 'Título',
  url: 'Link do vídeo',
  axis: 'Eixo',
  content: 'Conteúdo',
  image: 'Imagem',
  audio: 'Áudio',
};

/** Makes an object with a value for each field. */
export const forEachField = <Value>(make: (field: ActivityField) => Value) =>
  Object.fromEntries(activityFields.map((field) => [field, make(field)])) as Record<ActivityField, Value>;

/** The values of the form's fields for an activity; fields that it lacks are empty. */
export const valuesOf = (
  activity: { [field in ActivityField]?: Activity[field] | undefined },
): ActivityValues => forEachField((field) => String(activity[field] ?? ''));

export const isChanged = (before: ActivityValues, now: ActivityValues) =>
  activityFields.some((field) => now[field] !== before[field]);
