import type { SectionName, SiteContent } from '#contract/site/content.ts';

type About = {
  label: string;
  /** What the section contains. */
  hint: string;
  /** The page that shows the section. */
  page: string;
  /** The words to which the preview scrolls first; absent if the section starts at the top of the page. */
  startsAt?: (content: SiteContent) => string;
};

/** The sections of the site in the order of the editor. */
export const sections: Record<SectionName, About> = {
  identity: { label: 'Identidade', hint: 'Nome, CRM, WhatsApp, endereço e redes', page: '/' },
  home: { label: 'Página inicial', hint: 'Abertura, retratos, cartões, passos e áudio', page: '/' },
  about: { label: 'A abordagem', hint: 'ACT, os seis processos e FAP', page: '/about' },
  practices: {
    label: 'Práticas',
    hint: 'Aberturas, necessidades, dicas e o vídeo de outro site',
    page: '/practices',
  },
  questions: {
    label: 'Perguntas',
    hint: 'As perguntas da página inicial',
    page: '/',
    startsAt: ({ home }) => home.faq.title,
  },
  member: { label: 'Página Pro', hint: 'Cursos e links úteis para quem é membro', page: '/pro' },
  diary: {
    label: 'Diário',
    hint: 'Palavras, frases de perigo e perguntas para a consulta',
    page: '/diario/novo',
  },
  arrangement: {
    label: 'Ordem das partes',
    hint: 'O que a página inicial e a abordagem mostram, e em que ordem',
    page: '/',
  },
  privacy: { label: 'Privacidade', hint: 'O que a clínica acrescenta à página', page: '/privacidade' },
};

export const sectionOrder = Object.keys(sections) as SectionName[];
