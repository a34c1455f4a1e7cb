import { findUnreadableSecondFactors } from '../auth/second-factor/second-factor.ts';
import { readAuthSecret } from '../auth/secret.ts';
import { listRuns } from '../backup/runs.ts';
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

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;
/** The limits of the alerts in deploy/alerts.yml. */
const [oldBackupMs, oldCheckMs] = [26 * hourMs, 9 * dayMs];
/** A drill is due once a month (docs/operate/backups.md). */
const oldDrillMs = 40 * dayMs;

/** What only `npm run check` checks. A server can start without it. */
const careChecks: Check[] = [
  { subject: 'Verificação em duas etapas', needsDatabase: true, run: checkSecondFactors },
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
  let hasDatabase = true;
  try {
    for (const check of [...startChecks, ...careChecks]) {
      const { subject, needsDatabase } = check;
      if (needsDatabase && !hasDatabase) {
        yield { subject, text: 'não deu para conferir sem o banco de dados.', isWell: undefined };
        continue;
      }
      try {
        const { text, isAdvice } = await check.run(site);
        yield { subject, text, isWell: !isAdvice };
      } catch (error) {
        if (subject === 'Banco de dados') hasDatabase = false;
        yield { subject, text: reasonOf(error), isWell: false };
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

async function checkBackups(site: Site): Promise<Finding> {
  const { backup, publicUrl } = site.environment;
  const found = existing(site);
  if (!backup)
    return isLocalhost(publicUrl)
      ? well('nenhum, porque o site é só deste computador.')
      : advice('Nenhum lugar foi escolhido: escreva BACKUP_DIR e BACKUP_RECIPIENT. docs/backup.md diz como.');
  const now = Date.now();
  const runs = found?.applied.includes('033-version-0-2') ? await listRuns(found.database, now) : [];
  const made = runs.filter(({ finishedAt }) => finishedAt !== null);
  const [last] = made;
  if (!last) return advice('Ainda não há nenhum: rode npm run backup.');
  const parts = [`O último é de ${ageOf(now - last.startedAt)}`];
  const verifiedAt = Math.max(...made.map((run) => run.verifiedAt ?? 0));
  parts.push(verifiedAt > 0 ? `a última conferência, de ${ageOf(now - verifiedAt)}` : 'nenhum foi conferido');
  const drilledAt = Math.max(...made.map((run) => run.drilledAt ?? 0));
  parts.push(drilledAt > 0 ? `o último ensaio, de ${ageOf(now - drilledAt)}` : 'nenhum ensaio foi anotado');
  const text = parts.join('; ');
  const damage = made.find(({ damagedParts }) => damagedParts !== null)?.damagedParts ?? 0;
  if (now - last.startedAt > oldBackupMs)
    return advice(`${text}. Rode npm run backup, que diz o que impede.`);
  if (damage > 0)
    return advice(`${text}; ele está danificado. Rode npm run backup, e depois npm run backup -- verify.`);
  if (now - verifiedAt > oldCheckMs) return advice(`${text}. Rode npm run backup -- verify.`);
  if (now - drilledAt > oldDrillMs)
    return advice(
      `${text}. Faça o ensaio de um backup, e anote-o com npm run backup -- drilled: docs/operate/backups.md diz como.`,
    );
  return well(`${text}.`);
}

function ageOf(ms: number): string {
  const hours = Math.round(ms / hourMs);
  if (hours < 48) return `${hours} ${hours === 1 ? 'hora' : 'horas'} atrás`;
  return `${Math.round(ms / dayMs)} dias atrás`;
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
  const found = existing(site);
  const state = found?.applied.includes('033-version-0-2')
    ? await found.database.selectFrom('siteState').select('version').executeTakeFirst()
    : undefined;
  return state && state.version > 0
    ? well('o site da clínica está publicado.')
    : advice(
        `O site ainda mostra os textos de exemplo: escreva os da clínica em ${site.environment.publicUrl}/admin/site e publique.`,
      );
}
