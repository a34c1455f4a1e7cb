import type { Questions } from '#contract/site/content.ts';

export const questions: Questions = [
  {
    question: 'Preciso de um diagnóstico?',
    answer: [
      'Não. Muita gente chega só com a sensação de que algo não vai bem, e isso basta para começar a conversa.',
    ],
  },
  {
    question: 'Como é a primeira consulta?',
    answer: [
      'Reservo por volta de uma hora. Converso sobre o que trouxe você, a sua história, o sono, a rotina, os remédios que já usou e o que espera do tratamento.',
      'Você conta no seu ritmo. No fim digo o que entendi e combinamos juntos os próximos passos. Os retornos costumam ser mais curtos.',
    ],
  },
  {
    question: 'Vou ter que tomar remédio?',
    answer: [
      'Só se fizer sentido e se você concordar. Há situações em que o remédio é importante, e outras em que psicoterapia e mudanças na rotina vêm primeiro.',
      'Não pare nem mude um remédio por conta própria: converse comigo ou com quem receitou.',
    ],
  },
  {
    question: 'Por vídeo vale igual?',
    answer: [
      'Sim, a telemedicina é regulamentada, e a receita pode ser digital. Em alguns casos peço que a primeira consulta, ou parte do acompanhamento, seja no consultório. Se for o seu, explico o motivo.',
    ],
  },
  {
    question: 'O que eu conto é segredo?',
    answer: [
      'Sim. O sigilo médico é um dever, e o prontuário é guardado com acesso restrito. Só em situações previstas em lei, como risco grave à vida, pode ser preciso envolver outra pessoa, e sempre que possível falo com você antes.',
      'Neste site, você pode ver, corrigir e apagar os seus dados. Está tudo explicado na página de privacidade.',
    ],
  },
  {
    question: 'Você atende emergências?',
    answer: [
      'Não por aqui. Este site e o WhatsApp não são acompanhados o tempo todo.',
      'Se há risco agora, ligue 192 (SAMU) ou vá à UPA, ao pronto-socorro ou ao CAPS mais próximo. Para conversar, o CVV atende pelo 188, de graça, dia e noite.',
    ],
  },
  {
    question: 'Quanto custa? Tem convênio?',
    answer: [
      'Você sabe o valor antes de marcar. Se ficar dúvida, é só perguntar pelo WhatsApp. O atendimento é particular, e você recebe nota fiscal ou recibo para pedir reembolso, se o seu plano oferecer.',
    ],
  },
  {
    question: 'O que é a ACT?',
    answer: [
      'ACT é a Terapia de Aceitação e Compromisso, criada nos anos 1980 por Steven Hayes e colegas. Em vez de tentar eliminar pensamentos e emoções difíceis, ela ajuda a abrir espaço para eles e a agir na direção do que você valoriza.',
      'O nome disso é flexibilidade psicológica, e ela se pratica com seis processos, que você pode conhecer na página sobre a abordagem.',
    ],
  },
  {
    question: 'O que é a FAP?',
    answer: [
      'FAP é a Psicoterapia Analítica Funcional, criada nos anos 1980 por Robert Kohlenberg e Mavis Tsai, na Universidade de Washington. Nela, a própria relação entre você e quem atende é o caminho da mudança: o que aparece na consulta pode ser visto e praticado ali mesmo, de outro jeito.',
    ],
  },
  {
    question: 'E se já faço terapia?',
    answer: [
      'Pode. Psiquiatria e psicoterapia se completam. Se você autorizar, converso com quem atende você para que o cuidado ande junto.',
    ],
  },
  {
    question: 'Como são as práticas do site?',
    answer: [
      'São exercícios curtos, abertos a qualquer pessoa, de atenção plena, respiração e descanso. Você escolhe um, do tamanho do tempo que tem, e para quando quiser.',
      'Elas apoiam o tratamento, mas não substituem a consulta, a psicoterapia nem nenhum remédio.',
    ],
  },
];
