import { once } from 'node:events';
import { createServer } from 'node:net';
import { type Environment, StartError } from '../environment.ts';

type Address = Pick<Environment, 'host' | 'port' | 'listenFd'>;

/**
 * Takes the server's port while the server prepares its data. Until the port is given back, connections are
 * closed at once, and no other program can take the port. Does nothing if systemd has opened the socket.
 * @returns a function that gives the port back, so that the server can listen on it
 * @throws StartError when the port cannot be used
 */
export async function holdPort({ host, port, listenFd }: Address): Promise<() => Promise<void>> {
  if (listenFd !== undefined || port === 0) return async () => {};
  const holder = createServer((socket) => socket.destroy());
  // After a failed start, the process must end.
  holder.unref().listen({ host, port });
  await once(holder, 'listening').catch((error: unknown) => {
    throw portRefusal({ host, port }, error);
  });
  return async () => {
    holder.close();
    await once(holder, 'close');
  };
}

/** Explains why a server cannot listen. Returns other errors unchanged. */
export function portRefusal({ host, port }: Pick<Address, 'host' | 'port'>, cause: unknown): unknown {
  const { code = '' } = cause as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE')
    return new StartError(
      `A porta ${port} já está em uso: pare o outro programa ou escolha outra com PORT.`,
      { cause },
    );
  if (code === 'EACCES')
    return new StartError(`Este usuário não pode usar a porta ${port}: escolha com PORT uma acima de 1023.`, {
      cause,
    });
  if (['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'].includes(code))
    return new StartError(
      `HOST vale "${host}", que não é um endereço deste computador: escreva um, como HOST=127.0.0.1.`,
      { cause },
    );
  return cause;
}
