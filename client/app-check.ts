import {
  type AppCheckChallenge,
  type AppCheckSolution,
  appCheckChallenge,
  appCheckHeader,
  appCheckToken,
} from '#contract/app-check.ts';
import { authPaths } from '#contract/auth-paths.ts';
import type { Send } from './http.ts';

/** Solves a challenge. A browser does this in a worker, so that the page stays responsive. */
export type SolveChallenge = (challenge: AppCheckChallenge) => Promise<AppCheckSolution>;

/** Returns the header with an app-check token, which is valid for one call or for all calls of one upload. */
export type AppCheckHeaders = () => Promise<Record<string, string>>;

/**
 * Creates the function that gets a token: it asks for a challenge, solves it and sends the solution.
 * @param sendAuth sends requests to the service `auth`, which issues challenges and tokens
 */
export function createAppCheck(sendAuth: Send, solve: SolveChallenge): AppCheckHeaders {
  return async () => {
    const challenge = appCheckChallenge.parse(await (await sendAuth(authPaths.appCheckChallenge)).json());
    const body = { challenge, solution: await solve(challenge) };
    const response = await sendAuth(authPaths.appCheck, { method: 'POST', body });
    return { [appCheckHeader]: appCheckToken.parse(await response.json()).token };
  };
}
