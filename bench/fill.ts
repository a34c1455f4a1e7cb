import { createHash, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Client } from '#client/client.ts';
import type { DiaryClient } from '#client/diary.ts';
import { listOf } from '#contract/axes.ts';
import type { DiaryFile } from '#contract/diary/entry.ts';
import { foldForSearch } from '#contract/text.ts';
import type { Database } from '#server/database/connect.ts';
import { beginDiary, dayAgo } from '#server/testing/diaries.ts';
import { addImportedUsers, type ImportedUser } from '#server/users/import-users.ts';

/** An activity's text of about 1.5 kB. */
export const content = 'Note o ar que entra e o ar que sai. Não é preciso mudar nada. '.repeat(22);

const activitiesPerInsert = 500;

/** Adds `count` activities of 1 to 25 minutes to the mind list, by default of about 1.5 kB. */
export async function fillActivities(database: Database, count: number, text = content): Promise<void> {
  const now = Date.now();
  const rows = Array.from({ length: count }, (_, index) => ({
    id: `medida-${index}`,
    list: listOf('mind'),
    position: index + 1,
    axis: 'mind' as const,
    title: `Prática número ${index}`,
    url: 'https://www.youtube.com/watch?v=abcdefghijk',
    image: '',
    audio: '',
    night: '' as const,
    needs: '',
    visibility: 'public' as const,
    minutes: (index % 25) + 1,
    content: text,
    createdAt: now,
    updatedAt: now,
  }));
  for (let start = 0; start < rows.length; start += activitiesPerInsert)
    await database
      .insertInto('activities')
      .values(rows.slice(start, start + activitiesPerInsert))
      .execute();
  await database
    .updateTable('activityLists')
    .set({ version: 1, lastPosition: count })
    .where('name', '=', listOf('mind'))
    .execute();
}

const usersPerInsert = 2_000;
const firstSignUp = Date.UTC(2019, 0, 1);
const betweenSignUpsMs = 200_000;

/** Brazilian names, the frequent ones first. */
const firstNames = (
  'Maria José Ana João Antônio Francisco Carlos Paulo Pedro Lucas Luiz Marcos Gabriel Rafael Daniel Bruno Eduardo Felipe ' +
  'Adriana Juliana Márcia Fernanda Patrícia Aline Camila Letícia Júlia Mariana Vitória Tiago Beatriz Sônia Débora Raquel ' +
  'Ângela Vinícius André Thaís Íris Otávio Quitéria Ubirajara Yasmin Zélia Zulmira Ítalo Évora Xavier Conceição Jandira'
).split(' ');
const surnames = (
  'Silva Santos Oliveira Souza Rodrigues Ferreira Alves Pereira Lima Gomes Costa Ribeiro Martins Carvalho Almeida Lopes ' +
  'Soares Fernandes Vieira Barbosa Rocha Dias Nascimento Andrade Moreira Nunes Gonçalves Araújo Cunha Brandão Guimarães ' +
  "França Inácio Nóbrega Xavier Zanetti Wagner Sant'Ana D'Ávila Yamamoto Kowalski Zimmermann"
).split(' ');
const mailHosts = ['gmail.com', 'hotmail.com', 'outlook.com', 'yahoo.com.br', 'uol.com.br', 'exemplo.com.br'];

/**
 * Adds `count` invented users to a database on SQLite, always the same. They cannot sign in. The table's
 * triggers update the search index and the tally of users.
 */
export async function fillUsers(database: Database, count: number): Promise<void> {
  await sql`pragma cache_size = -400000`.execute(database);
  await database.transaction().execute(async (transaction) => {
    for (let start = 0; start < count; start += usersPerInsert) {
      const size = Math.min(usersPerInsert, count - start);
      const rows = Array.from({ length: size }, (_, offset) => inventUser(start + offset));
      await addImportedUsers(transaction, rows);
    }
  });
  // Collects statistics for the query planner.
  await sql`analyze`.execute(database);
}

/** The same number always gives the same user. */
function inventUser(index: number): ImportedUser {
  const dice = createHash('sha256').update(`pessoa ${index}`).digest();
  const pick = (list: readonly string[], at: number) => {
    // The square favours the start of a list, where the frequent names are.
    const part = (dice.readUInt32BE(at) / 2 ** 32) ** 2;
    return list[Math.floor(part * list.length)] ?? '';
  };
  const [first, family] = [pick(firstNames, 0), pick(surnames, 4)];
  const second = dice.readUInt8(18) < 90 ? ` ${pick(firstNames, 20)}` : '';
  const plain = (text: string) => foldForSearch(text).replaceAll(/[^a-z]/g, '');
  return {
    id: dice.toString('base64url').replaceAll(/[-_]/g, 'x').slice(0, 32),
    displayName: `${first}${second} ${pick(surnames, 8)} ${family}`,
    email: `${plain(first)}.${plain(family)}${index}@${pick(mailHosts, 12)}`,
    emailVerified: true,
    profilePic: null,
    createdAt: firstSignUp + index * betweenSignUpsMs,
    member: dice.readUInt8(16) < 20 ? 'member' : 'no',
    staff: false,
    research: false,
    category: dice.readUInt8(17) < 60 ? 'patient' : null,
    nameFromGoogle: false,
  };
}

const feelings = ['Em paz', 'Cansaço', 'Ansiedade', 'Esperança', 'Tristeza', 'saudade', 'orgulho', 'Medo'];

/** Begins the user's diary, and imports `count` entries of the last year. */
export async function fillDiary(client: Client, count: number): Promise<DiaryClient> {
  const own = await beginDiary(client);
  const entries = Array.from({ length: count }, (_, place) => ({
    ...{ id: randomUUID(), day: dayAgo(Math.floor((place * 365) / count)), time: null },
    ...{ zone: 'America/Sao_Paulo', createdAt: Date.now() - place * 60_000, joined: false },
    words: [feelings[place % 8] ?? '', feelings[(place * 3 + 1) % 8] ?? ''],
    ...{ intensity: (place % 5) + 1, practices: [], toward: null },
    note: place % 2 === 0 ? 'Dormi mal, mas caminhei até o mercado e voltei mais leve. '.repeat(4) : '',
  }));
  const file: DiaryFile = {
    format: 'acolhe-diary',
    version: 1,
    exportedAt: Date.now(),
    entries,
    unreadable: [],
  };
  await own.importFile({ file });
  return own;
}
