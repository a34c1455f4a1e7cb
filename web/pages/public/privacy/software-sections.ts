import { limits } from '#contract/limits.ts';
import type { PracticesTexts, PrivacyTexts } from '#contract/site/content.ts';
import type { Identity } from '#contract/site/identity.ts';

type Section = PrivacyTexts['sections'][number] & { id: string };

/** The date of the last change of the sections below. */
export const softwareSectionsUpdated = '2026-11-27';

/**
 * The sections of the privacy page about what this software stores. They change only with the software, so
 * the clinic cannot edit them.
 * @returns the sections before and after the clinic's own sections
 */
export function softwareSections(
  { email, privacyContact }: Pick<Identity, 'email' | 'privacyContact'>,
  { countsUse }: Pick<PracticesTexts, 'countsUse'>,
): { first: Section[]; last: Section[] } {
  // Content that was published before `countsUse` existed does not contain it.
  const uses = countsUse ? [usesOfPractices] : [];
  return { first: [visit, ...uses, ...account], last: [rights(privacyContact), ...security(email)] };
}

const visit: Section = {
  id: 'visita',
  title: 'Quando você só visita',
  blocks: [
    'Não usamos cookies nem propaganda, não acompanhamos a sua visita, e nenhuma página pede algo a outro site antes de você tocar em Assistir ou em um link.',
    'Como a lei exige (Marco Civil da Internet, art. 15), o servidor guarda a data, a hora e o endereço IP dos acessos, em sigilo, por seis meses. Depois esses registros são apagados.',
  ],
};

const usesOfPractices: Section = {
  id: 'praticas',
  title: 'Quando você usa uma prática',
  blocks: [
    'Para saber se as práticas servem a alguém, o site conta quantas vezes, em cada mês, cada uma foi aberta, tocada e ouvida até o fim. É só um número por prática e mês.',
    'Junto dele não fica nada sobre você: nem conta, nem cookie, nem endereço IP, nem aparelho, nem dia ou hora. Os números são arredondados, e os pequenos não aparecem nem para quem administra o site. Depois de pouco mais de um ano, os números são apagados.',
    'Como todo pedido ao servidor, este entra nos registros de acesso que a lei exige, que não dizem qual foi a prática. Contra abusos, o servidor também conta, por pouco mais de uma hora, quantos desses pedidos vêm de cada rede, sem guardar o endereço dela nem a prática.',
    'Cada visitante conta uma vez por dia. Para isso o servidor lembra, só na memória e só até a meia-noite, um código que não mostra nem a rede nem a prática. Esse código não é gravado em lugar nenhum.',
  ],
};

const account: Section[] = [
  {
    id: 'conta',
    title: 'Quando você cria uma conta',
    blocks: [
      'Guardamos só o que é preciso para você entrar e usar o site:',
      [
        'nome e e-mail, que você informa, e uma foto, se você quiser;',
        'a senha, de um jeito que nem nós conseguimos ler;',
        'se você ligar a confirmação em duas etapas, a chave do seu aplicativo e os códigos de reserva, cifrados;',
        'se você criar chaves de acesso, o nome, a parte pública e as datas de cada uma; a parte secreta nunca sai do seu aparelho;',
        'se você trocar o e-mail, o endereço antigo e o novo, por até três dias, para que a troca possa ser desfeita;',
        'o tipo da conta (paciente, membro, edição ou administração) e as datas em que ela foi criada e mudou, e o último dia em que você a usou;',
        'as sessões abertas, com a data e o navegador de cada uma, e um cookie que serve apenas para manter você conectado;',
        'outro cookie, por até um ano, para que tentativas de estranhos não bloqueiem a sua entrada neste navegador, outro, por um dia, para reconhecer este navegador quando você confirmar o seu e-mail, e outro, se você sair sem internet, para terminar a sua sessão quando a conexão voltar;',
        'se a administração convidar você, o seu e-mail, o papel e a mensagem do convite, até você aceitar ou o convite vencer, em no máximo sete dias;',
        'quem administra o site e consultou ou mudou os seus dados, e quando;',
        'se pacientes puderem mostrar o diário a você, o seu nome, o seu CRM e desde quando;',
        'se você edita ou administra o site, o que você enviou, salvou, apagou e publicou nele.',
      ],
      'Um cadastro que ninguém confirma pelo e-mail é apagado em um dia, quando o site pede essa confirmação.',
      'Se o site oferecer a entrada com o Google e você a usar, ele nos informa o seu nome, o seu e-mail e a sua foto, e fica sabendo que você entra neste site. Vale também a política de privacidade dele.',
      'A base é o contrato de uso da conta e, para dados de saúde, o seu consentimento específico ou a tutela da saúde por profissional (LGPD, arts. 7º e 11). Ter uma conta neste site pode revelar que você busca cuidado: por isso tratamos todos esses dados como sensíveis.',
    ],
  },
  {
    id: 'diario',
    title: 'O seu diário',
    blocks: [
      'Se você escrever um diário neste site, ele é seu. Em cada anotação ficam o dia e o fuso horário e, se você os escrever, as palavras, a intensidade, a nota, as práticas, um passo e a hora. Ninguém mais lê o diário, nem quem administra o site, a não ser quem você autorizar. Ninguém o acompanha em tempo real.',
      'Antes da primeira anotação, você confirma que tem 18 anos ou mais, lê como o diário é guardado e o autoriza (LGPD, art. 11, I). Ficam guardados o texto que você autorizou e a data e, quando você apaga o diário inteiro, a data em que a autorização acabou.',
      'Depois de você guardar uma anotação, o seu aparelho procura nela palavras que pesam e frases de perigo, para mostrar 188 e 192. O resultado não é guardado nem enviado, e ninguém recebe aviso.',
      'As anotações ficam cifradas no banco de dados, com uma chave só sua. O site guarda essa chave, para abrir o diário quando você entra. A cifra protege de quem obtém só o banco de dados ou uma cópia de segurança sem a chave do site; não protege de quem controla o servidor inteiro.',
      `Você baixa o diário quando quiser. Uma anotação apagada não volta. Quando você apaga o diário ou a conta, a chave é destruída primeiro. As cópias de segurança que ainda contêm o que foi apagado são apagadas em até ${limits.backupMaxDays} dias e, se uma delas for usada, o que você apagou é apagado de novo.`,
    ],
  },
  {
    id: 'diario-compartilhado',
    title: 'Quando você mostra o diário na consulta',
    blocks: [
      'Você pode autorizar alguém que atende na clínica a ler alguns dias do diário, por no máximo 90 dias, e encerrar quando quiser. Guardamos a quem, o que e até quando, e o texto da autorização que você leu, também depois que ela termina, para que se possa provar o que foi consentido. Você vê quem leu, quando e de quais dias.',
      'Quem lê vê o diário no site e não recebe uma cópia. O que essa pessoa anotar no prontuário, que não fica neste site, é guardado por 20 anos (Lei 13.787/2018), mesmo que você apague o diário.',
      'Ficam cifradas como as anotações as notas para consultas: as suas respostas, o dia e quem atende. Só você as lê, até tocar em “Mostrar na consulta”. Elas se fecham sozinhas no fim do dia seguinte ao da consulta, e você as apaga quando quiser. Ao apagar o diário inteiro, as autorizações terminam e as notas são apagadas.',
    ],
  },
  {
    id: 'semana',
    title: 'As práticas propostas para a sua semana',
    blocks: [
      'Quem atende você na clínica pode propor até três práticas, por até quatro semanas. Ficam guardados a prática, quem a propôs, a mensagem, os dias, quantas vezes por semana, o que você responde em cada dia e as semanas que você deixa de lado. A mensagem fica cifrada no banco de dados. Isso faz parte do seu cuidado de saúde (LGPD, art. 11, II, f).',
      'Quem propôs vê o que propôs. As suas respostas, só se você compartilhar as práticas do diário, e só dos dias que você escolheu: cada leitura aparece em “Quem leu”. Sem resposta não quer dizer nada, e ninguém acompanha a semana em tempo real.',
      'As propostas e as respostas vão na cópia dos seus dados, que você baixa na página da conta, e são apagadas com a conta.',
    ],
  },
  {
    id: 'lembrete',
    title: 'Quando você pede um lembrete',
    blocks: [
      'Se você ligar o lembrete por e-mail, guardamos os dias, a hora e o fuso horário que você escolheu, quando o último foi enviado e, se ele parar sozinho, o motivo. A mensagem não diz o que é este site, nem fala de práticas ou de saúde; o endereço de quem envia, que você vê antes de ligar, pode dizer.',
      'Você o desliga quando quiser, na página ou pelo link da mensagem. Depois de quatro semanas sem visita, ele para sozinho. O lembrete que você baixa para o calendário fica só no seu aparelho, ou com quem cuida do seu calendário.',
    ],
  },
  {
    id: 'aparelho',
    title: 'Quando você usa o site sem internet',
    blocks: [
      'Só se você escolher “Usar sem internet neste aparelho”, o navegador guarda nele páginas, práticas, imagens e áudios deste site, que são iguais para todas as pessoas. Eles mostram, a quem abrir o aparelho, que você usa este site. Os outros aparelhos, e quem só visita, não guardam nada disso.',
      'O que você anota no diário nesse aparelho fica nele, cifrado, até chegar ao site, e só a sua conta pode enviá-lo. Enquanto você o usa sem internet, ficam também, cifrados, o seu nome, o seu e-mail, o começo da sua sessão e os títulos das práticas que você guardou. A chave não pode ser copiada do navegador; quem abrir o aparelho desbloqueado, com a sua conta aberta, lê o que espera nele. O que já está no seu diário não fica guardado ali. Em janelas anônimas, que não guardam a chave, nada disso fica.',
      'Ao sair da sua conta, ou em “Parar e apagar deste aparelho”, tudo é apagado dele, mesmo sem internet. O navegador pode manter restos do que foi apagado no disco por algum tempo.',
    ],
  },
  {
    id: 'humor',
    title: 'O seu registro de humor',
    blocks: [
      'Se ele fizer parte do seu acompanhamento, o registro de humor fica na sua conta. Só você o vê: nem quem administra o site o abre.',
      'Ele vai inteiro na cópia dos seus dados, que você baixa na página da conta, e é apagado com a conta.',
    ],
  },
  {
    id: 'praticas-guardadas',
    title: 'As práticas que você guarda',
    blocks: [
      'Com uma conta, você pode guardar práticas em uma lista sua. Ficam nela a prática e a data em que você a guardou. Só você vê essa lista: nem quem administra o site a abre.',
      'Se você tocar em Guardar antes de ter conta, o número da prática fica só no seu navegador, até você entrar; depois de um dia, não vale mais. Com a conta aberta, as últimas seis práticas que você abriu também ficam só no navegador, e somem quando você sai.',
      'Você tira uma prática da lista quando quiser. A lista vai na cópia dos seus dados, que você baixa na página da conta, e é apagada com a conta.',
    ],
  },
  {
    id: 'carta',
    title: 'Quando você pede a carta',
    blocks: [
      'Se você pedir a nossa carta mensal, guardamos o seu e-mail e a data em que você consentiu e confirmou. Ela só começa depois que você confirma pelo link que enviamos.',
      'Toda carta traz um link para sair. Ao usá-lo, o seu e-mail é apagado da lista na hora.',
      `Não guardamos quem abriu uma carta. Se ela não chegar até você, a administração vê isso por até ${limits.deliveriesMaxDays} dias.`,
    ],
  },
  {
    id: 'terceiros',
    title: 'Vídeos e outros sites',
    blocks: [
      'Os vídeos ficam no YouTube, do Google. Nada é carregado de lá até você tocar em Assistir. A partir desse toque, o Google recebe o seu endereço IP e o endereço deste site, possivelmente fora do Brasil, e vale também a política de privacidade dele.',
      'Os links para redes sociais, WhatsApp e YouTube são simples: nenhum botão espiona a sua visita.',
      'Não vendemos nem compartilhamos os seus dados. Só quem administra o site tem acesso a eles.',
    ],
  },
  {
    id: 'tempo',
    title: 'Por quanto tempo',
    blocks: [
      `Os dados da conta ficam enquanto ela existir. Quando você pede para apagá-la, eles são apagados de verdade; as cópias de segurança que ainda os contêm são apagadas em até ${limits.backupMaxDays} dias e, se uma delas for usada, a sua conta é apagada de novo. Os registros de acesso ficam seis meses, como manda a lei.`,
    ],
  },
];

const rights = ({ name, email }: Identity['privacyContact']): Section => ({
  id: 'direitos',
  title: 'Os seus direitos',
  blocks: [
    'A LGPD (art. 18) garante, de graça:',
    [
      'saber se temos dados seus e receber uma cópia deles;',
      'corrigir o que estiver errado ou incompleto;',
      'apagar, bloquear ou anonimizar o que não for necessário;',
      'levar os seus dados para outro lugar;',
      'saber com quem foram compartilhados;',
      'retirar um consentimento, a qualquer momento, sem prejuízo para o seu atendimento;',
      'reclamar à Agência Nacional de Proteção de Dados (ANPD).',
    ],
    `Para usar qualquer um deles, escreva para ${name}, responsável pela proteção de dados: ${email}. Respondemos em até 15 dias.`,
  ],
});

const security = (email: string): Section[] => [
  {
    id: 'seguranca',
    title: 'Como protegemos',
    blocks: [
      'A conexão é cifrada, as senhas são guardadas com um algoritmo próprio para isso, e o acesso de cada pessoa é conferido a cada pedido. Se ainda assim acontecer um incidente que possa trazer risco, avisamos você e a ANPD.',
      `Cópias de segurança servem só para recuperar o site depois de uma falha. Elas são cifradas com uma chave que fica fora do servidor, e guardadas por no máximo ${limits.backupMaxDays} dias; só a mais nova fica até haver outra. Antes de uma atualização, o servidor guarda uma cópia dos dados ao lado deles, por até ${limits.databaseCopyMaxDays} dias.`,
    ],
  },
  {
    id: 'acessibilidade',
    title: 'Acessibilidade',
    blocks: [
      'Este site foi feito para ser usado por qualquer pessoa: com teclado, leitor de tela, letra ampliada, em tela pequena, com pouco movimento e até sem JavaScript nas páginas públicas. Seguimos a WCAG 2.2, nível AA, e a ABNT NBR 17225.',
      `Encontrou uma barreira? Escreva para ${email} e conte qual foi a página. Vamos corrigir.`,
    ],
  },
];
