import type { AppCheckChallenge, AppCheckSolution } from '#contract/app-check.ts';
import { authPaths } from '#contract/auth-paths.ts';
import type { Send } from './http.ts';
import { loadSchemas } from './schemas.ts';

/** Finds the solution of a challenge; a browser does it in a worker, so that the page stays smooth. */
export type SolveChallenge = (challenge: AppCheckChallenge) => Promise<AppCheckSolution>;

/** Gives the header that calls under app check must carry; each serves for one call. */
export type AppCheckHeaders = () => Promise<Record<string, string>>;

/** @param sendAuth reaches the sign-in service, which hands out challenges and tokens */
export function createAppCheck(sendAuth: Send, solve: SolveChallenge): AppCheckHeaders {
  return async () => {
    const { appCheckChallenge, appCheckHeader, appCheckToken } = await loadSchemas();
    const challenge = appCheckChallenge.parse(await (await sendAuth(authPaths.appCheckChallenge)).json());
    const body = { challenge, solution: await solve(challenge) };
    const answer = await sendAuth(authPaths.appCheck, { method: 'POST', body });
    return { [appCheckHeader]: appCheckToken.parse(await answer.json()).token };
  };
}
