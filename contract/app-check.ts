import * as z from 'zod/mini';

/** The header that carries an app-check token: proof that the client has solved a challenge. */
export const appCheckHeader = 'x-app-check';

/** Twice as many as a challenge has. */
const mostParameters = 20;

/** A signed proof-of-work challenge. Only the solver reads its parameters. */
export const appCheckChallenge = z.object({
  parameters: z
    .record(z.string(), z.unknown())
    .check(z.refine((parameters) => Object.keys(parameters).length <= mostParameters)),
  signature: z.string().check(z.maxLength(200)),
});
export type AppCheckChallenge = z.infer<typeof appCheckChallenge>;

/** The solution of a challenge. */
export const appCheckSolution = z.object({
  counter: z.number(),
  derivedKey: z.string().check(z.maxLength(200)),
});
export type AppCheckSolution = z.infer<typeof appCheckSolution>;

/** A challenge and its solution. The client sends both to receive a token. */
export const appCheckProof = z.strictObject({ challenge: appCheckChallenge, solution: appCheckSolution });
export type AppCheckProof = z.infer<typeof appCheckProof>;

export const appCheckToken = z.object({ token: z.string() });
