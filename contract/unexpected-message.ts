/** The sentence for an unknown error. It has its own file, because errors.ts loads Zod. */
export const unexpectedMessage = 'Algo deu errado do nosso lado. Tente de novo em instantes.';
