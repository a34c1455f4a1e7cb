import { authPaths } from '#contract/auth-paths.ts';

/** The result of a sign-in with Google. */
export type GoogleOutcome = 'signed-in' | GoogleProblem;
export type GoogleProblem = keyof typeof googleMessages;

/** The message of each result; empty when the user cancelled the sign-in. */
export const googleMessages = {
  cancelado: '',
  'segundo-fator': 'Esta conta pede um código de verificação. Entre com o email e a senha.',
  'outra-conta':
    'Já existe uma conta com este email. Entre com a senha e confirme o email em "Conta"; depois disso, o Google também serve.',
  falhou: 'Não deu para entrar com o Google. Tente de novo em instantes, ou entre com email e senha.',
};

/** Reads the result from the address of the landing page. */
export function readOutcome(search: URLSearchParams): GoogleOutcome {
  const problem = search.get('erro');
  return problem === null ? 'signed-in' : problemNamed(problem);
}

/** The search parameter for the result of a sign-in without a popup window, in the address of the form. */
export const outcomeParam = 'google';

/** The message for the result in the form's address; empty when there is none. */
export function messageOf(search: URLSearchParams): string {
  const problem = search.get(outcomeParam);
  return problem === null ? '' : googleMessages[problemNamed(problem)];
}

const problemNamed = (name: string) =>
  Object.hasOwn(googleMessages, name) ? (name as GoogleProblem) : 'falhou';

/** The size that Google's pages need. Larger screens show the window in the middle. */
const size = { width: 500, height: 640 };

/**
 * Opens Google's page in a popup window. Call it in the click handler, or browsers block the popup.
 * @returns `undefined` when the browser blocks it
 */
export function openGoogleWindow(): Window | undefined {
  const { screenX, screenY, outerWidth, outerHeight } = window;
  const left = Math.round(screenX + Math.max(0, outerWidth - size.width) / 2);
  const top = Math.round(screenY + Math.max(0, outerHeight - size.height) / 2);
  const features = `popup,width=${size.width},height=${size.height},left=${left},top=${top}`;
  return window.open(authPaths.google, 'acolhe-google', features) ?? undefined;
}

/** In-app browsers, in which Google refuses sign-in: those of social networks, and Android's web view. */
const inAppBrowsers = /Instagram|FBAN|FBAV|FB_IAB|Line\/|Twitter|LinkedInApp|musical_ly|TikTok|; wv\)/;

export const isInAppBrowser = (userAgent: string) => inAppBrowsers.test(userAgent);

type Word = { outcome: GoogleOutcome } | 'taken';

/**
 * Opens the channel between the page that opened Google's window and the page where that window ends. It has
 * a fixed name, because a window loses `opener` after a visit to another site.
 */
function openLine(onWord: (word: Word) => void) {
  // Without a channel, the popup window continues by itself, as after a redirect.
  if (typeof BroadcastChannel === 'undefined') return { say: () => {}, close: () => {} };
  const channel = new BroadcastChannel('acolhe:google');
  channel.addEventListener('message', ({ data }: MessageEvent<Word>) => onWord(data));
  return { say: (word: Word) => channel.postMessage(word), close: () => channel.close() };
}

/**
 * Waits for the result from a popup window, and confirms that it arrived. @returns a function that ends the
 * wait
 */
export function awaitOutcome(onOutcome: (outcome: GoogleOutcome) => void): () => void {
  const line = openLine((word) => {
    if (word === 'taken') return;
    line.say('taken');
    onOutcome(word.outcome);
  });
  return line.close;
}

/**
 * The opener may answer slowly, for example in a sleeping tab. After this time the window continues by
 * itself.
 */
const answerMs = 800;

/** Sends the result to the opener. @returns whether an opener has confirmed it */
export function handOver(outcome: GoogleOutcome): Promise<boolean> {
  return new Promise((resolve) => {
    function settle(taken: boolean) {
      clearTimeout(timer);
      line.close();
      resolve(taken);
    }
    const line = openLine((word) => {
      if (word === 'taken') settle(true);
    });
    const timer = setTimeout(settle, answerMs, false);
    line.say({ outcome });
  });
}
