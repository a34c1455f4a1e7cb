/** The page on which a sign-in with Google ends. */
export const googleLandingPath = '/entrar-com-google';

/** Why a sign-in with Google failed: a value of the landing page's search parameter `erro`. */
export type GoogleProblem =
  | 'cancelado'
  | 'segundo-fator'
  | 'outra-conta'
  | 'outra-pessoa'
  | 'email-nao-confirmado'
  | 'falhou';
