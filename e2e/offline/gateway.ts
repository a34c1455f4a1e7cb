import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import { findFreePort } from '#server/testing/free-port.ts';

/** What stands between the browser and the server. */
type Network =
  /** Requests reach the server. */
  | 'open'
  /** Every connection breaks. */
  | 'cut'
  /** Requests get no answer. */
  | 'silent'
  /** Requests reach the server, and the answers are lost. */
  | 'lost'
  /** A page of the network, such as the sign-in of a hotel, answers every request with status 200. */
  | 'captive'
  /** The network redirects every request to a page of its own. */
  | 'redirecting'
  /** A proxy answers every request with status 502. */
  | 'failing';

export type Gateway = {
  url: string;
  network: Network;
  /** The port of the server. */
  target: string;
  /** The paths of all requests. */
  asked: string[];
  close: () => Promise<void>;
};

const captivePage = '<!doctype html><html lang="pt-BR"><title>Hotel</title><h1>Wi-Fi do hotel</h1></html>';

/** Opens a proxy that also cuts a worker's requests, which Playwright's own network settings may miss. */
export async function openGateway(): Promise<Gateway> {
  const port = await findFreePort();
  const url = `http://localhost:${port}`;
  const server = createServer((request, response) => {
    gateway.asked.push(request.url ?? '');
    answers[gateway.network](request, response);
  });
  const page =
    (status: number, headers: Record<string, string>) => (_: IncomingMessage, to: ServerResponse) =>
      to.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(captivePage);
  const answers: Record<Network, (request: IncomingMessage, response: ServerResponse) => unknown> = {
    open: (request, response) => {
      const { method, url: path, headers } = request;
      const { network } = gateway;
      const passed = send(`http://localhost:${gateway.target}`, { method, path, headers }, (answer) => {
        if (network === 'lost') return void answer.resume().on('end', () => response.destroy());
        response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
        answer.pipe(response);
      });
      passed.on('error', () => response.destroy());
      request.pipe(passed);
    },
    cut: (request) => request.destroy(),
    // The connections end when the network is another one.
    silent: (request) => {
      const timer = setInterval(() => {
        if (gateway.network === 'silent') return;
        clearInterval(timer);
        request.destroy();
      }, 100).unref();
    },
    lost: (request, response) => answers.open(request, response),
    captive: page(200, {}),
    redirecting: (request, response) =>
      request.url === '/portal'
        ? answers.captive(request, response)
        : page(302, { location: `${url}/portal` })(request, response),
    failing: page(502, {}),
  };
  const gateway: Gateway = {
    url,
    network: 'open',
    target: '',
    asked: [],
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  server.listen(port, 'localhost');
  await once(server, 'listening');
  return gateway;
}
