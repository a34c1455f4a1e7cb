import { existsSync } from 'node:fs';
import { findUnreadableSecondFactors } from '../auth/second-factor/second-factor.ts';
import { readAuthSecret } from '../auth/secret.ts';
import { checkDestination } from '../backup/check-destination.ts';
import { databaseKind } from '../database/connect.ts';
import type { FoundDatabase } from '../database/open.ts';
import { type Environment, isLocalhost, StartError } from '../environment.ts';
import { failureSentence } from '../http/failure-sentence.ts';
import { requireMailServer } from '../mail/mailer.ts';
import {
  advice,
  type Check,
  existing,
  type Finding,
  newSite,
  type Site,
  startChecks,
  well,
} from './check.ts';
import { readBackups, readSpace, stateOfBackups, stateOfSpace } from './operation-state.ts';

/** What only `npm run check` checks. A server can start without it. */
const laterChecks: Check[] = [
  { subject: 'Verificação em duas etapas', needsDatabase: true, run: checkSecondFactors },
  { subject: 'Lugar dos backups', needsDatabase: true, run: checkBackupDestination },
  { subject: 'Backups', needsDatabase: true, run: checkBackups },
  { subject: 'E-mail', run: checkMail },
  { subject: 'Publicação', needsDatabase: true, run: checkPublication },
];

/** The result of one check. `isWell` is undefined if the check was impossible. */
export type Line = { subject: string; text: string; isWell: boolean | undefined };

/**
 * Checks an installation and changes nothing. A server may be running.
 * @param isPortReserved true if acolhe.socket holds the port for the server
 */
export async function* inspect(environment: Environment, isPortReserved: boolean): AsyncGenerator<Line> {
  const site = newSite(environment, 'look', isPortReserved);
  let [hasDatabase, hasFolder] = [true, true];
  try {
    for (const check of [...startChecks, ...laterChecks]) {
      const { subject, needsDatabase } = check;
      if (needsDatabase && !hasDatabase) {
        yield { subject, text: 'não deu para conferir sem o banco de dados.', isWell: undefined };
        continue;
      }
      try {
        const { text, isAdvice } = await check.run(site);
        yield { subject, text, isWell: !isAdvice };
      } catch (error) {
        if (subject === 'Pasta de dados') hasFolder = false;
        if (subject === 'Banco de dados') hasDatabase = false;
        // The reason is then the folder, which the first line names.
        if (hasFolder || subject === 'Pasta de dados' || error instanceof StartError)
          yield { subject, text: reasonOf(error), isWell: false };
        else yield { subject, text: 'não deu para conferir: veja a pasta de dados.', isWell: undefined };
      }
    }
  } finally {
    await site.found?.database.destroy();
  }
}

function reasonOf(error: unknown): string {
  const sentence = failureSentence(error);
  if (sentence === undefined) throw error;
  return sentence;
}

async function checkSecondFactors(site: Site): Promise<Finding> {
  const found = existing(site);
  if (!found?.applied.length) return well('ninguém a usa ainda.');
  const secret = await readAuthSecret(site.environment).catch((error: unknown) => {
    if (!(error instanceof StartError)) throw error;
    return undefined;
  });
  if (secret === undefined) return advice('Sem o segredo, não dá para saber se ela pode ser lida.');
  const emails = await findUnreadableSecondFactors(found.database, secret);
  if (emails.length === 0) return well('todas podem ser lidas com este segredo.');
  return advice(
    `O segredo não é aquele com que foi ligada para ${emails.join(', ')}. Recupere o segredo de antes; ou, se ele se perdeu, rode npm run admin -- reset-second-factor para cada pessoa.`,
  );
}

async function checkBackupDestination(site: Site): Promise<Finding> {
  const { backup } = site.environment;
  if (!backup) return well('nenhum foi escolhido.');
  const destination = await checkDestination(current(site)?.database, backup);
  if (!('folder' in backup.destination) || !existsSync(destination)) return well(`em ${destination}.`);
  const { text, isWell } = stateOfSpace(destination, await readSpace(destination));
  return isWell ? well(`em ${destination}, com ${text}`) : advice(text);
}

/** Returns the database of a site whose tables this release has made. */
function current(site: Site): FoundDatabase | undefined {
  const found = existing(site);
  return found?.applied.includes('033-version-0-2') ? found : undefined;
}

async function checkBackups(site: Site): Promise<Finding> {
  const found = current(site);
  const now = Date.now();
  const known = found
    ? await readBackups(found.database, databaseKind(site.environment), now)
    : { runs: [], isRunning: false };
  const { text, isWell } = stateOfBackups(site.environment, known, now);
  return { text, isAdvice: !isWell };
}

async function checkMail({ environment: { smtpUrl, publicUrl, mailFrom } }: Site): Promise<Finding> {
  if (smtpUrl === undefined)
    return isLocalhost(publicUrl)
      ? well('fica na pasta de dados (outbox), porque o site é só deste computador.')
      : advice('Nenhum sai: escreva SMTP_URL e MAIL_FROM. docs/operate/mail.md diz como.');
  const failure = await requireMailServer(smtpUrl).then(
    () => undefined,
    (error: Error) => error,
  );
  if (failure)
    return advice(`O servidor de SMTP_URL não aceitou a conexão (${failure.message}). Confira SMTP_URL.`);
  return well(`o servidor de SMTP_URL responde; o remetente é ${mailFrom}.`);
}

async function checkPublication(site: Site): Promise<Finding> {
  const found = current(site);
  const state = found
    ? await found.database.selectFrom('siteState').select('version').executeTakeFirst()
    : undefined;
  return state && state.version > 0
    ? well('o site da clínica está publicado.')
    : advice(
        `O site ainda mostra os textos de exemplo: escreva os da clínica em ${site.environment.publicUrl}/admin/site e publique.`,
      );
}
