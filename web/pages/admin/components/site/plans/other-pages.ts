import { limits } from '#contract/limits.ts';
import type { AboutTexts } from '#contract/site/about.ts';
import type { MemberTexts, PracticesTexts, PrivacyTexts, Questions } from '#contract/site/content.ts';
import { sections } from '../sections.ts';
import {
  description,
  emptyTitledText,
  lines,
  longText,
  type PlanOf,
  paragraphs,
  text,
  titledFields,
} from './plan.ts';
import { tidyLink } from './tidy.ts';

const titledItem = (label: string) => ({ kind: 'group' as const, label, fields: titledFields() });

export const about: PlanOf<AboutTexts> = {
  kind: 'group',
  label: sections.about.label,
  fields: {
    pageTitle: text('Título da página', { hint: 'Aparece na aba do navegador e nos buscadores.' }),
    description,
    title: text('Título'),
    lead: longText('Abertura'),
    act: {
      kind: 'group',
      label: 'ACT',
      fields: {
        title: text('Título'),
        goal: text('Objetivo, no centro da flor'),
        paragraphs: paragraphs('Texto'),
      },
    },
    processes: {
      kind: 'list',
      label: 'Os seis processos',
      noun: 'processo',
      item: {
        kind: 'group',
        label: 'Processo',
        fields: {
          id: { kind: 'hidden' },
          name: text('Nome'),
          label: text('Rótulo na pétala', { hint: 'Até três palavras.' }),
          opposite: text('O contrário'),
          theory: text('Nome na teoria', { hint: 'Só aparece em “Para quem quer a teoria”.' }),
          text: paragraphs('Texto'),
          exercise: lines('Exercício de um minuto', 'Um passo em cada linha, pelo menos dois.'),
        },
      },
    },
    fap: {
      kind: 'group',
      label: 'FAP',
      hint: 'Comportamentos e regras aparecem fechados, em “Para quem quer a teoria”.',
      fields: {
        title: text('Título'),
        paragraphs: paragraphs('Texto'),
        behavioursLead: longText('Abertura dos comportamentos'),
        behaviours: {
          kind: 'list',
          label: 'Os três comportamentos',
          noun: 'comportamento',
          item: titledItem('Comportamento'),
        },
        rulesTitle: text('Título das regras'),
        rules: {
          kind: 'list',
          label: 'As cinco regras',
          noun: 'regra',
          feminine: true,
          item: titledItem('Regra'),
        },
      },
    },
    together: {
      kind: 'group',
      label: 'Remédio e terapia',
      fields: { title: text('Título'), paragraphs: paragraphs('Texto') },
    },
  },
};

/** A random id, which stays when the need is renamed. */
const newNeedId = () => crypto.getRandomValues(new Uint32Array(1))[0]?.toString(36) ?? '';

export const practices: PlanOf<PracticesTexts> = {
  kind: 'group',
  label: sections.practices.label,
  fields: {
    description,
    leads: {
      kind: 'group',
      label: 'Abertura',
      hint: 'Uma para todas as práticas, e uma para cada eixo.',
      fields: {
        all: longText('Todas'),
        mind: longText('Mente'),
        move: longText('Movimento'),
        nutri: longText('Nutrição'),
        values: longText('Valores'),
      },
    },
    needs: {
      kind: 'list',
      label: 'Necessidades',
      hint: 'Aparecem em Práticas, nesta ordem, para a pessoa achar o que ajuda. Em cada prática você marca as que servem.',
      noun: 'necessidade',
      feminine: true,
      most: limits.needsMaxItems,
      blank: () => ({ id: newNeedId(), name: '' }),
      item: {
        kind: 'group',
        label: 'Necessidade',
        fields: {
          id: { kind: 'hidden' },
          name: text('Nome', { hint: 'Uma ou duas palavras, como “Sono”.' }),
        },
      },
    },
    note: longText('Aviso'),
    tipsTitle: text('Título das dicas'),
    tipsLead: text('Abertura das dicas'),
    tips: { kind: 'list', label: 'As seis dicas', noun: 'dica', feminine: true, item: titledItem('Dica') },
    externalVideo: {
      kind: 'group',
      label: 'Vídeo de outro site',
      hint: 'Com os três campos vazios, o cartão não aparece no site.',
      fields: {
        title: text('Título'),
        text: longText('Texto'),
        url: text('Endereço do vídeo', { tidy: tidyLink }),
      },
    },
    countsUse: {
      kind: 'switch',
      label: 'Contar o uso das práticas',
      hint: 'Quantas vezes por mês cada uma foi aberta, tocada e ouvida até o fim, sem guardar quem foi. A página de privacidade diz isso enquanto estiver ligado.',
    },
  },
};

export const questions: PlanOf<Questions> = {
  kind: 'list',
  label: sections.questions.label,
  hint: 'Aparecem na página inicial, nesta ordem.',
  noun: 'pergunta',
  feminine: true,
  blank: () => ({ question: '', answer: [] }),
  item: {
    kind: 'group',
    label: 'Pergunta',
    fields: { question: text('Pergunta'), answer: paragraphs('Resposta') },
  },
};

const shelf = (label: string, noun: string): PlanOf<MemberTexts['courses']> => ({
  kind: 'group',
  label,
  fields: {
    text: longText('Abertura', 'Apresenta os itens. Sem itens, diz o que vem aí.'),
    items: {
      kind: 'list',
      label: 'Itens',
      noun,
      blank: () => ({ ...emptyTitledText(), url: '' }),
      item: {
        kind: 'group',
        label: noun,
        fields: { ...titledFields(), url: text('Endereço', { tidy: tidyLink }) },
      },
    },
  },
});

export const member: PlanOf<MemberTexts> = {
  kind: 'group',
  label: sections.member.label,
  fields: {
    lead: longText('Abertura'),
    courses: shelf('Cursos', 'curso'),
    links: shelf('Links úteis', 'link'),
  },
};

export const privacy: PlanOf<PrivacyTexts> = {
  kind: 'group',
  label: sections.privacy.label,
  fields: {
    description,
    lead: longText('Abertura'),
    updated: text('Data da última mudança', { input: 'date', hint: 'Mude quando mudar o que está abaixo.' }),
    sections: {
      kind: 'list',
      label: 'O que a clínica acrescenta',
      hint: 'O que o site guarda já está na página, e muda só com o programa.',
      noun: 'seção',
      feminine: true,
      blank: () => ({ title: '', blocks: [] }),
      item: {
        kind: 'group',
        label: 'Seção',
        fields: { title: text('Título'), blocks: { kind: 'blocks', label: 'Texto' } },
      },
    },
  },
};
