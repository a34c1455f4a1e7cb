/*
 * The pages had these texts before a clinic could change them. They are the defaults for content from that
 * time. Scripts contain these defaults, but must not contain a text of the sample content (build.test.ts), so
 * the sample content uses other words.
 */

export const earlierResources = [
  {
    title: 'Práticas guiadas',
    text: 'Atenção plena, respiração e descanso, em vídeos e textos curtos',
    url: '/practices',
  },
  {
    title: 'O que são ACT e FAP',
    text: 'Uma leitura sem jargão, com seis exercícios de um minuto',
    url: '/about',
  },
  {
    title: 'O que é o CAPS e como chegar',
    text: 'Cuidado em saúde mental pelo SUS, perto de casa. Página do Ministério da Saúde',
    url: 'https://www.gov.br/saude/pt-br/composicao/saes/desmad/raps/caps',
  },
];

export const earlierTexts = {
  approachLink: 'Conheça os seis processos da ACT',
  questionsLead: 'Não achou a sua dúvida?',
  questionsLink: 'Escreva para nós',
  aboutTitle: 'A abordagem',
  tipsTitle: 'Como aproveitar uma prática',
  tipsLead: 'Seis lembretes simples para antes de começar.',
};
