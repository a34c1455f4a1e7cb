import { limits } from '#contract/limits.ts';
import type { HomeTexts } from '#contract/site/content.ts';
import type { OptionalPicture, Portrait } from '#contract/site/fields.ts';
import { isSampleAlt } from '#contract/site/sample-values.ts';
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
import { tidyLink, tidyPrice } from './tidy.ts';

/** Removes the old picture's dark version, and the description if it describes a sample picture. */
function withoutOld({ dark, alt, ...portrait }: Portrait): Portrait {
  // If the old picture is a sample, but its dark version is a file that the clinic has uploaded, the dark
  // version is newer than the picture: keep it.
  const isNewer = portrait.file.startsWith('/images/') && dark?.startsWith('/files/');
  return { ...portrait, ...(isNewer && { dark }), alt: isSampleAlt(alt) ? '' : alt };
}

const altHint = 'Para quem não a vê. Diga o que se vê: “A médica sorri, sentada, de blusa verde”.';

const portrait = (label: string, folder: string): PlanOf<Portrait> => ({
  kind: 'group',
  label,
  fields: {
    file: { kind: 'file', file: 'image', folder, label: 'Imagem', withoutOld },
    dark: {
      kind: 'file',
      file: 'image',
      folder,
      optional: true,
      label: 'Imagem para o modo escuro',
      hint: 'Só se a outra não combina com o fundo escuro. Uma foto costuma servir nos dois.',
    },
    alt: text('Descrição da imagem', { hint: altHint }),
  },
});

const optionalPicture = (label: string): PlanOf<OptionalPicture> => ({
  kind: 'group',
  label,
  fields: {
    file: { kind: 'file', file: 'image', folder: 'site/portrait', optional: true, label: 'Imagem' },
    alt: text('Descrição da imagem', { hint: altHint }),
  },
});

const card = (label: string) => ({ kind: 'group' as const, label, fields: titledFields() });

export const home: PlanOf<HomeTexts> = {
  kind: 'group',
  label: sections.home.label,
  fields: {
    title: text('Título da página', { hint: 'Aparece na aba do navegador e nos buscadores.' }),
    description,
    hero: {
      kind: 'group',
      label: 'Abertura',
      fields: {
        lines: {
          kind: 'list',
          label: 'As duas frases grandes',
          noun: 'frase',
          feminine: true,
          item: text('Frase'),
        },
        lead: longText('Apresentação'),
        note: longText('Aviso sobre o WhatsApp'),
        facts: lines(
          'As primeiras perguntas, em poucas palavras',
          'Até cinco, uma em cada linha, até 60 letras: Adultos; Particular; Por vídeo. Aparecem abaixo da abertura.',
        ),
        portrait: portrait('Retrato', 'site/portrait'),
      },
    },
    care: {
      kind: 'group',
      label: 'Como eu cuido',
      fields: {
        title: text('Título'),
        consultation: card('Cartão da consulta'),
        medicine: card('Cartão dos remédios'),
        practices: card('Cartão das práticas'),
        secrecy: card('Cartão do sigilo'),
      },
    },
    doctor: {
      kind: 'group',
      label: 'Quem atende',
      hint: 'Nome, CRM, RQE e lugar vêm da identidade. Sem textos, a seção não aparece no site, nem no menu.',
      fields: {
        photo: optionalPicture('Fotografia'),
        training: {
          kind: 'list',
          label: 'Formação',
          hint: 'Depois de uma pós-graduação sem RQE, o CFM pede as palavras NÃO ESPECIALISTA.',
          noun: 'formação',
          feminine: true,
          blank: () => ({ name: '', years: '' }),
          item: {
            kind: 'group',
            label: 'Formação',
            fields: {
              name: text('O quê e onde', { hint: 'Por exemplo Residência em psiquiatria, UFMG.' }),
              years: text('Ano ou anos', { hint: 'Por exemplo 2010 a 2013.' }),
            },
          },
        },
        way: paragraphs('Como trabalha'),
        treats: lines(
          'O que trata',
          'Um por linha, nas palavras de quem procura ajuda: Crises de pânico; Sono ruim.',
        ),
      },
    },
    about: {
      kind: 'group',
      label: 'A abordagem',
      fields: {
        title: text('Título'),
        lead: longText('Abertura'),
        paragraphs: paragraphs('Texto'),
        link: text('Texto do link para a página da abordagem'),
        portrait: portrait('Retrato de perfil', 'site/profile'),
      },
    },
    steps: {
      kind: 'group',
      label: 'A primeira consulta',
      fields: {
        title: text('Título'),
        lead: longText('Abertura'),
        items: {
          kind: 'list',
          label: 'Os passos',
          hint: `De um a ${limits.siteStepsMaxItems}.`,
          noun: 'passo',
          most: limits.siteStepsMaxItems,
          blank: emptyTitledText,
          item: { kind: 'group', label: 'Passo', fields: titledFields() },
        },
      },
    },
    fees: {
      kind: 'group',
      label: 'Valores e convênio',
      hint: 'Sem textos, a seção não aparece no site, nem no menu. O CFM não permite anunciar descontos.',
      fields: {
        title: text('Título'),
        prices: {
          kind: 'list',
          label: 'Valores',
          hint: 'Sem valores, o menu diz “Pagamento e convênio”.',
          noun: 'valor',
          blank: () => ({ name: '', duration: '', price: '' }),
          item: {
            kind: 'group',
            label: 'Valor',
            fields: {
              name: text('De quê', { hint: 'Por exemplo Primeira consulta, ou Retorno.' }),
              duration: text('Duração', { hint: 'Por exemplo 50 minutos.' }),
              price: text('Valor', { hint: 'Por exemplo R$ 450.', tidy: tidyPrice }),
            },
          },
        },
        paragraphs: paragraphs('Texto'),
        items: {
          kind: 'list',
          label: 'Itens',
          hint: 'Por exemplo Pix, reembolso (“Emitimos recibo pelo Receita Saúde”) e convênio.',
          noun: 'item',
          blank: emptyTitledText,
          item: { kind: 'group', label: 'Item', fields: titledFields() },
        },
      },
    },
    resources: {
      kind: 'group',
      label: 'Para levar com você',
      fields: {
        title: text('Título'),
        items: {
          kind: 'list',
          label: 'Links',
          hint: `Até ${limits.siteResourcesMaxItems}. Sem links, só a ajuda em uma crise aparece.`,
          noun: 'link',
          most: limits.siteResourcesMaxItems,
          blank: () => ({ ...emptyTitledText(), url: '' }),
          item: {
            kind: 'group',
            label: 'Link',
            fields: {
              ...titledFields(),
              url: text('Endereço', {
                tidy: tidyLink,
                hint: 'De outro site, ou com / para uma página deste, por exemplo /practices.',
              }),
            },
          },
        },
      },
    },
    listen: {
      kind: 'group',
      label: 'Áudio',
      fields: {
        title: text('Título'),
        text: longText('Texto'),
        audio: { kind: 'file', file: 'audio', folder: 'site/audio', label: 'Áudio' },
        reading: paragraphs('Texto para quem prefere ler'),
      },
    },
    faq: {
      kind: 'group',
      label: 'Perguntas frequentes',
      fields: {
        title: text('Título'),
        lead: text('Frase antes do link para o contato'),
        link: text('Texto do link para o contato'),
      },
    },
    newsletter: {
      kind: 'group',
      label: 'Carta',
      fields: {
        title: text('Título'),
        lead: longText('Texto'),
        consent: longText('Pedido de consentimento'),
      },
    },
    contact: {
      kind: 'group',
      label: 'Contato',
      fields: {
        title: text('Título'),
        route: text('Endereço do mapa', {
          input: 'url',
          tidy: tidyLink,
          hint: 'O link “Como chegar”: abra o consultório no Google Maps, toque em Compartilhar e copie o link.',
        }),
        access: lines(
          'Acessibilidade do consultório',
          'Um por linha: Entrada sem degraus; Banheiro adaptado.',
        ),
        photos: {
          kind: 'group',
          label: 'Fotografias da sala',
          fields: {
            first: optionalPicture('Primeira'),
            second: optionalPicture('Segunda'),
            third: optionalPicture('Terceira'),
          },
        },
      },
    },
  },
};
