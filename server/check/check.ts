import { checkAuthSecret, hasOtherSecretFile } from '../auth/secret.ts';
import { isFolderLocked, lockedFolder } from '../database/installation/data-folder.ts';
import { type FoundDatabase, findDatabase } from '../database/open.ts';
import { checkMasterKey } from '../diary/keys/master-key.ts';
import { type Environment, StartError } from '../environment.ts';
import { requireUsableFolder } from './data-folder.ts';
import { checkFileStore } from './file-store.ts';
import { stateOfSpace } from './operation-state.ts';
import { holdPort } from './port.ts';
import { checkSpace } from './space.ts';

/** What is checked, and what earlier checks have found. */
export type Site = {
  environment: Environment;
  /** `start` before a server listens, `open` before a program opens the data, `look` for `npm run check`. */
  purpose: 'start' | 'open' | 'look';
  /** True if systemd holds the port for the server (acolhe.socket). */
  isPortReserved: boolean;
  /** True if a server runs on the data folder. */
  isRunning: boolean;
  givePortBack: () => Promise<void>;
  /** Undefined if there is no database yet, or if it cannot be read. */
  found: FoundDatabase | undefined;
  /** True if the database must still record where the files are. */
  isStoreNew: boolean;
};

/** The text says what is well; or, as an advice, what the operator should do soon. */
export type Finding = { text: string; isAdvice: boolean };

/** A check changes nothing. @throws StartError when a server must not start */
export type Check = {
  subject: string;
  needsDatabase?: boolean;
  run(site: Site): Promise<Finding>;
};

export const well = (text: string): Finding => ({ text, isAdvice: false });
export const advice = (text: string): Finding => ({ text, isAdvice: true });

/** PostgreSQL gets this time to respond to `npm run check`. A start waits longer. */
const lookTimeoutMs = 5_000;

/** The checks before a start, in their order. All come before the first change. */
export const startChecks: Check[] = [
  { subject: 'Pasta de dados', run: checkDataFolder },
  { subject: 'Porta', run: checkPort },
  { subject: 'Banco de dados', run: checkDatabase },
  { subject: 'Segredo', needsDatabase: true, run: checkSecret },
  { subject: 'Arquivos', needsDatabase: true, run: checkStore },
  { subject: 'Chave dos diários', needsDatabase: true, run: checkDiaryKey },
  { subject: 'Espaço no disco', needsDatabase: true, run: checkFreeSpace },
];

export const newSite = (
  environment: Environment,
  purpose: Site['purpose'],
  isPortReserved = false,
): Site => ({
  environment,
  purpose,
  isPortReserved,
  isRunning: false,
  givePortBack: async () => {},
  found: undefined,
  isStoreNew: false,
});

/**
 * Runs the checks before a start, and prints advice. Until `givePortBack` is called, the port is taken.
 * @throws StartError for the first check that refuses the start
 */
export async function checkBeforeStart(
  environment: Environment,
  purpose: 'start' | 'open',
): Promise<Pick<Site, 'givePortBack' | 'isStoreNew'>> {
  const site = newSite(environment, purpose);
  try {
    for (const { run } of startChecks) {
      const { text, isAdvice } = await run(site);
      if (isAdvice) console.warn(text);
    }
    return site;
  } catch (error) {
    await site.givePortBack();
    throw error;
  } finally {
    await site.found?.database.destroy();
  }
}

async function checkDataFolder(site: Site): Promise<Finding> {
  const { environment, purpose } = site;
  requireUsableFolder(environment.dataDir);
  // A program that opens the data for itself, such as an import, has locked the folder.
  site.isRunning = purpose !== 'open' && isFolderLocked(environment.dataDir);
  if (site.isRunning && purpose === 'start') throw new StartError(lockedFolder(environment.dataDir));
  return well(
    `${environment.dataDir}, onde este usuário pode ler e gravar${site.isRunning ? '; um servidor está no ar' : ''}.`,
  );
}

async function checkPort(site: Site): Promise<Finding> {
  const { environment, purpose, isRunning, isPortReserved } = site;
  if (purpose === 'open') return well('');
  if (purpose === 'look' && isPortReserved) return well('está reservada para o servidor (acolhe.socket).');
  if (purpose === 'look' && isRunning) return well('o servidor já está no ar.');
  const giveBack = await holdPort(environment);
  if (purpose === 'look') await giveBack();
  else site.givePortBack = giveBack;
  return well(`a porta ${environment.port} está livre.`);
}

async function checkDatabase(site: Site): Promise<Finding> {
  const { environment, purpose } = site;
  site.found = await findDatabase(environment, purpose === 'look' ? lookTimeoutMs : undefined);
  const kind = environment.databaseUrl === undefined ? 'SQLite' : 'PostgreSQL';
  if (!site.found || site.found.applied.length === 0)
    return well(`${kind}, ainda vazio: o primeiro início do servidor cria as tabelas.`);
  const { length } = site.found.pending;
  if (length === 0) return well(`${kind}, inteiro e desta versão do programa.`);
  return well(
    `${kind}, de uma versão anterior: o próximo início do servidor faz ${length === 1 ? 'uma mudança' : `${length} mudanças`}.`,
  );
}

/** Returns the database of a site, and undefined if it has no tables yet. */
export const existing = ({ found }: Site): FoundDatabase | undefined =>
  found && found.applied.length > 0 ? found : undefined;

async function checkSecret(site: Site): Promise<Finding> {
  const secret = await checkAuthSecret(site.environment, existing(site)?.database);
  if (existing(site) && (await hasOtherSecretFile(site.environment)))
    return advice(
      `AUTH_SECRET não é o segredo que está em ${site.environment.dataDir}/auth-secret. Se o site já usava AUTH_SECRET, apague esse arquivo. Se não, escreva em AUTH_SECRET o que ele contém: com outro segredo, todas as sessões terminam, e a verificação em duas etapas não pode ser lida.`,
    );
  return well(secret === undefined ? 'o primeiro início do servidor cria um.' : 'pôde ser lido.');
}

async function checkDiaryKey(site: Site): Promise<Finding> {
  const found = existing(site);
  const key = found?.applied.includes('040-diary')
    ? await checkMasterKey(site.environment, found.database)
    : undefined;
  return well(key === undefined ? 'o primeiro início do servidor cria uma.' : 'é a deste site.');
}

async function checkStore(site: Site): Promise<Finding> {
  const { s3, dataDir } = site.environment;
  const isThorough = site.purpose === 'look';
  const { responds, isNew } = await checkFileStore(site.environment, existing(site), isThorough);
  site.isStoreNew = isNew;
  if (!responds)
    return advice(
      s3
        ? `O S3 não responde, ou recusa o bucket ${s3.bucket} ou a chave: até que ele volte, o site funciona sem fotos e áudios. Confira as variáveis S3_*, e se o bucket existe.`
        : `A pasta ${dataDir}/files não aceita leitura e gravação. Veja as permissões da pasta, e se o disco está bom (dmesg).`,
    );
  return well(s3 ? `no bucket ${s3.bucket}, que responde.` : `em ${dataDir}.`);
}

async function checkFreeSpace(site: Site): Promise<Finding> {
  const space = await checkSpace(site.environment, existing(site));
  const { text, isWell } = stateOfSpace(site.environment.dataDir, space);
  return { text, isAdvice: !isWell };
}
