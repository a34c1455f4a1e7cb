import type { PracticesTexts } from '#contract/site/content.ts';

export const practices: PracticesTexts = {
  description:
    'Práticas guiadas de atenção plena, respiração e descanso para apoiar o tratamento no dia a dia.',
  leads: {
    all: 'Exercícios curtos para a mente, o corpo, a mesa e o que importa. Escolha um que caiba no seu dia.',
    mind: 'Exercícios curtos de atenção plena, respiração e descanso. Escolha um, do tamanho do tempo que você tem hoje.',
    move: 'Movimentos pequenos, em casa, na rua ou na cadeira. Escolha um, do tamanho que o seu corpo aceita hoje.',
    nutri:
      'Jeitos simples de estar presente com a comida, sem dieta e sem cobrança. Escolha um para a próxima refeição.',
    values:
      'Passos curtos na direção do que importa: família, carreira, lazer. Escolha um que caiba no dia de hoje.',
  },
  needs: [
    { id: 'sono', name: 'Sono' },
    { id: 'ansiedade', name: 'Ansiedade' },
    { id: 'panico', name: 'Pânico' },
    { id: 'foco', name: 'Foco' },
    { id: 'humor', name: 'Humor' },
    { id: 'dor', name: 'Dor' },
  ],
  note: 'As práticas apoiam o tratamento, mas não o substituem, nem substituem nenhum remédio. Se uma delas trouxer desconforto forte, pare e conte na próxima consulta.',
  tipsTitle: 'Para aproveitar uma prática',
  tipsLead: 'Seis lembretes curtos para antes de começar.',
  tips: [
    {
      title: 'Escolha um lugar possível',
      text: 'Não precisa de silêncio. Um canto onde ninguém vai chamar você por alguns minutos já serve.',
    },
    { title: 'Comece pequeno', text: 'Um minuto feito vale mais que vinte adiados.' },
    {
      title: 'Deixe o corpo confortável',
      text: 'Sentado, deitado ou em pé, de olhos abertos ou fechados. Mude de posição se doer.',
    },
    {
      title: 'A cabeça vai passear',
      text: 'Isso não é errar. Perceber que ela foi, e voltar, é a própria prática.',
    },
    {
      title: 'Não procure um resultado',
      text: 'Às vezes acalma, às vezes não. A ideia é estar presente com o que houver.',
    },
    {
      title: 'Pare quando precisar',
      text: 'Se vier um desconforto forte, abra os olhos, sinta os pés no chão e interrompa. Conte na próxima consulta.',
    },
  ],
  externalVideo: {
    title: 'Para conhecer mais sobre atenção plena',
    text: 'Um vídeo escolhido por nós, no YouTube. Abre em outra aba.',
    url: 'https://www.youtube.com/',
  },
  countsUse: true,
};
