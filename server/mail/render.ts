/** What every mail ends with: the clinic's name and the URL of its site. */
type MailSignature = { clinicName: string; publicUrl: string };

/**
 * Renders the mail as plain text and as simple HTML with the same words. The mail does not track whether it
 * is opened.
 */
export function renderMail(mail: Mail, signature: MailSignature) {
  return {
    to: mail.to.email,
    subject: `${mail.subject} · ${signature.clinicName}`,
    text: renderText(mail, signature),
    html: renderHtml(mail, signature),
  };
}

/**
 * A name that the greeting may contain: only letters, spaces, hyphens and apostrophes. Mail programs turn
 * other text, such as URLs, into links.
 */
const plainName = /^[\p{L}\p{M}'’ -]{1,80}$/u;

const greetingOf = ({ name }: Mail['to']) =>
  name !== undefined && plainName.test(name) ? `Olá, ${name}.` : 'Olá.';

function renderText(
  { to, before, action, link, after, secondAction }: Mail,
  { clinicName, publicUrl }: MailSignature,
) {
  return [
    greetingOf(to),
    before,
    `${action}:\n${link}`,
    after,
    ...(secondAction ? [`${secondAction.action}:\n${secondAction.link}`] : []),
    `${clinicName}\n${publicUrl}\n`,
  ].join('\n\n');
}

/**
 * Mail programs drop most CSS, so important styles are inline. The dark theme works only where the program
 * supports it.
 */
function renderHtml(
  { to, subject, before, action, link, after, secondAction }: Mail,
  { clinicName, publicUrl }: MailSignature,
) {
  const paragraph = (text: string) => `<p style="margin: 0 0 20px">${text}</p>`;
  return `<!doctype html>
<html lang="pt-BR">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>
:root { color-scheme: light dark; }
@media (prefers-color-scheme: dark) {
  .page { background: #171c18 !important; color: #efe7d8 !important; }
  .card { background: #1f2620 !important; border-color: #384037 !important; }
  .name, .link { color: #b3ccb3 !important; }
  .button { background: #b3ccb3 !important; color: #12241d !important; }
  .quiet { color: #b4baab !important; }
}
</style>
</head>
<body class="page" style="margin: 0; padding: 0; background: #faf6ee; color: #1f2a26">
<div class="page" style="padding: 32px 16px; background: #faf6ee; color: #1f2a26; font-family: Figtree, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif; font-size: 17px; line-height: 1.6">
<div style="max-width: 560px; margin: 0 auto">
<p class="name" style="margin: 0 0 20px; color: #21473c; font-family: Fraunces, Georgia, serif; font-size: 22px; line-height: 1.2">${escapeHtml(clinicName)}</p>
<div class="card" style="padding: 28px 24px; background: #fffdf8; border: 1px solid #ddd3c2; border-radius: 14px">
<h1 style="margin: 0 0 20px; font-family: Fraunces, Georgia, serif; font-size: 26px; font-weight: 500; line-height: 1.2">${escapeHtml(subject)}</h1>
${paragraph(escapeHtml(greetingOf(to)))}
${paragraph(escapeHtml(before))}
<p style="margin: 28px 0"><a class="button" href="${escapeHtml(link)}" style="display: inline-block; padding: 13px 26px; border-radius: 999px; background: #21473c; color: #fbf7ef; font-weight: 600; line-height: 1.3; text-decoration: none">${escapeHtml(action)}</a></p>
${paragraph(escapeHtml(after))}
${secondAction ? paragraph(`<a class="link" href="${escapeHtml(secondAction.link)}" style="color: #21473c">${escapeHtml(secondAction.action)}</a>`) : ''}
<p class="quiet" style="margin: 0; color: #55635c; font-size: 15px; overflow-wrap: anywhere; word-break: break-word">Se o botão não abrir, copie este endereço:<br>${escapeHtml(link)}</p>
</div>
<p class="quiet" style="margin: 20px 0 0; color: #55635c; font-size: 15px">${escapeHtml(clinicName)}<br><a class="quiet" href="${escapeHtml(publicUrl)}" style="color: #55635c">${escapeHtml(new URL(publicUrl).host)}</a></p>
</div>
</div>
</body>
</html>
`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** A message to one recipient: text, one action, more text. */
export type Mail = {
  to: { name?: string; email: string };
  subject: string;
  before: string;
  /** The text of the button, which opens `link`. */
  action: string;
  link: string;
  after: string;
  /** An alternative action, as a plain link. */
  secondAction?: { action: string; link: string };
};
