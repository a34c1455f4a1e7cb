import type { FastifyInstance } from 'fastify';
import type { Operation } from '#contract/operation.ts';
import { paths } from '#contract/paths.ts';
import { forgetAttempts, tryAttempts } from '../auth/rate-limits.ts';
import type { AppContext } from '../context.ts';
import { isLocalhost } from '../environment.ts';
import type { Log } from '../http/log.ts';
import { sendPrivate } from '../http/send-document.ts';
import { createLimitedMailer } from '../mail/limited-mailer.ts';
import { warningMail } from '../mail/messages.ts';
import { listAdmins } from '../users/users.ts';
import {
  type OperationState,
  readBackups,
  readSpace,
  type Space,
  stateOfBackups,
  stateOfSpace,
} from './operation-state.ts';

type Watched = Pick<AppContext, 'environment' | 'database' | 'databaseKind'>;
type WarningContext = Watched & Pick<AppContext, 'authSecret' | 'mailer'>;

/** What admins are told of, and the subjects of the mails about it. */
const subjects = {
  backups: { name: 'Backups', mail: 'Os backups do site precisam de cuidado' },
  space: { name: 'Espaço no disco', mail: 'O disco do site está quase cheio' },
} as const;
type Subject = keyof typeof subjects;

async function readStates(
  { environment, database, databaseKind }: Watched,
  now = Date.now(),
  space?: Space,
): Promise<Record<Subject, OperationState>> {
  const { dataDir } = environment;
  return {
    backups: stateOfBackups(environment, await readBackups(database, databaseKind, now), now),
    space: stateOfSpace(dataDir, space ?? (await readSpace(dataDir))),
  };
}

/**
 * Mails the admins if the backups or the disk need attention: at most one mail a day about each, from all
 * instances together. Does nothing without SMTP_URL.
 * @param options.space the space of the disk, if it is known
 */
export async function warnAdmins(
  context: WarningContext,
  log: Log,
  { now = Date.now(), space }: { now?: number; space?: Space } = {},
): Promise<void> {
  const { environment, database } = context;
  if (environment.smtpUrl === undefined) return;
  const states = await readStates(context, now, space);
  const mailer = createLimitedMailer(context, log);
  for (const subject of Object.keys(subjects) as Subject[]) {
    const { warning } = states[subject];
    if (warning === undefined || !(await tryAttempts(context, ['adminWarningADay', subject]))) continue;
    const link = `${environment.publicUrl}/admin`;
    const mail = { subject: subjects[subject].mail, warning };
    const sent = await Promise.allSettled(
      (await listAdmins(database)).map((admin) => mailer.send('warning', warningMail(admin, mail, link))),
    );
    // The next call tries again.
    if (!sent.some(({ status }) => status === 'fulfilled'))
      await forgetAttempts(context, 'adminWarningADay', subject);
  }
}

/** Serves the state of the operation to the dashboard of the admin area. */
export async function operationRoutes(app: FastifyInstance, { context }: { context: Watched }) {
  app.get(paths.documents.operation, async (_request, reply) => {
    const states = await readStates(context);
    const lines: Operation['lines'] = Object.entries(subjects).map(([subject, { name }]) => {
      const { text, isWell } = states[subject as Subject];
      return { subject: name, text, isWell };
    });
    return sendPrivate(reply, { lines: [...lines, mailLine(context)] } satisfies Operation);
  });
}

const mailLine = ({ environment: { smtpUrl, publicUrl } }: Watched): Operation['lines'][number] => ({
  subject: 'Avisos por e-mail',
  ...(smtpUrl === undefined
    ? { text: 'Nenhum sai sem SMTP_URL: olhe aqui de vez em quando.', isWell: isLocalhost(publicUrl) }
    : { text: 'Se algo aqui precisar de cuidado, a administração recebe um por dia.', isWell: true }),
});
