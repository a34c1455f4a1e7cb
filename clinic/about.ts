import type { AboutTexts } from '#contract/site/about.ts';

export const about: AboutTexts = {
  pageTitle: 'A abordagem',
  description:
    'ACT e FAP explicadas sem jargão: os seis processos da flexibilidade psicológica e a relação terapêutica como caminho de mudança.',
  title: 'Menos luta com o que se sente, mais espaço para viver',
  lead: 'Trabalho com duas abordagens que conversam bem: a ACT, que cuida da sua relação com o que passa por dentro, e a FAP, que cuida do que acontece entre as pessoas.',
  act: {
    title: 'ACT: Terapia de Aceitação e Compromisso',
    goal: 'flexibilidade psicológica',
    paragraphs: [
      'A ACT nasceu nos anos 1980, com Steven Hayes e colegas. Ela parte de uma observação simples: sentir dor faz parte da vida, e boa parte do sofrimento cresce na luta para não sentir.',
      'O objetivo não é eliminar pensamentos ou emoções. É a flexibilidade psicológica: notar o que está presente, abrir espaço para isso e escolher um passo que combine com o que você valoriza.',
      'Seis processos cuidam dela. Não são uma sequência: cada um ajuda os outros, e começamos por onde fizer sentido. Toque em uma pétala.',
    ],
  },
  processes: [
    {
      id: 'presente',
      name: 'Contato com o momento presente',
      label: 'momento presente',
      opposite: 'viver no piloto automático, preso no que já foi ou no que ainda não veio',
      theory: '',
      text: [
        'É voltar a atenção para o que está acontecendo agora, dentro e fora de você, com curiosidade e sem pressa de julgar. A cabeça vai passear muitas vezes, e voltar faz parte.',
      ],
      exercise: [
        'Sinta os pés no chão por três respirações.',
        'Nomeie, em silêncio, três coisas que você vê, duas que ouve e uma que toca a sua pele.',
        'Pergunte-se: o que está aqui, agora, que eu não tinha notado?',
      ],
    },
    {
      id: 'valores',
      name: 'Valores',
      label: 'valores',
      opposite: 'agir só para escapar do desconforto ou para agradar',
      theory: '',
      text: [
        'Valores são as qualidades que você quer dar aos seus atos: ser presente com quem ama, ser justa, aprender, cuidar. Não são metas que se cumprem e acabam. São uma direção, como o norte de uma bússola.',
      ],
      exercise: [
        'Lembre de um momento deste mês em que você se sentiu inteira ou inteiro.',
        'O que você estava fazendo, e com quem?',
        'Escreva uma palavra para a qualidade que havia ali.',
      ],
    },
    {
      id: 'acao',
      name: 'Ação comprometida',
      label: 'ação comprometida',
      opposite: 'adiar, evitar ou desistir quando o desconforto chega',
      theory: '',
      text: [
        'É dar passos concretos na direção dos seus valores, levando junto o medo e a dúvida, se eles vierem. Passos pequenos contam. Quando um não dá certo, a gente ajusta e recomeça.',
      ],
      exercise: [
        'Pense em algo ou alguém que importa para você.',
        'Escolha uma ação de cinco minutos nessa direção.',
        'Decida quando e onde vai fazê-la, e conte para alguém, se quiser.',
      ],
    },
    {
      id: 'self',
      name: 'O lugar que observa',
      label: 'quem observa',
      opposite: 'confundir-se com um rótulo: “sou ansiosa”, “sou um fracasso”',
      theory: 'Self como contexto',
      text: [
        'Você não é só aquilo que pensa ou sente. Há em você um lugar que observa tudo isso mudar: as emoções passam, as histórias mudam, e quem percebe continua ali. É como o céu, e não como o tempo que faz nele.',
      ],
      exercise: [
        'Note um pensamento que está aí. Depois, note que você o notou.',
        'Lembre de você há dez anos: outros pensamentos, outros medos, e a mesma pessoa olhando.',
        'Descanse um instante nesse lugar que observa.',
      ],
    },
    {
      id: 'desfusao',
      name: 'Distância dos pensamentos',
      label: 'distância dos pensamentos',
      opposite: 'tomar cada pensamento como um fato ou uma ordem',
      theory: 'Desfusão cognitiva; o contrário é a fusão cognitiva',
      text: [
        'É aprender a ver um pensamento como um pensamento: palavras e imagens que a mente produz, e não ordens nem verdades. Não é preciso discutir com ele. Dá para deixá-lo passar e escolher o que fazer.',
      ],
      exercise: [
        'Pegue um pensamento que incomoda.',
        'Diga em silêncio: “estou tendo o pensamento de que…”, e complete.',
        'Repita devagar e note se muda um pouco a distância entre vocês.',
      ],
    },
    {
      id: 'aceitacao',
      name: 'Aceitação',
      label: 'aceitação',
      opposite: 'gastar a vida fugindo do que se sente',
      theory: 'Aceitação; o contrário é a esquiva experiencial',
      text: [
        'Aceitar é abrir espaço para as sensações e emoções que já estão aqui, sem lutar com elas e sem fugir. Não é gostar, nem se conformar com uma situação ruim: é parar de brigar com o que se sente, para poder mudar o que dá para mudar.',
      ],
      exercise: [
        'Note onde, no corpo, mora um desconforto pequeno.',
        'Respire como se o ar fizesse espaço em volta dele, sem empurrar.',
        'Diga: “posso deixar isso aqui, por um instante”. Pare se ficar forte demais.',
      ],
    },
  ],
  fap: {
    title: 'FAP: o que acontece entre nós também é cuidado',
    paragraphs: [
      'A FAP, Psicoterapia Analítica Funcional, foi criada nos anos 1980 por Robert Kohlenberg e Mavis Tsai, na Universidade de Washington. Nela, a relação terapêutica é o meio da mudança.',
      'O jeito como você pede, discorda, confia ou se afasta costuma aparecer também na consulta. Ali, com respeito e sem pressa, dá para notar isso e experimentar algo novo, que depois vai com você para a vida.',
    ],
    behavioursLead:
      'O que aparece na consulta e tem a ver com o que trouxe você até aqui a FAP chama de comportamento clinicamente relevante, ou CCR. São três tipos:',
    behaviours: [
      {
        title: 'CCR1: a dificuldade',
        text: 'O que traz dificuldade e aparece na consulta. Por exemplo, dizer que está tudo bem quando não está.',
      },
      {
        title: 'CCR2: a melhora',
        text: 'A melhora que acontece ali mesmo. Por exemplo, arriscar um “hoje não concordei com você”.',
      },
      {
        title: 'CCR3: a sua leitura',
        text: 'A sua própria leitura do que aconteceu: “quando fico com medo de incomodar, eu me calo”.',
      },
    ],
    rulesTitle: 'As cinco regras que me guiam',
    rules: [
      { title: 'Observar', text: 'Ficar atenta ao que aparece entre nós, e não só ao que é contado.' },
      { title: 'Evocar', text: 'Criar um espaço em que o que é difícil possa aparecer com segurança.' },
      {
        title: 'Reforçar',
        text: 'Responder de um jeito verdadeiro ao passo novo, para que ele valha a pena.',
      },
      {
        title: 'Observar o próprio efeito',
        text: 'Notar se a minha resposta ajudou, e mudar se não ajudou.',
      },
      { title: 'Generalizar', text: 'Pensar com você como levar isso para casa, o trabalho e as amizades.' },
    ],
  },
  together: {
    title: 'E o remédio, onde entra?',
    paragraphs: [
      'Sou médica. Avalio também o corpo, o sono, os exames e os remédios que você usa. Quando um remédio pode ajudar, explico para que serve, o que esperar e quando vamos rever. Quando não é necessário, digo também.',
      'Nenhuma abordagem serve para todo mundo, e não dá para prometer resultado. O que posso oferecer é uma conversa cuidadosa, com um plano que a gente revê junto.',
    ],
  },
};
