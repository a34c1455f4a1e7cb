import type { SiteContent } from '#contract/site/content.ts';
import { texts } from './texts.ts';

/*
 * The clinic of `npm run demo`. It does not exist: CRM, RQE and phone number are not assigned, the city is
 * invented, and the domains are reserved (RFC 2606).
 */

const notice = 'Demonstração: esta clínica não existe.';

/** The sample content with the data of a fictitious clinic. It can be published without a warning. */
export const demoContent: SiteContent = {
  ...texts,
  identity: {
    shortName: 'Aurora Jatobá',
    doctorName: 'Dra. Aurora Jatobá',
    profession: 'Médica',
    specialties: [{ name: 'psiquiatra', rqe: 'RQE 9999999' }],
    crm: 'CRM-MG 9999999',
    email: 'contato@clinica.example',
    whatsapp: '5532900000000',
    bookingText: 'Olá! Gostaria de agendar uma consulta. Quais horários estão disponíveis?',
    places: 'Consultório em Serra Clara, MG, e telemedicina',
    address: [notice, 'Rua das Paineiras, 120, sala 4', 'Jardim do Lago, Serra Clara, MG'],
    hours: '',
    schedule: {
      timeZone: 'America/Sao_Paulo',
      days: [
        { weekdays: ['mon', 'tue', 'wed', 'thu'], opens: '09:00', closes: '19:00' },
        { weekdays: ['fri'], opens: '09:00', closes: '13:00' },
      ],
      closed: [],
    },
    social: [
      { network: 'Instagram', url: 'https://instagram.example/aurorajatoba' },
      { network: 'YouTube', url: 'https://youtube.example/aurorajatoba' },
      { network: 'LinkedIn', url: 'https://linkedin.example/aurorajatoba' },
    ],
    privacyContact: { name: 'Caio Ipê', email: 'privacidade@clinica.example' },
  },
  home: {
    ...texts.home,
    title: 'Psiquiatria com ACT e FAP em Serra Clara',
    description:
      'Demonstração do Acolhe. Psiquiatria para adultos com ACT e FAP, em Serra Clara e por telemedicina: uma clínica que não existe.',
    hero: {
      ...texts.home.hero,
      lines: ['Um lugar calmo para pensar.', 'Um passo de cada vez.'],
      lead: 'Sou médica psiquiatra em Serra Clara. Atendo adultos com ACT e FAP: a gente olha com calma para o que pesa e escolhe, junto, um passo na direção do que importa.',
      note: `${notice} O WhatsApp não pertence a ninguém, e nenhuma mensagem chega.`,
      facts: ['Adultos', 'Atendimento particular', 'Recibo para reembolso', 'Em Serra Clara ou por vídeo'],
      portrait: {
        ...texts.home.hero.portrait,
        alt: 'Ilustração: a poltrona do consultório ao lado da janela, com uma planta',
      },
    },
    about: {
      ...texts.home.about,
      portrait: {
        ...texts.home.about.portrait,
        alt: 'Ilustração: a mesa do consultório com duas cadeiras, duas xícaras e uma flor',
      },
    },
    doctor: {
      photo: texts.home.doctor.photo,
      training: [
        { name: 'Medicina, faculdade de uma cidade que não existe', years: '2004 a 2009' },
        { name: 'Residência em psiquiatria, hospital desta demonstração', years: '2010 a 2012' },
        { name: 'Formação em ACT e FAP', years: '2015' },
      ],
      way: [
        'Escuto primeiro. Só depois conversamos sobre o que pode ajudar: às vezes um remédio, às vezes uma prática, quase sempre um passo pequeno.',
        'Combinamos juntos como seguir, e você sai da consulta sabendo o porquê de cada coisa.',
      ],
      treats: [
        'Ansiedade que não passa',
        'Crises de pânico',
        'Tristeza e falta de vontade',
        'Sono ruim',
        'Luto e mudanças difíceis',
        'Atenção e impulsividade no adulto',
      ],
    },
    fees: {
      ...texts.home.fees,
      title: 'Valores e convênio',
      prices: [
        { name: 'Primeira consulta', duration: '1 hora', price: 'R$ 400' },
        { name: 'Retorno', duration: '40 minutos', price: 'R$ 300' },
      ],
      paragraphs: ['O atendimento desta demonstração seria particular, com o valor informado antes.'],
    },
    contact: {
      ...texts.home.contact,
      title: 'Vamos marcar uma conversa?',
      access: ['Entrada sem degraus', 'Elevador até a sala', 'Banheiro adaptado'],
    },
  },
  member: {
    lead: `Este espaço é seu, para usar no seu tempo. ${notice}`,
    courses: {
      text: 'Cursos curtos, para fazer em casa, entre uma consulta e outra.',
      items: [
        {
          title: 'Dormir melhor, sem brigar com o sono',
          text: 'Quatro encontros em vídeo sobre rotina, luz e o que fazer quando o sono não vem.',
          url: 'https://cursos.clinica.example/sono',
        },
        {
          title: 'Primeiros passos na ACT',
          text: 'Seis aulas de dez minutos, uma para cada processo da flexibilidade psicológica.',
          url: 'https://cursos.clinica.example/act',
        },
        {
          title: 'Conversas difíceis',
          text: 'Como pedir, discordar e dizer não, com exemplos da vida de todo dia.',
          url: 'https://cursos.clinica.example/conversas',
        },
      ],
    },
    links: {
      ...texts.member.links,
      items: [
        ...texts.member.links.items,
        {
          title: 'Ministério da Saúde',
          text: 'Orientações e serviços do SUS, também os de saúde mental.',
          url: 'https://www.gov.br/saude/pt-br',
        },
      ],
    },
  },
  practices: {
    ...texts.practices,
    externalVideo: {
      title: 'Para conhecer mais sobre atenção plena',
      text: 'Nesta demonstração o vídeo não existe: o endereço abre o YouTube sem nada para ver.',
      url: 'https://www.youtube.com/watch?v=00000000000',
    },
  },
  privacy: {
    ...texts.privacy,
    lead: `${notice} Saúde é assunto delicado: uma clínica de verdade conta aqui o que guarda, e você decide.`,
    sections: [
      {
        title: 'Esta demonstração',
        blocks: [
          'Não escreva dados de pessoas reais aqui. O que você escrever fica só no computador em que a demonstração roda:',
          [
            'as contas, as práticas e as mudanças no site desaparecem quando ela termina;',
            'nenhum e-mail sai;',
            'o CRM, o RQE, o telefone e os endereços são inventados.',
          ],
        ],
      },
      ...texts.privacy.sections,
    ],
  },
  // The demo shows the editor of a clinic that has read all its texts.
  arrangement: {
    ...texts.arrangement,
    confirmed: [
      ...Object.keys(texts.home).map((part) => `home.${part}`),
      ...Object.keys(texts.about).map((part) => `about.${part}`),
      ...['identity', 'practices', 'questions', 'member', 'privacy', 'diary'],
    ],
  },
};
