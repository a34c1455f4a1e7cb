import { createKeyPair } from '#server/backup/place/encryption.ts';
import { StartError } from '#server/environment.ts';
import { askLine } from '../terminal/ask.ts';

/**
 * Makes a key pair and shows a sheet to print. Then asks for the private key, to check that the operator has
 * printed the sheet. Writes nothing to the disk.
 * @returns the last message for the terminal
 * @throws StartError when the typed key differs from the private key
 */
export async function makeKey(signal: AbortSignal): Promise<string> {
  const { identity, recipient } = await createKeyPair();
  console.log(sheet(identity, recipient));
  const typed = await askLine('Digite a chave privada, a partir do papel: ', signal);
  if (normalized(typed) !== identity)
    throw new StartError('A chave digitada não é a do papel. Nenhuma chave vale: comece de novo.');
  return `\nA chave está certa. Escreva no ambiente do servidor:\n  BACKUP_RECIPIENT=${recipient}`;
}

const normalized = (typed: string) => typed.replaceAll(/\s/g, '').toUpperCase();

function sheet(identity: string, recipient: string): string {
  return `
──────────────────────────────────────────────────────────────────────────
  CHAVE DOS BACKUPS DO SITE DA CLÍNICA                Guarde em lugar seguro

  Chave privada, que abre os backups:

    ${identity}

  Chave pública, que só os fecha (vai em BACKUP_RECIPIENT):

    ${recipient}

  Quem tem a chave privada e um backup lê os dados de saúde dos pacientes.
  Sem a chave privada, ninguém abre os backups, nem a clínica.
  Imprima duas folhas e guarde-as em dois lugares, longe do servidor.
  Não a deixe no servidor, em e-mail nem em foto.

  Para restaurar: copie a chave privada para um arquivo, siga docs/backup.md
  e depois apague o arquivo.
──────────────────────────────────────────────────────────────────────────
`;
}
