import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { StartError } from './environment-values.ts';

/** The first file descriptor that a service manager passes: SD_LISTEN_FDS_START in sd_listen_fds(3). */
const firstDescriptor = 3;

/**
 * Reads which listening socket systemd passes to this process, as sd_listen_fds(3) describes.
 * @returns its file descriptor; undefined when the server must open a socket itself
 * @throws StartError unless systemd passes exactly one
 */
export function readListeningSocket(env: NodeJS.ProcessEnv): number | undefined {
  // A process can have these variables without the socket: a child inherits them from its parent.
  if (Number(env.LISTEN_PID) !== process.pid) return undefined;
  if (env.LISTEN_FDS === '1') return firstDescriptor;
  throw new StartError(
    `O systemd entregou ${env.LISTEN_FDS ?? 'zero'} sockets: deixe um só ListenStream= em acolhe.socket.`,
  );
}

/**
 * Tells systemd that the server is ready, as sd_notify(3) describes. The program systemd-notify sends the
 * message, because Node has no Unix datagram sockets.
 * @param notifySocket the value of NOTIFY_SOCKET
 * @throws StartError when systemd-notify fails, because systemd would wait for the message until it times out
 */
export async function reportReady(notifySocket: string): Promise<void> {
  const notify = spawn('systemd-notify', ['--ready'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { PATH: '/usr/bin:/bin', NOTIFY_SOCKET: notifySocket },
  });
  const code = await once(notify, 'exit').then(
    ([exitCode]: (number | null)[]) => exitCode,
    (error: NodeJS.ErrnoException) => error.code,
  );
  if (code !== 0)
    throw new StartError(
      `O aviso ao systemd de que o servidor está pronto falhou (systemd-notify: ${code}): instale o systemd-notify, ou escreva Type=exec em acolhe.service.`,
    );
}
