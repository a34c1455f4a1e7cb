import { type Activity, activity } from '#contract/activity.ts';
import { type ListName, listNames, listOf } from '#contract/axes.ts';
import { limits } from '#contract/limits.ts';
import { paths } from '#contract/paths.ts';
import type { ImportedSignIn } from '#server/auth/sign-in-methods.ts';
import type { ImportedUser } from '#server/users/import-users.ts';
// Sets the language of the schemas' messages.
import '#server/http/parse.ts';
import { isOneAddress, type OldFile, rewriteAddresses } from './addresses.ts';
import type { Contents, Place } from './contents.ts';
import { newActivityId } from './new-ids.ts';
import type { Plain } from './read-export.ts';
import type { Report } from './report.ts';

/** What will be imported, except files. */
export type Plan = {
  users: ImportedUser[];
  signIns: ImportedSignIn[];
  moods: { uid: string; record: Record<string, Plain> }[];
  lists: Map<ListName, Activity[]>;
};

/** The document and the field that contain a URL, for the report. */
export type Where = { id: string; field: string };

/** Converts URLs of old files to URLs of this site, and reports those that cannot be converted. */
export type Rewriting = {
  /**
   * Converts a field whose whole text is one URL, such as `image` or `audio`.
   * @returns a path on this site; the same text if it is not the URL of an old file; undefined if the file is
   * missing or refused
   */
  field(text: string, place: Place, where: Where): string | undefined;
  /** Converts all URLs of old files in a text to URLs of this site. A URL without a file stays as it is. */
  text(text: string, place: Place, where: Where): string;
};

export function createRewriting(contents: Contents, report: Report, publicUrl: string): Rewriting {
  function find(file: OldFile, place: Place, { id, field }: Where): string | undefined {
    const planned = contents.use(file, place);
    if (!planned) report.reject(id, field, 'Aqui há o endereço de um arquivo que a exportação não tem.');
    else if (planned.refusal !== undefined)
      report.reject(id, field, `Aqui há o endereço de um arquivo que foi recusado. ${planned.refusal}`);
    else return paths.storage.file(planned.path, planned.token);
    return undefined;
  }

  return {
    field(text, place, where) {
      if (!isOneAddress(text)) return text;
      let isMissing = false;
      const next = rewriteAddresses(text.trim(), contents.isKnown, (file) => {
        const found = find(file, place, where);
        isMissing ||= found === undefined;
        return found;
      });
      return isMissing ? undefined : next;
    },

    text: (text, place, where) =>
      rewriteAddresses(text, contents.isKnown, (file) => {
        const found = find(file, place, where);
        return found === undefined ? undefined : publicUrl + found;
      }),
  };
}

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
          const isTaken = ids.has(converted.id);
          const own = isTaken
            ? { ...converted, id: newActivityId(`${list}/${index}/${converted.id}`) }
            : converted;
          if (isTaken)
            report.change(
              id,
              `${where.field}.id`,
              'Outra prática tem esta identificação: esta recebeu uma nova.',
            );
          ids.add(own.id);
          return [own];
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
export function epochMs(value: Plain | undefined): Plain | undefined {
  if (typeof value !== 'string') return value ?? undefined;
  const text = value.trim();
  const time = /^\d{1,16}$/.test(text) ? Number(text) : Date.parse(text);
  return Number.isFinite(time) ? time : value;
}
