import { type Mail, nameInText } from './render.ts';

type Recipient = Mail['to'];

/**
 * Returns the link to a page that asks for a click. The token is in the fragment, which browsers do not send,
 * so no log contains it.
 */
export const verificationLink = (publicUrl: string, token: string) =>
  `${publicUrl}/email-confirmado#${token}`;

/**
 * The mail that asks a user to verify the email address of an account.
 * @param isNew false for an account that existed before, for example one that was moved from an earlier site
 */
export function verifyEmailMail(to: Recipient, link: string, isNew: boolean): Mail {
  const reason = isNew
    ? 'Recebemos um cadastro com este endereço.'
    : 'Você tem uma conta no nosso site. Se ela é de antes do site novo, nós a trouxemos para cá, com a mesma senha.';
  return {
    to,
    subject: 'Confirme o seu e-mail',
    before: `${reason} Para confirmar que o endereço é seu, abra o link abaixo e toque no botão.`,
    action: 'Confirmar o e-mail',
    link,
    after:
      'O link vale por 24 horas e só uma vez. Se não foi você, não precisa fazer nada: sem o seu toque, nenhuma conta é confirmada.',
  };
}

/** What has changed about how an account is entered. */
export type AccountChange = 'second-factor-on' | 'second-factor-off' | 'passkey-added' | 'passkey-removed';

const accountChanges: Record<AccountChange, { subject: string; event: string }> = {
  'passkey-added': {
    subject: 'Chave de acesso criada',
    event: 'Uma chave de acesso foi criada na sua conta: quem a tem no aparelho entra sem a senha.',
  },
  'passkey-removed': {
    subject: 'Chave de acesso apagada',
    event: 'Uma chave de acesso da sua conta foi apagada: com ela ninguém entra mais.',
  },
  'second-factor-on': {
    subject: 'Verificação em duas etapas ligada',
    event: 'A verificação em duas etapas da sua conta foi ligada: depois da senha, pedimos um código.',
  },
  'second-factor-off': {
    subject: 'Verificação em duas etapas desligada',
    event: 'A verificação em duas etapas da sua conta foi desligada: a senha basta para entrar.',
  },
};

/** The mail that tells an account's owner about a change of how the account is entered. */
export function accountChangeMail(to: Recipient, change: AccountChange, link: string): Mail {
  const { subject, event } = accountChanges[change];
  return {
    to,
    subject,
    before: event,
    action: 'Ver a minha conta',
    link,
    after:
      'Se foi você, está tudo certo. Se não foi, crie uma senha nova agora por “Esqueceu a senha?”, na página de entrada: isso encerra todas as entradas na conta. Depois, apague as chaves de acesso que não são suas, ou fale com a clínica.',
  };
}

/**
 * The mail to a new email address of an account. It does not name the account, because the address may belong
 * to a stranger.
 * @param link confirms the address; undefined if another account has it
 */
export function emailChangeMail(email: string, link: string | undefined, login: string): Mail {
  const to = { email };
  return link === undefined
    ? {
        to,
        subject: 'Este e-mail já tem uma conta',
        before:
          'Alguém, talvez você, quis usar este endereço em outra conta do nosso site. Ele já tem uma conta, ou teve até há pouco, e por isso nada mudou.',
        action: 'Entrar',
        link: login,
        after: 'Se esqueceu a senha, use “Esqueceu a senha?” na página de entrada. Se não foi você, ignore.',
      }
    : {
        to,
        subject: 'Confirme o seu novo e-mail',
        before:
          'Alguém, talvez você, quer entrar no nosso site com este endereço. Para confirmar que ele é seu, abra o link abaixo e toque no botão.',
        action: 'Confirmar o novo e-mail',
        link,
        after:
          'O link vale por 1 hora e só uma vez, com a sua conta aberta. Se não foi você, não precisa fazer nada: sem o seu toque, nada muda.',
        secret: true,
      };
}

/** The mail to an account's present address, when someone has asked to change it. */
export function emailChangeNoticeMail(to: Recipient, link: string): Mail {
  return {
    to,
    subject: 'Pedido de troca de e-mail',
    before:
      'Alguém, talvez você, pediu para trocar o e-mail da sua conta. Ele só muda quando o endereço novo for confirmado.',
    action: 'Ver a minha conta',
    link,
    after:
      'Se foi você, está tudo certo. Se não foi, crie uma senha nova agora por “Esqueceu a senha?”, na página de entrada: isso encerra todas as entradas na conta e o pedido.',
  };
}

/** The mail to an account's old address, with the link that takes the change back. */
export function emailChangedMail(to: Recipient, link: string): Mail {
  return {
    to,
    subject: 'O e-mail da sua conta mudou',
    before:
      'A sua conta passa a usar outro e-mail, e este endereço não entra mais nela. Se foi você, não precisa fazer nada. Se não foi, traga a conta de volta pelo link abaixo.',
    action: 'Não fui eu: trazer de volta',
    link,
    after:
      'O link vale por 72 horas. Ele devolve este endereço à conta e encerra tudo o que entra nela: senha, chaves de acesso, Google, verificação em duas etapas e aparelhos. Depois, você cria uma senha nova.',
    secret: true,
  };
}

/** The mail to an account's owner when someone signs up with the same email address. */
export function existingAccountMail(to: Recipient, link: string): Mail {
  return {
    to,
    subject: 'Você já tem uma conta',
    before: 'Alguém, talvez você, tentou criar uma conta com este endereço. Você já tem uma: é só entrar.',
    action: 'Entrar',
    link,
    after:
      'Se esqueceu a senha, use “Esqueceu a senha?” na página de entrada. Se não foi você, ignore esta mensagem.',
  };
}

/** The mail with the link to set a new password. */
export function resetPasswordMail(to: Recipient, link: string): Mail {
  return {
    to,
    subject: 'Criar uma nova senha',
    before:
      'Recebemos um pedido para trocar a senha da sua conta. Para escolher uma nova, abra o link abaixo.',
    action: 'Escolher uma nova senha',
    link,
    after: 'O link vale por 10 minutos e só uma vez. Se não foi você, sua senha continua a mesma.',
  };
}

/**
 * The mail that invites a person to the site.
 * @param lifeWords how long the invitation is valid
 */
export function invitationMail(
  email: string,
  { inviter, role, note, lifeWords }: { inviter: string; role: string; note: string; lifeWords: string },
  link: string,
): Mail {
  const message = note && ` Junto veio esta mensagem: “${note}”`;
  return {
    to: { email },
    subject: 'Um convite para o site',
    before: `${nameInText(inviter) ?? 'A administração'} convida você para o nosso site. O seu papel nele: ${role}.${message}`,
    action: 'Ver o convite',
    link,
    after: `O convite vale por ${lifeWords} e só uma vez. Se você não o esperava, não precisa fazer nada: sem o seu toque, nada muda.`,
    secret: true,
  };
}

/** A new admin: the email address, the name of the admin who gave the role, and how. */
export type NewAdmin = { email: string; by: string; how: 'invitation' | 'promotion' };

/** The mail that tells an admin that a person has become an admin. */
export function newAdminMail(to: Recipient, { email, by, how }: NewAdmin, link: string): Mail {
  const name = nameInText(by);
  const event =
    how === 'invitation'
      ? `${email} aceitou um convite de ${name ?? 'alguém da administração'} e agora é da administração`
      : `${name ?? 'Alguém da administração'} mudou o papel de ${email}, que agora é da administração`;
  return {
    to,
    subject: 'Há mais uma pessoa na administração',
    before: `${event}: vê todas as pessoas e muda papéis.`,
    action: 'Ver as pessoas',
    link,
    after: 'Se isso não devia ter acontecido, mude o papel dessa pessoa agora e troque a sua senha.',
  };
}

/** A change of a clinician: the email address of the account, and the name of the admin who made it. */
export type ClinicianNews = {
  email: string;
  by: string;
  before: ClinicianName | undefined;
  now: ClinicianName | undefined;
};
type ClinicianName = { name: string; crm: string };

/** The mail that tells an admin that a clinician was named, changed or removed. */
export function clinicianMail(to: Recipient, { email, by, before, now }: ClinicianNews, link: string): Mail {
  const admin = nameInText(by) ?? 'Alguém da administração';
  const called = ({ name, crm }: ClinicianName) => `${nameInText(name) ?? 'um nome'}, ${crm}`;
  const ended = 'O que pacientes tinham compartilhado com essa pessoa foi encerrado.';
  const event = !now
    ? `${admin} tirou ${email} de quem pode ler diários${before ? ` (${called(before)})` : ''}. ${ended}`
    : before
      ? `${admin} mudou os dados de ${email}, que pode ler diários: antes ${called(before)}; agora ${called(now)}. ${ended}`
      : `${admin} nomeou ${email} para ler diários, como ${called(now)}: só os de pacientes que escolherem compartilhar.`;
  return {
    to,
    subject: 'Mudou quem pode ler diários',
    before: event,
    action: 'Ver as pessoas',
    link,
    after: 'Se isso não devia ter acontecido, desfaça a mudança agora e troque a sua senha.',
  };
}

/** The mail that tells a patient that a share was granted, or has ended. It says nothing about the share. */
export function shareReceiptMail(to: Recipient, event: 'granted' | 'ended', link: string): Mail {
  return {
    to,
    subject: event === 'granted' ? 'Uma autorização começou' : 'Uma autorização terminou',
    before:
      event === 'granted'
        ? 'Você deu uma autorização na sua conta. Ela vale a partir de agora.'
        : 'Você encerrou uma autorização na sua conta. Ela não vale mais.',
    action: 'Ver as autorizações',
    link,
    after:
      'Se não foi você, encerre a autorização e troque a sua senha. Por cuidado, esta mensagem não diz mais nada.',
    neutral: true,
  };
}

const reminderWords = {
  reminder: {
    before: 'Você pediu um lembrete para hoje. Abra quando for um bom momento. Se hoje não der, tudo bem.',
    action: 'Abrir',
    page: '/semana',
  },
  test: {
    before: 'Este é um teste. O lembrete que você pediu chega com esta cara, e diz só isto.',
    action: 'Abrir',
    page: '/semana',
  },
  stopped: {
    before:
      'Faz quatro semanas que você não passa por aqui, então o lembrete parou sozinho. Esta é a última mensagem.',
    action: 'Ligar de novo',
    page: '/semana/lembrete',
  },
} as const;

/** The reminder, its test, and the mail after which it stops. None says what the site is about. */
export function reminderMail(
  kind: keyof typeof reminderWords,
  { email, publicUrl, leaveLink }: { email: string; publicUrl: string; leaveLink: string },
): Mail {
  const { before, action, page } = reminderWords[kind];
  return {
    to: { email },
    subject: 'Um lembrete que você pediu',
    before,
    action,
    link: publicUrl + page,
    after: 'Não é preciso responder.',
    secondAction: { action: 'Parar de receber', link: leaveLink },
    leaveLink,
    neutral: true,
  };
}

/** The mail that asks a subscriber to confirm: the newsletter goes only to confirmed email addresses. */
export function newsletterConfirmMail(email: string, confirmLink: string, leaveLink: string): Mail {
  return {
    to: { email },
    subject: 'Confirme que quer receber a carta',
    before:
      'Alguém, talvez você, pediu para receber a nossa carta neste endereço. Para confirmar, abra o link abaixo.',
    action: 'Quero receber a carta',
    link: confirmLink,
    after: 'Se não foi você, não precisa fazer nada: nenhuma carta será enviada.',
    secondAction: { action: 'Apagar este endereço agora', link: leaveLink },
  };
}

/** The mail that tells an admin what is wrong with the backups or the disk. */
export function warningMail(
  to: Recipient,
  { subject, warning }: { subject: string; warning: string },
  link: string,
): Mail {
  return {
    to,
    subject,
    before: `${warning} Se não é você quem cuida do servidor, encaminhe esta mensagem: o comando acolhe check (ou npm run check) diz o que fazer.`,
    action: 'Ver na administração',
    link,
    after: 'Enquanto isso não mudar, este aviso volta uma vez por dia.',
  };
}
