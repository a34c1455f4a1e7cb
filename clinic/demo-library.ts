import type { ActivityInput } from '#contract/activity.ts';
import type { Axis } from '#contract/axes.ts';
import type { NightNeed } from '#contract/practices/night.ts';

/** The URL of a video that does not exist. The id of eleven digits is valid, so the page shows a player. */
const video = (number: number) => `https://www.youtube.com/watch?v=${String(number).padStart(11, '0')}`;
const shortVideo = (number: number) => `https://youtu.be/${String(number).padStart(11, '0')}`;
/** The path of a drawing in clinic/images/demo/. */
const drawing = (name: string) => `/images/demo/${name}.svg`;
const healthMinistry = 'https://www.gov.br/saude/pt-br';

/** The lengths of practices in minutes, by title. The other practices have no length. */
const minutesOf: Record<string, number> = {
  'Um minuto com a respiração': 1,
  'Folhas no riacho': 5,
  'Percorrer o corpo': 12,
  'Cinco, quatro, três, dois, um': 3,
  'Três sons antes de dormir': 8,
  'A pausa do semáforo': 2,
  'Soltar os ombros em dois minutos': 2,
  'Uma música inteira': 4,
  'Cinco minutos de sol': 5,
  'Uma fruta, cinco sentidos': 6,
  'Ouvir por cinco minutos': 5,
  'Dez minutos de coisa inútil': 10,
};

/** The practices for the night, by title, each with the need that it serves. */
const nightOf: Record<string, NightNeed> = {
  'Três sons antes de dormir': 'sleep',
  'Cinco, quatro, três, dois, um': 'thoughts',
  'Um minuto com a respiração': 'chest',
};

/** The needs of practices (clinic/practices.ts), by title. */
const needsOf: Record<string, string> = {
  'Um minuto com a respiração': 'ansiedade panico',
  'Folhas no riacho': 'ansiedade',
  'Percorrer o corpo': 'sono dor',
  'Cinco, quatro, três, dois, um': 'ansiedade panico',
  'Estou tendo o pensamento de que…': 'ansiedade humor',
  'Abrir espaço para o que dói': 'dor humor',
  'Três sons antes de dormir': 'sono',
  'A pausa do semáforo': 'foco',
  'Uma carta para o dia difícil': 'humor',
  'Caminhar notando': 'ansiedade humor',
  'Soltar os ombros em dois minutos': 'dor foco',
  'Uma música inteira': 'humor',
  'Cinco minutos de sol': 'sono humor',
  'Começar pelo pior rascunho': 'foco',
  'A porta de saída do trabalho': 'foco sono',
  'Uma ação do tamanho de hoje': 'humor',
};

function practice(axis: Axis, title: string, url: string, paragraphs: string[], image = ''): ActivityInput {
  const content = paragraphs.join('\n\n');
  return {
    axis,
    title,
    url,
    image,
    content,
    minutes: minutesOf[title] ?? null,
    night: nightOf[title] ?? '',
    needs: needsOf[title] ?? '',
  };
}

/** The sample library of `npm run demo`: practices written for this project, in all axes. */
export const demoLibrary: ActivityInput[] = [
  practice('mind', 'Um minuto com a respiração', video(1), [
    'Para fazer sentado, em pé ou na fila do mercado. Dura um minuto e não precisa de nada.',
    'Note onde o ar aparece mais: na ponta do nariz, no peito ou na barriga. Escolha um desses lugares e fique por ali.',
    'Não é preciso respirar fundo nem devagar. O ar já sabe entrar e sair; você só acompanha.',
    'Quando perceber que a cabeça foi para outro lugar, diga por dentro “pensando” e volte ao ar. Voltar é a prática, não o erro.',
    'Antes de seguir o dia, note como o corpo está agora. Pode estar igual, e tudo bem.',
  ]),
  practice(
    'mind',
    'Folhas no riacho',
    video(2),
    [
      'Esta é uma prática de desfusão: ver o pensamento como pensamento, sem precisar acreditar nele nem brigar com ele.',
      'Sente-se de um jeito confortável e imagine um riacho devagar. Na água passam folhas, uma depois da outra.',
      'Cada pensamento que vier, coloque em uma folha. Os bonitos, os feios, os sem graça. Deixe que a água leve no ritmo dela.',
      'Se aparecer “isto não está funcionando”, esse também vai em uma folha.',
      'Às vezes o riacho para, ou você se vê dentro da água. Quando notar, volte para a margem e recomece pela próxima folha.',
      'Cinco minutos bastam. No fim, abra os olhos e diga o nome de três coisas que você vê.',
    ],
    drawing('riacho'),
  ),
  practice('mind', 'Percorrer o corpo', video(3), [
    'Deite-se ou sente-se com as costas apoiadas. Esta prática leva uns doze minutos; se hoje só houver três, faça só os pés e as mãos.',
    'Comece pelos dedos dos pés. Note calor, frio, formigamento, a meia, ou nada. Não sentir nada também é uma resposta.',
    'Suba sem pressa: peito do pé, tornozelos, pernas, joelhos, quadril. Em cada parada, só note.',
    'Passe pela barriga, pelo peito, pelas costas. Aqui a respiração costuma aparecer; deixe que ela faça companhia.',
    'Siga pelos ombros, braços e mãos, depois pescoço, mandíbula, olhos e testa.',
    'Se alguma parte incomodar demais, passe adiante ou abra os olhos. Você decide até onde ir.',
    'Termine notando o corpo inteiro de uma vez, do jeito que ele está.',
  ]),
  practice('mind', 'Cinco, quatro, três, dois, um', shortVideo(4), [
    'Para quando a cabeça acelera e você quer voltar para onde está.',
    'Olhe em volta e diga o nome de cinco coisas que você vê. Pode ser em voz baixa.',
    'Agora quatro coisas que você sente na pele: o tecido, o ar, a cadeira, o chão.',
    'Três sons, perto ou longe. Dois cheiros. Um gosto.',
    'Não é para a sensação ruim sumir. É para ela não ser a única coisa presente.',
  ]),
  practice('mind', 'Estou tendo o pensamento de que…', healthMinistry, [
    'Alguns pensamentos chegam com voz de verdade: “não vou dar conta”, “ninguém gosta de mim”.',
    'Escolha um que tem aparecido. Repita por dentro, do jeito que ele vem.',
    'Agora repita com estas palavras na frente: “estou tendo o pensamento de que não vou dar conta”.',
    'Depois: “estou notando que estou tendo o pensamento de que não vou dar conta”.',
    'O pensamento continua ali, só que um pouco mais longe. Com essa distância, pergunte: o que eu faria agora se ele não precisasse ir embora primeiro?',
  ]),
  practice(
    'mind',
    'Abrir espaço para o que dói',
    video(6),
    [
      'Aceitar não é gostar nem desistir. É parar de gastar força empurrando o que já está aqui.',
      'Note onde a emoção aparece no corpo: garganta, peito, barriga. Que tamanho ela tem? Tem borda? Muda de lugar?',
      'Respire como se o ar fosse até a volta dela. Não para desmanchar, só para abrir um pouco de espaço.',
      'Se ajudar, ponha a mão ali, com o cuidado que você teria com alguém querido.',
      'Fique por três respirações, ou por quanto couber. Depois olhe em volta e escolha o próximo gesto do dia.',
      'Se a emoção crescer demais, abra os olhos, sinta os pés no chão e pare. Conte na próxima consulta.',
    ],
    drawing('janela'),
  ),
  practice('mind', 'Três sons antes de dormir', video(7), [
    'Já na cama, com a luz apagada, procure o som mais distante que alcança. Fique um pouco com ele.',
    'Depois um som do meio: a casa, a rua, um ventilador.',
    'Depois o mais próximo: a sua respiração, o lençol.',
    'Faça o caminho de volta. Se o sono vier no meio, não precisa terminar.',
    'Se ele não vier, o corpo ainda está descansando. Se isso se repetir por muitas noites, conte na consulta.',
  ]),
  practice('mind', 'Quem está notando?', healthMinistry, [
    'Pense em você aos sete anos, aos quinze e hoje. Mudou o corpo, mudaram os gostos, os medos, as certezas.',
    'E, ainda assim, é você quem viu tudo isso. Há em você um lugar de onde se olha.',
    'Note um pensamento de agora. Note que você o notou. Faça o mesmo com um som e com uma sensação.',
    'Os três passam. Quem nota continua aqui, como o céu por trás do tempo que faz.',
    'Quando um dia difícil disser “você é isto”, lembre que você também é quem está vendo o dia.',
  ]),
  practice('mind', 'A pausa do semáforo', shortVideo(9), [
    'Escolha uma coisa que se repete no seu dia: o sinal fechado, a chaleira, o elevador.',
    'Cada vez que ela acontecer, pare por uma respiração. Solte os ombros, se estiverem altos.',
    'Pergunte: onde estou? O que sinto? O que importa na próxima meia hora?',
    'Não precisa responder bem. Perguntar já muda a direção do olhar.',
  ]),
  practice('mind', 'Uma carta para o dia difícil', healthMinistry, [
    'Faça esta em um dia comum. Ela é para guardar.',
    'Escreva para você mesmo, no dia em que estiver pesado: o que costuma ajudar um pouco, quem pode ser chamado, do que você não quer se esquecer.',
    'Inclua coisas pequenas: tomar água, abrir a cortina, mandar uma mensagem curta a alguém.',
    'Anote também os telefones: CVV 188, a qualquer hora e de graça; SAMU 192, se houver risco imediato.',
    'Guarde onde a mão alcança. Se quiser, leve para a consulta e leia junto.',
  ]),

  practice(
    'move',
    'Caminhar notando',
    video(11),
    [
      'Pode ser na rua, no quintal ou no corredor. Dez passos já servem.',
      'Fique em pé e note o peso nos dois pés. Depois passe o peso para um deles, e o outro fica livre.',
      'Dê um passo devagar: o calcanhar, a planta, os dedos. Agora o outro.',
      'Quando a cabeça for embora, o próximo passo é um bom lugar para voltar.',
      'No fim, pare e note o corpo de pé. Agradeça às pernas, se fizer sentido para você.',
    ],
    drawing('caminho'),
  ),
  practice('move', 'Soltar os ombros em dois minutos', shortVideo(12), [
    'Sente-se na ponta da cadeira, com os dois pés no chão.',
    'Inspire e leve os ombros em direção às orelhas. Segure um instante. Solte o ar e deixe que caiam. Três vezes.',
    'Gire um ombro para trás, depois o outro, do tamanho que for confortável.',
    'Incline a cabeça para um lado e espere duas respirações. Depois para o outro.',
    'Se doer, faça menor ou pare. O movimento é seu.',
  ]),
  practice('move', 'Uma música inteira', healthMinistry, [
    'Escolha uma música que você conhece. Ponha para tocar em um lugar onde ninguém precise ver.',
    'Comece só com as mãos. Depois os braços, os ombros, o quadril, como vier.',
    'Não é para ficar bonito. Note o que o corpo quer fazer quando ninguém está avaliando.',
    'Se vier vergonha, ela pode dançar junto.',
    'Quando a música acabar, fique parado por três respirações e note o que mudou, se algo mudou.',
  ]),
  practice('move', 'Espreguiçar como um gato', video(14), [
    'Ainda na cama, antes do celular.',
    'Estique um braço até onde ele gosta de ir, depois o outro. Abra os dedos.',
    'Estique as pernas, aponte os pés, solte. Vire para um lado, espere, vire para o outro.',
    'Boceje, se o bocejo vier.',
    'Levante quando o corpo avisar. Se for em partes, que seja: sentar já é um começo.',
  ]),
  practice('move', 'Subir a escada com atenção', healthMinistry, [
    'Escolha uma escada do seu dia. Um lance só.',
    'Antes do primeiro degrau, note a respiração como ela está.',
    'Suba no seu ritmo, com a mão no corrimão se quiser. Note as coxas, o peso, o ar.',
    'Lá em cima, espere a respiração voltar antes de continuar. Esse minuto faz parte.',
    'Se você tem alguma condição de saúde ou está voltando a se mexer, combine antes com quem cuida de você.',
  ]),
  practice('move', 'Cinco minutos de sol', video(16), [
    'De manhã ou no fim da tarde, vá até uma janela, uma porta ou a calçada.',
    'Note a luz na pele, mesmo em dia nublado. Note o ar, a temperatura, os sons da rua.',
    'Mexa os pés, gire os punhos, olhe longe.',
    'Se sair de casa é difícil hoje, a janela aberta já é metade do caminho.',
    'Faça de novo amanhã, no mesmo horário. O corpo gosta de saber quando.',
  ]),

  practice(
    'nutri',
    'O primeiro gole',
    video(17),
    [
      'Um café, um chá ou um copo de água. Só o primeiro gole tem regra; o resto é seu.',
      'Segure a xícara e note o calor ou o frio nas mãos. Veja a cor, o vapor, o brilho.',
      'Aproxime do rosto e sinta o cheiro antes de beber.',
      'Tome um gole pequeno. Note a temperatura, o gosto, o caminho até a garganta.',
      'Espere uma respiração antes do segundo.',
    ],
    drawing('xicara'),
  ),
  practice('nutri', 'Fome de quê?', healthMinistry, [
    'Antes de abrir a geladeira, uma pergunta sem cobrança: que fome é esta?',
    'Pode ser fome do corpo, que vem devagar e aceita várias comidas. Pode ser sede, cansaço, tédio, saudade.',
    'Note onde ela mora: no estômago, na boca, no peito.',
    'Se for do corpo, coma. Se for outra, veja se dá para oferecer a ela o que pede. E, se ainda assim quiser comer, coma com presença.',
    'Não há resposta errada. A prática é perguntar.',
  ]),
  practice('nutri', 'Metade do prato em silêncio', video(19), [
    'Escolha uma refeição desta semana. Deixe o celular em outro cômodo, só até a metade do prato.',
    'Olhe para a comida antes de começar. De onde ela veio? Quem cozinhou?',
    'Coma a primeira metade notando: o que é crocante, o que é macio, quando muda o gosto.',
    'Na metade, pare por um instante e pergunte ao corpo como ele está.',
    'Depois continue como quiser, com conversa, música ou silêncio.',
  ]),
  practice('nutri', 'Uma fruta, cinco sentidos', shortVideo(20), [
    'Pegue uma fruta que você tenha em casa. Uma banana serve muito bem.',
    'Olhe como se nunca tivesse visto uma: a cor, as marcas, a forma.',
    'Passe os dedos pela casca. Ouça o som de abrir.',
    'Sinta o cheiro. Morda um pedaço pequeno e espere antes de mastigar.',
    'Note como o gosto muda. Quando quiser, engula e note o caminho.',
  ]),
  practice('nutri', 'Cozinhar uma coisa só', healthMinistry, [
    'Em semana difícil, cozinhar inteiro pode ser demais. Escolha uma coisa: um arroz, um ovo, uma sopa.',
    'Separe tudo antes de acender o fogo. Isso também é parte da prática.',
    'Enquanto cozinha, note os sons e os cheiros. Quando a cabeça for longe, volte para a panela.',
    'Sirva em um prato de que você gosta, mesmo que seja só para você.',
    'Se sobrar, congele uma porção para o dia em que não der.',
  ]),
  practice('nutri', 'A regra que você herdou', video(22), [
    'Quase todo mundo carrega frases sobre comida: “tem que limpar o prato”, “isso engorda”, “eu não mereço”.',
    'Escolha uma que ainda fala com você. De quem era essa voz?',
    'Escreva a frase em um papel. Abaixo, escreva o que você gostaria de dizer a uma criança no lugar dela.',
    'Você não precisa obedecer nem discutir com a regra antiga. Pode só notar quando ela fala.',
    'Se comida é um assunto que dói, não faça esta sozinho: leve para a consulta.',
  ]),

  practice(
    'values',
    'Uma ação do tamanho de hoje',
    healthMinistry,
    [
      'Valor não é meta. Meta se cumpre e acaba; valor é uma direção, como o norte.',
      'Pense em alguém ou em algo que importa para você. Pode ser uma pessoa, um bicho, um trabalho, um canto da casa.',
      'Qual é a menor coisa, de cinco minutos, que você poderia fazer hoje nessa direção? Ligar, escrever, regar, arrumar, sair para andar.',
      'Diga quando e onde vai ser. “Depois do almoço, na varanda.”',
      'Faça levando junto o que estiver sentindo. Não é preciso esperar a vontade chegar.',
    ],
    drawing('mesa'),
  ),
  practice('family', 'Ouvir por cinco minutos', video(24), [
    'Escolha alguém de casa, ou alguém que é como se fosse.',
    'Pergunte como foi o dia e ouça por cinco minutos, sem aconselhar e sem contar o seu.',
    'Quando vier a vontade de responder, note a vontade e volte a ouvir.',
    'No fim, diga com as suas palavras o que entendeu. “Parece que foi cansativo.”',
    'Agradeça por terem contado.',
  ]),
  practice('family', 'O recado que ficou por dizer', healthMinistry, [
    'Há um obrigado, um desculpa ou uma saudade que você vem adiando?',
    'Escreva o recado inteiro, sem mandar. Deixe sair torto.',
    'Leia e sublinhe a parte que é mais verdadeira. Costuma ser curta.',
    'Se fizer sentido para você, mande só essa parte. Se não fizer, guarde; ter escrito já é um gesto.',
    'Se a relação machuca, converse antes na consulta. Aproximar-se nem sempre é o cuidado certo.',
  ]),
  practice('family', 'Um pedido claro', shortVideo(26), [
    'Pedir é difícil quando a gente acha que o outro já devia saber.',
    'Pense em uma ajuda concreta de que você precisa nesta semana.',
    'Monte a frase: o que é, quando é, e por que importa. “Você pode ficar com as crianças na quinta, das sete às oito? Quero voltar a caminhar.”',
    'Diga. Note o que o corpo sente enquanto espera.',
    'A outra pessoa pode dizer não. O seu passo foi pedir.',
  ]),
  practice('career', 'Começar pelo pior rascunho', healthMinistry, [
    'Escolha a tarefa que você vem rodeando. Ponha dez minutos no relógio.',
    'Faça a pior versão dela de propósito: três linhas, uma lista, um desenho torto.',
    'Quando o pensamento disser que está ruim, responda “isso, era o combinado” e continue.',
    'Quando o relógio tocar, pare. Anote qual é o próximo pedaço, e só.',
    'Amanhã você não começa do zero: começa do torto.',
  ]),
  practice('career', 'A porta de saída do trabalho', video(28), [
    'Crie um gesto que marca o fim do expediente, em casa ou fora dela: fechar o caderno, lavar o rosto, trocar a camisa.',
    'Antes do gesto, escreva a primeira coisa de amanhã. Assim ela não precisa morar na cabeça.',
    'Faça o gesto devagar. Três respirações.',
    'Se um assunto do trabalho voltar à noite, agradeça o aviso e diga: está anotado.',
  ]),
  practice('fun', 'Dez minutos de coisa inútil', shortVideo(29), [
    'Desenhar mal, montar um quebra-cabeça, tocar duas notas, olhar nuvem. Algo sem resultado.',
    'Marque dez minutos e avise quem mora com você, se precisar.',
    'Se a culpa aparecer, dê a ela uma cadeira. Ela pode assistir.',
    'No fim, não avalie. Só note se o tempo passou diferente.',
  ]),
  practice('fun', 'Voltar a um gosto antigo', healthMinistry, [
    'Do que você gostava aos dez anos? De que cheiro, de que jogo, de que lugar?',
    'Escolha um e pense na menor forma de encontrá-lo nesta semana: uma música, um doce, uma volta de bicicleta, um gibi.',
    'Chame alguém, se quiser companhia.',
    'Pode não ter a graça de antes. Vá com curiosidade, não com cobrança.',
    'Depois conte para alguém como foi.',
  ]),
];
