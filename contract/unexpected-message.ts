/** The sentence for an unknown error. It has its own file, so that importing it does not load Zod. */
export const unexpectedMessage = 'Algo deu errado do nosso lado. Tente de novo em instantes.';
