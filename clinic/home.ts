import type { HomeTexts } from '#contract/site/content.ts';

export const home: HomeTexts = {
  title: 'Psiquiatria com ACT e FAP',
  description:
    'Atendimento psiquiátrico de adultos com ACT e FAP, em consultório e por telemedicina. Práticas guiadas para o dia a dia.',
  hero: {
    lines: ['Espaço para o que você sente.', 'Passos para o que importa.'],
    lead: 'Sou médica psiquiatra e atendo adultos com ACT e FAP: dar lugar aos pensamentos difíceis, sem brigar com cada um, e cuidar do que tem valor para você.',
    note: 'O WhatsApp é só para marcar o horário. A consulta não acontece por lá, e você não precisa contar o que sente na mensagem.',
    facts: ['Adultos', 'Atendimento particular', 'Recibo para reembolso', 'No consultório ou por vídeo'],
    portrait: {
      file: '/images/poltrona.svg',
      dark: '/images/poltrona-escuro.svg',
      alt: 'Ilustração: uma poltrona ao lado da janela, com uma planta',
    },
  },
  care: {
    title: 'Como eu cuido de quem me procura',
    consultation: {
      title: 'Uma consulta sem pressa',
      text: 'Na primeira vez reservo uma hora inteira, para entender a sua história e o que já foi tentado.',
    },
    medicine: {
      title: 'Remédio com conversa',
      text: 'Às vezes ele ajuda, às vezes não é necessário. Explico o porquê, os efeitos e as alternativas, e você decide comigo.',
    },
    practices: {
      title: 'Práticas para o dia a dia',
      text: 'Vídeos e textos curtos que apoiam o tratamento entre uma consulta e outra.',
    },
    secrecy: {
      title: 'O que você conta fica aqui',
      text: 'Sigilo médico no consultório e neste site. Você pode ver, corrigir e apagar seus dados quando quiser.',
    },
  },
  doctor: { photo: { alt: '' }, training: [], way: [], treats: [] },
  about: {
    title: 'Aceitar não é se conformar',
    lead: 'Passamos muito tempo tentando não sentir: adiamos, evitamos, discutimos com a cabeça. Faz sentido, e cansa.',
    paragraphs: [
      'A ACT, Terapia de Aceitação e Compromisso, propõe outro caminho: estar no presente, com o que vier, e ainda assim agir na direção do que você valoriza.',
      'A FAP, Psicoterapia Analítica Funcional, olha para a relação entre nós dois na consulta: é ali que um jeito novo de se relacionar pode começar.',
    ],
    link: 'Veja os seis processos da ACT',
    portrait: {
      file: '/images/mesa-para-dois.svg',
      dark: '/images/mesa-para-dois-escuro.svg',
      alt: 'Ilustração: uma mesa com duas cadeiras, duas xícaras e uma flor',
    },
  },
  steps: {
    title: 'Como é a primeira consulta',
    lead: 'Você não precisa preparar nada. Se quiser, anote os remédios que usa.',
    items: [
      {
        title: 'Você escreve',
        text: 'Uma mensagem curta no WhatsApp. Respondemos com os dias livres e o que mais você quiser saber.',
      },
      {
        title: 'A gente se encontra',
        text: 'No consultório ou por vídeo, por volta de uma hora. Você conta no seu ritmo.',
      },
      {
        title: 'Montamos um plano',
        text: 'Digo o que entendi e o que podemos fazer. Só seguimos com o que faz sentido para você.',
      },
      {
        title: 'E vamos ajustando',
        text: 'Nos retornos vemos o que mudou. O plano acompanha a vida, e não o contrário.',
      },
    ],
  },
  fees: {
    title: 'Pagamento e convênio',
    prices: [],
    paragraphs: [
      'O atendimento é particular. Você sabe o valor antes de marcar; se ficar dúvida, pergunte pelo WhatsApp.',
    ],
    items: [
      {
        title: 'Convênio e reembolso',
        text: 'Não atendemos por convênio. Emitimos recibo pelo Receita Saúde, para você pedir reembolso ao seu plano.',
      },
      {
        title: 'Pagamento',
        text: 'Depois da consulta, por Pix, cartão ou dinheiro.',
      },
    ],
  },
  resources: {
    title: 'Para levar com você',
    items: [
      {
        title: 'Práticas guiadas',
        text: 'Vídeos e textos curtos',
        url: '/practices',
      },
      {
        title: 'O que são ACT e FAP',
        text: 'Com seis exercícios',
        url: '/about',
      },
      {
        title: 'Encontrar um CAPS',
        text: 'Cuidado pelo SUS',
        url: 'https://www.gov.br/saude/pt-br/composicao/saes/desmad/raps/caps',
      },
    ],
  },
  listen: {
    title: 'Três minutos para chegar',
    text: 'Sons no ritmo de uma respiração lenta. Não é preciso esvaziar a mente.',
    audio: '/audio/tres-minutos.mp3',
    reading: [
      'No áudio não há voz: um som suave cresce por quatro segundos e diminui por seis, dezoito vezes. Um sino mais agudo marca o ar que entra, e um mais grave, o ar que sai.',
      'Para fazer sem som, deixe os pés encontrarem o chão e perceba o peso do corpo, sem mudar nada. Conte até quatro enquanto o ar entra e até seis enquanto ele sai, por uns três minutos.',
      'Se esse ritmo não for confortável, respire no seu. Quando a cabeça for para outro lugar, e ela vai, perceba para onde foi e volte ao ar.',
    ],
  },
  faq: {
    title: 'O que costumam me perguntar',
    lead: 'A sua dúvida não está aqui?',
    link: 'Escreva para nós',
  },
  newsletter: {
    title: 'Uma carta por mês',
    lead: 'Um texto curto e uma prática nova. Nada de propaganda.',
    consent: 'Quero receber a carta por e-mail. Posso sair quando quiser, pelo link no fim de cada uma.',
  },
  contact: {
    title: 'Quando quiser, é só escrever',
    route: '',
    access: [],
    photos: { first: { alt: '' }, second: { alt: '' }, third: { alt: '' } },
  },
};
