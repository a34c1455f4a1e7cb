import { request } from 'node:http';
import { createSecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { makeCertificate } from '#server/testing/certificate.ts';

/**
 * Starts a reverse proxy like that of a published site: it terminates TLS and speaks HTTP/2, with a temporary
 * certificate. The proxy listens before it knows its target: the server needs the proxy's URL when it starts.
 */
export async function startHttpsFront() {
  const certificate = await makeCertificate();
  let target = '';
  const front = createSecureServer(
    { key: certificate.key, cert: certificate.cert, allowHTTP1: true },
    (asked, response) => {
      const own = Object.entries(asked.headers).filter(([name]) => !name.startsWith(':'));
      const headers = {
        ...Object.fromEntries(own),
        host: asked.authority || asked.headers.host,
        'x-forwarded-proto': 'https',
      };
      const passed = request(new URL(asked.url, target), { method: asked.method, headers });
      passed.once('error', () => response.stream?.destroy());
      passed.once('response', (from) => {
        // These headers belong to the connection to the server. HTTP/2 forbids them (RFC 9113, 8.2.2).
        const { connection: _, 'keep-alive': __, 'transfer-encoding': ___, ...kept } = from.headers;
        response.writeHead(from.statusCode ?? 502, kept);
        pipeline(from, response).catch(() => {});
      });
      asked.pipe(passed);
    },
  );
  const sessions = new Set<{ destroy(): void }>();
  front.on('session', (session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
  });
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
  return {
    url: `https://localhost:${(front.address() as AddressInfo).port}`,
    leadsTo(url: string) {
      target = url;
    },
    stop() {
      for (const session of sessions) session.destroy();
      front.close();
      certificate.remove();
    },
  };
}
