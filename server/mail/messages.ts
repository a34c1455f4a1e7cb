import type { Mail } from './mailer.ts';

type Recipient = { name?: string; email: string };

/** The mail that asks a new account to show that the address is its own. */
export function verifyEmailMail(to: Recipient, link: string): Mail {
  return linkMail(to, {
    subject: 'Confirme o seu email',
    before: 'Recebemos um cadastro com este endereço. Para confirmar que ele é seu, abra o link abaixo.',
    action: 'Confirmar o email',
    link,
    after: 'O link vale por 24 horas. Se não foi você, não precisa fazer nada.',
  });
}

/** The mail to somebody who has an account already, when the form was filled in with the same address. */
export function existingAccountMail(to: Recipient, link: string): Mail {
  return linkMail(to, {
    subject: 'Você já tem uma conta',
    before: 'Alguém, talvez você, tentou criar uma conta com este endereço. Você já tem uma: é só entrar.',
    action: 'Entrar',
    link,
    after:
      'Se esqueceu a senha, use "Esqueceu a senha?" na página de entrada. Se não foi você, ignore esta mensagem.',
  });
}

/** The mail with the link to a new password. */
export function resetPasswordMail(to: Recipient, link: string): Mail {
  return linkMail(to, {
    subject: 'Criar uma nova senha',
    before:
      'Recebemos um pedido para trocar a senha da sua conta. Para escolher uma nova, abra o link abaixo.',
    action: 'Escolher uma nova senha',
    link,
    after: 'O link vale por 10 minutos e só uma vez. Se não foi você, sua senha continua a mesma.',
  });
}

/** The mail that asks whether the letter is wanted: no letter goes to an address whose owner did not say so. */
export function newsletterConfirmMail(email: string, confirmLink: string, leaveLink: string): Mail {
  return linkMail(
    { email },
    {
      subject: 'Confirme que quer receber a carta',
      before:
        'Alguém, talvez você, pediu para receber a nossa carta neste endereço. Para confirmar, abra o link abaixo.',
      action: 'Quero receber a carta',
      link: confirmLink,
      after: `Se não foi você, não precisa fazer nada: nenhuma carta será enviada. Para apagar este endereço agora: ${leaveLink}`,
    },
  );
}

type LinkMail = { subject: string; before: string; action: string; link: string; after: string };

/** One greeting, one link, in plain text and in simple HTML; nothing that reports back when it is opened. */
function linkMail(to: Recipient, { subject, before, action, link, after }: LinkMail): Mail {
  const greeting = to.name ? `Olá, ${to.name}.` : 'Olá.';
  return {
    to: to.email,
    subject,
    text: [greeting, before, `${action}: ${link}`, after].join('\n\n'),
    html: `<!doctype html><html lang="pt-BR"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>
<body style="font-family: Georgia, serif; font-size: 17px; line-height: 1.6; color: #1f2a26; max-width: 34em; margin: 2em auto; padding: 0 1em">
<p>${escapeHtml(greeting)}</p>
<p>${escapeHtml(before)}</p>
<p><a href="${escapeHtml(link)}" style="display: inline-block; padding: 12px 24px; border-radius: 999px; background: #21473c; color: #fbf7ef; text-decoration: none">${escapeHtml(action)}</a></p>
<p>Se o botão não abrir, copie este endereço: <br>${escapeHtml(link)}</p>
<p>${escapeHtml(after)}</p>
</body></html>`,
  };
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
