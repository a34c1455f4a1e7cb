import * as z from 'zod/mini';
import { limits } from '../limits.ts';
import { foldForSearch } from '../text.ts';
import { exactly, line, several } from './fields.ts';

const { moodWordsMinItems, moodWordsMaxItems, crisisPhrasesMaxItems } = limits;

/** What a clinic decides about the diaries of its patients. */
export const diarySchema = z.strictObject({
  /** The words from which patients choose, in the order of their buttons. */
  words: several(
    z.strictObject({
      word: line('a palavra', limits.diaryWordMaxLength),
      /** True for a word that can show the help in a crisis (contract/diary/crisis.ts). */
      heavy: z.boolean(),
    }),
    moodWordsMinItems,
    `são no mínimo ${moodWordsMinItems} palavras`,
    moodWordsMaxItems,
  ).check(
    z.refine((words) => new Set(words.map(({ word }) => foldForSearch(word))).size === words.length, {
      error: 'há duas palavras iguais',
      params: { inDraft: true },
    }),
  ),
  /** Phrases of self-harm. Only the patient's device looks for them. */
  crisisPhrases: several(line('a frase', limits.siteShortTextMaxLength), 0, '', crisisPhrasesMaxItems),
  /** The questions of a note for a consultation. */
  questions: exactly(line('a pergunta'), 3, 'as perguntas devem ser três'),
});
export type DiaryTexts = z.infer<typeof diarySchema>;

/**
 * The sample content, and the content of a clinic that published before there were diaries: its patients must
 * not lack the help in a crisis.
 */
export const sampleDiary: DiaryTexts = {
  words: [
    { word: 'Em paz', heavy: false },
    { word: 'Alegria', heavy: false },
    { word: 'Esperança', heavy: false },
    { word: 'Energia', heavy: false },
    { word: 'Gratidão', heavy: false },
    { word: 'Cansaço', heavy: false },
    { word: 'Ansiedade', heavy: false },
    { word: 'Irritação', heavy: false },
    { word: 'Tristeza', heavy: false },
    { word: 'Medo', heavy: false },
    { word: 'Culpa', heavy: false },
    { word: 'Solidão', heavy: false },
    { word: 'Vazio', heavy: true },
    { word: 'Sem forças', heavy: true },
    { word: 'Desespero', heavy: true },
    { word: 'Vontade de sumir', heavy: true },
  ],
  crisisPhrases: [
    ...['quero morrer', 'queria morrer', 'vontade de morrer', 'prefiro morrer', 'melhor morrer'],
    ...['queria estar morta', 'queria estar morto', 'não queria ter nascido'],
    ...['não quero viver', 'não quero mais viver', 'não queria viver', 'não queria mais viver'],
    ...['não aguento viver', 'não aguento mais viver', 'vontade de não viver', 'sem vontade de viver'],
    ...['cansei de viver', 'cansada de viver', 'cansado de viver', 'não vale a pena viver'],
    ...['sem motivo para viver', 'sem motivo pra viver', 'desistir de viver', 'desisti de viver'],
    ...['desistir da vida', 'desisti da vida', 'não quero acordar', 'não queria acordar'],
    ...['não quero mais acordar', 'não queria mais acordar', 'não quero existir', 'não queria existir'],
    ...['deixar de existir', 'sumir para sempre', 'sumir pra sempre', 'sumir do mundo', 'melhor sem mim'],
    ...['me matar', 'me mato', 'matar-me', 'tirar minha vida', 'tirar a minha vida', 'tirar a própria vida'],
    ...['acabar com minha vida', 'acabar com a minha vida', 'acabar com tudo'],
    ...['dar fim à minha vida', 'suicídio', 'suicida', 'suicidar'],
    ...['me machucar', 'me ferir', 'me cortar', 'me cortei', 'machucar a mim'],
  ],
  questions: ['O que ficou comigo da última consulta', 'O que evitei dizer', 'O que eu gostaria hoje'],
};
