import * as z from 'zod/mini';
import { plainLine } from '../text.ts';
import {
  exactly,
  line,
  optionalLine,
  pageDescription,
  pattern,
  sentence,
  several,
  titled,
} from './fields.ts';

/** The texts of the page about the approach. */
export const aboutSchema = z.strictObject({
  pageTitle: z._default(line('o título da página'), 'A abordagem'),
  description: pageDescription,
  title: line('um título'),
  lead: sentence('um texto'),
  act: z.strictObject({
    title: line('um título'),
    goal: line('o objetivo'),
    paragraphs: several(sentence('um texto'), 1, 'falta um texto'),
  }),
  processes: exactly(
    z.strictObject({
      id: pattern('a identificação de um processo', /^[a-z-]+$/, '"aceitacao": só letras minúsculas e hífen'),
      name: line('o nome de um processo'),
      /** The label on a petal, at most three words. */
      label: z
        .string()
        .check(
          z.maxLength(60, 'o rótulo de um processo passa de 60 caracteres'),
          z.regex(/^\S+(?: \S+){0,2}$/, 'o rótulo de um processo deve ter até três palavras'),
          plainLine,
        ),
      opposite: line('o contrário de um processo'),
      /** The name of the process in the literature, for visitors who want the theory. */
      theory: z._default(optionalLine('o nome na teoria'), ''),
      text: several(sentence('um texto'), 1, 'falta um texto'),
      exercise: several(sentence('um passo do exercício'), 2, 'um exercício deve ter pelo menos dois passos'),
    }),
    6,
    'os processos devem ser seis',
  ),
  fap: z.strictObject({
    title: line('um título'),
    paragraphs: several(sentence('um texto'), 1, 'falta um texto'),
    /** Explains the behaviours in plain words. */
    behavioursLead: sentence('um texto'),
    behaviours: exactly(titled, 3, 'os comportamentos clinicamente relevantes devem ser três'),
    rulesTitle: line('um título'),
    rules: exactly(titled, 5, 'as regras da FAP devem ser cinco'),
  }),
  together: z.strictObject({
    title: line('um título'),
    paragraphs: several(sentence('um texto'), 1, 'falta um texto'),
  }),
});
export type AboutTexts = z.infer<typeof aboutSchema>;
