import type { MemberTexts, PrivacyTexts, SiteContent } from '#contract/site/content.ts';
import { sampleDiary } from '#contract/site/diary.ts';
import { about } from './about.ts';
import { home } from './home.ts';
import { identity } from './identity.ts';
import { practices } from './practices.ts';
import { questions } from './questions.ts';

/** The texts of the members' page. */
const member: MemberTexts = {
  lead: 'Este espaço é seu, para usar no seu tempo.',
  courses: {
    text: 'Aqui vão ficar cursos curtos, em vídeo e texto, sobre os temas que mais aparecem nas consultas: dormir, lidar com a ansiedade, voltar ao que importa. O primeiro está sendo preparado.',
    items: [],
  },
  links: {
    text: 'Páginas de confiança para o intervalo entre uma consulta e outra.',
    items: [
      {
        title: 'CVV, Centro de Valorização da Vida',
        text: 'Conversa por telefone, chat ou e-mail, a qualquer hora, de graça e em sigilo. O telefone é 188.',
        url: 'https://cvv.org.br/',
      },
      {
        title: 'Meu SUS Digital',
        text: 'Vacinas, exames e receitas da rede pública, no telefone ou no computador.',
        url: 'https://meususdigital.saude.gov.br/',
      },
    ],
  },
};

/**
 * What the clinic adds to the privacy page. In `blocks`, a string is a paragraph, and an array is a list.
 */
const privacy: PrivacyTexts = {
  description: 'Quais dados este site guarda, por quê, por quanto tempo, e como exercer os seus direitos.',
  lead: 'Saúde é assunto delicado. Por isso este site guarda pouco, conta o que guarda e deixa você decidir.',
  updated: '2026-11-22',
  sections: [
    {
      title: 'A consulta e o prontuário',
      blocks: [
        'O prontuário não fica neste site. Ele é guardado em sistema próprio, com sigilo médico, pelo tempo que a lei determina.',
        'Pelo WhatsApp combinamos apenas o horário. Não conte sintomas por lá: as mensagens passam pelos servidores da Meta, fora do Brasil.',
      ],
    },
    {
      title: 'Crianças e adolescentes',
      blocks: [
        'O site é feito para adultos. Dados de crianças só são tratados com o consentimento específico de um dos pais ou do responsável (LGPD, art. 14).',
      ],
    },
  ],
};

/** Which parts of the pages visitors see, and in which order. */
const arrangement: SiteContent['arrangement'] = {
  home: { order: [], hidden: [] },
  about: { order: [], hidden: [] },
  confirmed: [],
};

/** The sample content. The longer sections are in files of their own. */
export const texts: SiteContent = {
  identity,
  home,
  about,
  member,
  practices,
  privacy,
  questions,
  diary: sampleDiary,
  arrangement,
};
