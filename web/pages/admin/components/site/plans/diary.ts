import { limits } from '#contract/limits.ts';
import type { DiaryTexts } from '#contract/site/diary.ts';
import { sections } from '../sections.ts';
import { lines, type PlanOf, text } from './plan.ts';

const { moodWordsMinItems, moodWordsMaxItems, diaryWordMaxLength, crisisPhrasesMaxItems } = limits;

export const diary: PlanOf<DiaryTexts> = {
  kind: 'group',
  label: sections.diary.label,
  fields: {
    words: {
      kind: 'list',
      label: 'Palavras',
      hint: `As respostas de “Como você está agora?”, nesta ordem, de ${moodWordsMinItems} a ${moodWordsMaxItems}. O que já foi anotado fica como está.`,
      noun: 'palavra',
      feminine: true,
      most: moodWordsMaxItems,
      blank: () => ({ word: '', heavy: false }),
      item: {
        kind: 'group',
        label: 'Palavra',
        fields: {
          word: text('Palavra', {
            hint: `Até ${diaryWordMaxLength} letras, e igual para mulheres e homens: “Em paz”, “Com medo”.`,
          }),
          heavy: {
            kind: 'switch',
            label: 'Pesa',
            hint: 'Com a maior intensidade, ou em três dias seguidos, a página mostra os telefones 188 e 192 a quem escreveu. Mais ninguém fica sabendo.',
          },
        },
      },
    },
    crisisPhrases: lines(
      'Frases de perigo',
      `Uma em cada linha, até ${crisisPhrasesMaxItems}. Quando uma delas está em uma anotação, a página mostra 188 e 192 a quem escreveu. Acentos e maiúsculas não importam. A busca é feita no aparelho, e ninguém recebe aviso.`,
    ),
    questions: {
      kind: 'list',
      label: 'As três perguntas para a consulta',
      hint: 'Em “Nota para a consulta”. Responder é opcional.',
      noun: 'pergunta',
      feminine: true,
      item: text('Pergunta'),
    },
  },
};
