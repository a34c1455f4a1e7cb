/**
 * `npm run diary-key -- rotate`: seals the keys of the diaries with a new master key. With DIARY_KEY, the new
 * one is in DIARY_KEY_NEXT.
 * `npm run diary-key -- forget`: deletes all diaries of an installation that has lost its master key.
 * No server may run meanwhile.
 */
import { databaseKind } from '#server/database/connect.ts';
import { withStoppedSite } from '#server/database/stopped-site.ts';
import { countDiaries, forgetDiaries, rotateMasterKey } from '#server/diary/keys/replace-master-key.ts';
import { readEnvironment, StartError } from '#server/environment.ts';
import { askLine } from './terminal/ask.ts';
import { failureText } from './terminal/run-command.ts';

const answer = 'APAGAR';

const tasks = new Map([
  ['rotate', rotate],
  ['forget', forget],
]);

const [task = '', ...rest] = process.argv.slice(2);

try {
  const run = tasks.get(task);
  if (!run || rest.length > 0)
    throw new StartError('Escreva: npm run diary-key -- rotate, ou npm run diary-key -- forget.');
  console.log(await run());
} catch (error) {
  console.error(failureText(error, 'Confira com npm run check.'));
  process.exitCode = 1;
}

async function rotate(): Promise<string> {
  const environment = readEnvironment();
  const count = await withDiaries((database) =>
    rotateMasterKey({ environment, database, kind: databaseKind(environment) }),
  );
  return [
    `A chave nova vale para ${count === 1 ? 'um diário' : `${count} diários`}.`,
    environment.diaryKey === undefined
      ? 'Faça um backup: os anteriores têm a chave antiga dentro, e continuam a servir.'
      : 'Escreva agora em DIARY_KEY o valor de DIARY_KEY_NEXT, e tire DIARY_KEY_NEXT. Guarde também a chave antiga, enquanto houver backups feitos com ela.',
  ].join('\n');
}

async function forget(): Promise<string> {
  return withDiaries(async (database) => {
    const { diaries, entries } = await countDiaries(database);
    console.log(
      `Isto apaga para sempre ${diaries} diários, com ${entries} anotações, e as mensagens das práticas propostas. Só serve quando a chave dos diários se perdeu de vez.`,
    );
    if ((await askLine(`Para continuar, digite ${answer}: `)) !== answer)
      throw new StartError('Nada foi apagado.');
    await forgetDiaries(database);
    return 'Os diários foram apagados. O próximo início do servidor usa a chave que houver, ou cria outra.';
  });
}

function withDiaries<Result>(
  work: (database: Parameters<typeof countDiaries>[0]) => Promise<Result>,
): Promise<Result> {
  return withStoppedSite(readEnvironment(), async (database, applied) => {
    if (!applied.includes('041-assignments'))
      throw new StartError('Este site ainda não tem diários: comece antes o servidor, com npm start.');
    return work(database);
  });
}
