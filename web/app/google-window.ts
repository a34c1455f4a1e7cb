import type { GoogleProblem } from '#contract/auth-paths.ts';
import { authPaths } from '#contract/auth-paths.ts';

/** The result of a sign-in with Google. */
export type GoogleOutcome = 'signed-in' | GoogleProblem;

/** The message for each problem; empty when the user cancelled the sign-in. */
export const googleMessages: Record<GoogleProblem, string> = {
  cancelado: '',
  'segundo-fator': 'Esta conta pede um código de verificação. Entre com o e-mail e a senha.',
  'outra-conta':
    'Já existe uma conta com este e-mail. Entre com a senha e confirme o e-mail em “Conta”; depois disso, o Google também serve.',
  'outra-pessoa': 'Essa conta do Google não é a desta conta. Escolha a mesma com que você entra aqui.',
  'email-nao-confirmado':
    'O Google ainda não confirmou este e-mail. Confirme-o na sua conta do Google e tente de novo.',
  falhou: 'Não deu para entrar com o Google. Tente de novo em instantes, ou entre com e-mail e senha.',
};

/** Reads the result from the URL of the landing page, to which the server redirects after the sign-in. */
export function readOutcome(search: URLSearchParams): GoogleOutcome {
  const problem = search.get('erro');
  return problem === null ? 'signed-in' : problemNamed(problem);
}

/** The search parameter that tells the sign-in form why a Google sign-in without a popup has failed. */
export const problemParam = 'google';

/** The message for the problem that the URL of the sign-in form names; empty when the URL names none. */
export function googleMessageOf(search: URLSearchParams): string {
  const problem = search.get(problemParam);
  return problem === null ? '' : googleMessages[problemNamed(problem)];
}

const problemNamed = (name: string) =>
  Object.hasOwn(googleMessages, name) ? (name as GoogleProblem) : 'falhou';

/** The size of the popup window in CSS pixels, large enough for Google's pages. */
const size = { width: 500, height: 640 };

/**
 * Opens Google's page in a popup window. Call this in the click handler, or browsers block the popup.
 * @param path the path at which the server redirects to Google
 * @returns `undefined` when the browser blocks the popup
 */
export function openGoogleWindow(path: string = authPaths.google): Window | undefined {
  const { screenX, screenY, outerWidth, outerHeight } = window;
  const left = Math.round(screenX + Math.max(0, outerWidth - size.width) / 2);
  const top = Math.round(screenY + Math.max(0, outerHeight - size.height) / 2);
  const features = `popup,width=${size.width},height=${size.height},left=${left},top=${top}`;
  return window.open(path, 'acolhe-google', features) ?? undefined;
}

/** Matches social networks' in-app browsers and Android's WebView, in which Google refuses sign-in. */
const inAppBrowsers = /Instagram|FBAN|FBAV|FB_IAB|Line\/|Twitter|LinkedInApp|musical_ly|TikTok|; wv\)/;

/** True if a User-Agent header names an in-app browser. */
export const isInAppBrowser = (userAgent: string) => inAppBrowsers.test(userAgent);

type Message = { outcome: GoogleOutcome } | 'received';

/**
 * Opens the channel between the landing page in the popup window and the page that opened the window. They
 * cannot use `window.opener`, because it can be null after the popup has visited another site.
 */
function openChannel(onMessage: (message: Message) => void) {
  // Without a channel, no opener confirms the result, and the landing page redirects the popup window.
  if (typeof BroadcastChannel === 'undefined') return { send: () => {}, close: () => {} };
  const channel = new BroadcastChannel('acolhe:google');
  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => onMessage(data));
  return { send: (message: Message) => channel.postMessage(message), close: () => channel.close() };
}

/**
 * Waits for the result from a popup window, and sends a confirmation when the result has arrived.
 * @returns a function that stops waiting
 */
export function awaitOutcome(onOutcome: (outcome: GoogleOutcome) => void): () => void {
  const channel = openChannel((message) => {
    if (message === 'received') return;
    channel.send('received');
    onOutcome(message.outcome);
  });
  return channel.close;
}

/**
 * How long the landing page waits for the opener's confirmation. If none arrives, for example because the
 * browser has suspended the opener's tab, the landing page redirects.
 */
const confirmationMs = 800;

/**
 * Sends the result to the opener.
 * @returns whether an opener has confirmed the result
 */
export function sendOutcome(outcome: GoogleOutcome): Promise<boolean> {
  return new Promise((resolve) => {
    function settle(received: boolean) {
      clearTimeout(timer);
      channel.close();
      resolve(received);
    }
    const channel = openChannel((message) => {
      if (message === 'received') settle(true);
    });
    const timer = setTimeout(settle, confirmationMs, false);
    channel.send({ outcome });
  });
}
