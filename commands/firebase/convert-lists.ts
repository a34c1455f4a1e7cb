import { type Activity, activity } from '#contract/activity.ts';
import { type ListName, listNames, listOf } from '#contract/axes.ts';
import { limits } from '#contract/limits.ts';
// Sets the language of the schemas' messages.
import '#server/http/parse.ts';
import type { Rewriting } from './convert.ts';
import { newActivityId } from './new-ids.ts';
import type { Report } from './report.ts';
import type { Plain } from './typed-values.ts';

const library = { of: 'library' } as const;
const ownFields = ['id', 'createdAt', 'updatedAt', 'axis', 'title', 'url', 'image', 'audio', 'content'];

/** Converts the documents of the collection `activities`. */
export function convertLists(
  documents: Map<string, Record<string, Plain>>,
  { report, rewriting }: { report: Report; rewriting: Rewriting },
): Map<ListName, Activity[]> {
  const lists = new Map<ListName, Activity[]>();
  const ids = new Set<string>();
  for (const [name, fields] of documents) {
    const list = listNames.find((known) => known === name);
    const id = `activities/${name}`;
    if (!list) {
      report.leaveOut(id, '', 'Este documento não é uma das quatro listas.');
      continue;
    }
    const items = fields[list] ?? [];
    for (const field of Object.keys(fields))
      if (field !== list) report.leaveOut(id, field, 'Uma lista não tem este campo.');
    if (!Array.isArray(items)) report.reject(id, list, 'Aqui deveria estar uma lista de práticas.');
    else if (items.length > limits.listMaxItems)
      report.reject(id, list, `A lista é longa demais: cabem ${limits.listMaxItems} práticas.`);
    else
      lists.set(
        list,
        items.flatMap((item, index) => {
          const where = { id, field: `${list}.${index}` };
          const converted = convertActivity(item, list, where, { report, rewriting });
          if (!converted) return [];
          if (ids.has(converted.id)) {
            report.reject(id, `${where.field}.id`, 'Outra prática já tem esta identificação.');
            return [];
          }
          ids.add(converted.id);
          return [converted];
        }),
      );
  }
  return lists;
}

function convertActivity(
  item: Plain,
  list: ListName,
  where: { id: string; field: string },
  { report, rewriting }: { report: Report; rewriting: Rewriting },
): Activity | undefined {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) {
    report.reject(where.id, where.field, 'Isto não é uma prática.');
    return undefined;
  }
  const at = (field: string) => ({ id: where.id, field: `${where.field}.${field}` });
  for (const field of Object.keys(item))
    if (!ownFields.includes(field))
      report.leaveOut(where.id, at(field).field, 'Uma prática não tem este campo.');
  const loaded = (field: 'image' | 'audio') => {
    const value = item[field];
    if (value === undefined || value === null || value === false) return '';
    return typeof value === 'string' ? (rewriting.field(value.trim(), library, at(field)) ?? '') : value;
  };
  const text = (field: 'title' | 'url' | 'content') => {
    const value = item[field];
    return typeof value === 'string' ? rewriting.text(value, library, at(field)) : value;
  };
  const createdAt = epochMs(item.createdAt);
  const { success, data, error } = activity.safeParse({
    id: typeof item.id === 'string' || typeof item.id === 'number' ? newActivityId(String(item.id)) : item.id,
    createdAt,
    updatedAt: epochMs(item.updatedAt) ?? createdAt,
    axis: item.axis,
    title: text('title'),
    url: text('url'),
    content: text('content'),
    image: loaded('image'),
    audio: loaded('audio'),
  });
  if (!success) {
    for (const { path, message } of error.issues)
      report.reject(where.id, [where.field, ...path].join('.'), message);
    return undefined;
  }
  if (listOf(data.axis) === list) return data;
  report.reject(where.id, at('axis').field, 'Este eixo fica em outra lista.');
  return undefined;
}

/** Converts a timestamp of Firestore, or digits in a text, to epoch milliseconds. Keeps any other value. */
function epochMs(value: Plain | undefined): Plain | undefined {
  if (typeof value !== 'string') return value ?? undefined;
  const time = /^\d{1,16}$/.test(value) ? Number(value) : Date.parse(value);
  return Number.isFinite(time) ? time : value;
}
