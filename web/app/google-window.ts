import { authPaths } from '#contract/auth-paths.ts';

/** How a sign-in with Google ended: well, or with what the page after it was told. */
export type GoogleOutcome = 'signed-in' | GoogleProblem;
export type GoogleProblem = keyof typeof googleMessages;

/** What is said of each; nothing of a sign-in that the person called off. */
export const googleMessages = {
  cancelado: '',
  'segundo-fator': 'Esta conta pede um código de verificação. Entre com o email e a senha.',
  'outra-conta':
    'Já existe uma conta com este email. Entre com a senha e confirme o email em "Conta"; depois disso, o Google também serve.',
  falhou: 'Não deu para entrar com o Google. Tente de novo em instantes, ou entre com email e senha.',
};

/** What the address of the landing page says. */
export function readOutcome(search: URLSearchParams): GoogleOutcome {
  const problem = search.get('erro');
  return problem === null ? 'signed-in' : problemNamed(problem);
}

/** In the address of the form that a sign-in without a window of its own comes back to. */
export const outcomeParam = 'google';

/** The message for the outcome in the form's address; empty when there is none. */
export function messageOf(search: URLSearchParams): string {
  const problem = search.get(outcomeParam);
  return problem === null ? '' : googleMessages[problemNamed(problem)];
}

const problemNamed = (name: string) =>
  Object.hasOwn(googleMessages, name) ? (name as GoogleProblem) : 'falhou';

/** Provider pages want about this much room; larger screens show them in the middle of the window. */
const size = { width: 500, height: 640 };

/**
 * Opens the provider's page. Must be called in the press itself, or browsers take it for an advertisement.
 * @returns `undefined` when the browser lets no window open
 */
export function openGoogleWindow(): Window | undefined {
  const { screenX, screenY, outerWidth, outerHeight } = window;
  const left = Math.round(screenX + Math.max(0, outerWidth - size.width) / 2);
  const top = Math.round(screenY + Math.max(0, outerHeight - size.height) / 2);
  const features = `popup,width=${size.width},height=${size.height},left=${left},top=${top}`;
  return window.open(authPaths.google, 'acolhe-google', features) ?? undefined;
}

/**
 * Programs that show pages in a window of their own, where Google lets nobody sign in: those of social networks,
 * and whatever says that it is Android's web view.
 */
const inAppBrowsers = /Instagram|FBAN|FBAV|FB_IAB|Line\/|Twitter|LinkedInApp|musical_ly|TikTok|; wv\)/;

export const isInAppBrowser = (userAgent: string) => inAppBrowsers.test(userAgent);

type Word = { outcome: GoogleOutcome } | 'taken';

/**
 * The line between the page that opened Google's window and the one that window ends at. They find each other by
 * name, because after a visit to another site a window no longer knows what opened it.
 */
function openLine(onWord: (word: Word) => void) {
  // Without it the window goes on by itself, as after a redirect.
  if (typeof BroadcastChannel === 'undefined') return { say: () => {}, close: () => {} };
  const channel = new BroadcastChannel('acolhe:google');
  channel.addEventListener('message', ({ data }: MessageEvent<Word>) => onWord(data));
  return { say: (word: Word) => channel.postMessage(word), close: () => channel.close() };
}

/** Waits for what a window opened from here has to tell, and takes it over. @returns ends the wait */
export function awaitOutcome(onOutcome: (outcome: GoogleOutcome) => void): () => void {
  const line = openLine((word) => {
    if (word === 'taken') return;
    line.say('taken');
    onOutcome(word.outcome);
  });
  return line.close;
}

/** An opener in another tab may be slow to answer, a phone's may be asleep: then this window goes on by itself. */
const answerMs = 800;

/** Tells the opener how it ended. @returns whether there is one that takes it from here */
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
