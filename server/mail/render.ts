import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TextBlock, type TextPiece, textBlocks } from '#contract/markup/text-blocks.ts';
import { programFolder } from '../program.ts';

/** What every mail ends with: the clinic's name, or that of a neutral sender, and the URL of the site. */
export type MailSignature = { clinicName: string; publicUrl: string };

/**
 * Renders the mail as plain text and as simple HTML with the same words. The mail does not track whether it
 * is opened.
 */
export function renderMail(mail: Mail, signature: MailSignature) {
  return {
    to: mail.to.email,
    subject: mail.neutral ? mail.subject : `${mail.subject} · ${signature.clinicName}`,
    text: renderText(mail, signature),
    html: renderHtml(mail, signature),
  };
}

/**
 * A name that a mail may contain: only letters, spaces, hyphens and apostrophes. Mail programs turn
 * other text, such as URLs, into links.
 */
const plainName = /^[\p{L}\p{M}'’ -]{1,80}$/u;

/** Returns the name if a mail may contain it. */
export const nameInText = (name: string): string | undefined => (plainName.test(name) ? name : undefined);

function greetingOf({ name = '' }: Mail['to']) {
  const shown = nameInText(name);
  return shown === undefined ? 'Olá.' : `Olá, ${shown}.`;
}

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

function renderHtml(mail: Mail, signature: MailSignature) {
  const { to, subject, before, action, link, after, secondAction } = mail;
  const { light } = readTokens();
  const paragraph = (text: string) => `<p style="margin: 0 0 20px">${text}</p>`;
  return frame(
    subject,
    `${paragraph(escapeHtml(greetingOf(to)))}
${paragraph(escapeHtml(before))}
<p style="margin: 28px 0"><a class="button" href="${escapeHtml(link)}" style="display: inline-block; padding: 13px 26px; border-radius: ${light('r-pill')}; background: ${light('primary')}; color: ${light('on-primary')}; font-weight: 600; line-height: 1.3; text-decoration: none">${escapeHtml(action)}</a></p>
${paragraph(escapeHtml(after))}
${secondAction ? paragraph(`<a class="link" href="${escapeHtml(secondAction.link)}" style="color: ${light('primary')}">${escapeHtml(secondAction.action)}</a>`) : ''}
<p class="quiet" style="margin: 0; color: ${light('ink-quiet')}; font-size: 15px; overflow-wrap: anywhere; word-break: break-word">Se o botão não abrir, copie este endereço:<br>${escapeHtml(link)}</p>`,
    signature,
  );
}

/**
 * Returns the HTML of a mail: a card with the title and `content`. Mail programs drop most CSS, so important
 * styles are inline. The dark theme works only where the program supports it.
 * @param foot HTML below the clinic's name
 */
function frame(title: string, content: string, { clinicName, publicUrl }: MailSignature, foot = '') {
  const { light, dark } = readTokens();
  return `<!doctype html>
<html lang="pt-BR">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(title)}</title>
<style>
:root { color-scheme: light dark; }
@media (prefers-color-scheme: dark) {
  .page { background: ${dark('paper')} !important; color: ${dark('ink')} !important; }
  .card { background: ${dark('card')} !important; border-color: ${dark('line')} !important; }
  .name, .link { color: ${dark('primary')} !important; }
  .button { background: ${dark('primary')} !important; color: ${dark('on-primary')} !important; }
  .quiet { color: ${dark('ink-quiet')} !important; }
}
</style>
</head>
<body class="page" style="margin: 0; padding: 0; background: ${light('paper')}; color: ${light('ink')}">
<div class="page" style="padding: 32px 16px; background: ${light('paper')}; color: ${light('ink')}; font-family: Figtree, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif; font-size: 17px; line-height: 1.6">
<div style="max-width: 560px; margin: 0 auto">
<p class="name" style="margin: 0 0 20px; color: ${light('primary')}; font-family: Fraunces, Georgia, serif; font-size: 22px; line-height: 1.2">${escapeHtml(clinicName)}</p>
<div class="card" style="padding: 28px 24px; background: ${light('card')}; border: 1px solid ${light('line')}; border-radius: ${light('r-card')}">
<h1 style="margin: 0 0 20px; font-family: Fraunces, Georgia, serif; font-size: 26px; font-weight: 500; line-height: 1.2">${escapeHtml(title)}</h1>
${content}
</div>
<p class="quiet" style="margin: 20px 0 0; color: ${light('ink-quiet')}; font-size: 15px">${escapeHtml(clinicName)}<br><a class="quiet" href="${escapeHtml(publicUrl)}" style="color: ${light('ink-quiet')}">${escapeHtml(new URL(publicUrl).host)}</a>${foot}</p>
</div>
</div>
</body>
</html>
`;
}

/** An issue of the newsletter, and the links that its mail contains. */
export type IssueToRender = { subject: string; text: string; viewLink: string; leaveLink: string };

/** Renders an issue of the newsletter as plain text and as HTML. */
export function renderIssue({ subject, text, viewLink, leaveLink }: IssueToRender, signature: MailSignature) {
  const { light } = readTokens();
  const link = (href: string, words: string) =>
    `<a class="link" href="${escapeHtml(href)}" style="color: ${light('primary')}; text-decoration: underline">${escapeHtml(words)}</a>`;
  const piece = ({ text: words, href, strong, em }: TextPiece) => {
    const plain = href === undefined ? escapeHtml(words) : link(href, words);
    const slanted = em ? `<em>${plain}</em>` : plain;
    return strong ? `<strong>${slanted}</strong>` : slanted;
  };
  const lineOf = (pieces: TextPiece[]) => pieces.map(piece).join('');
  const block = ({ kind, lines, start }: TextBlock) => {
    if (kind === 'paragraph') return `<p style="margin: 0 0 20px">${lines.map(lineOf).join('<br>')}</p>`;
    const items = lines.map((one) => `<li style="margin: 0 0 8px">${lineOf(one)}</li>`).join('');
    const style = 'style="margin: 0 0 20px; padding-left: 24px"';
    return kind === 'bullets' ? `<ul ${style}>${items}</ul>` : `<ol start="${start}" ${style}>${items}</ol>`;
  };
  const plainPiece = ({ text: words, href }: TextPiece) =>
    href === undefined || href === words ? words : `${words} (${href})`;
  const plainBlock = ({ kind, lines, start = 1 }: TextBlock) =>
    lines
      .map((one, place) => {
        const mark = kind === 'bullets' ? '- ' : kind === 'numbers' ? `${start + place}. ` : '';
        return mark + one.map(plainPiece).join('');
      })
      .join('\n');
  const blocks = textBlocks(text);
  return {
    subject,
    text: [
      subject,
      ...blocks.map(plainBlock),
      `--\n${signature.clinicName}\n${signature.publicUrl}`,
      `Ver no navegador:\n${viewLink}`,
      `Sair da carta:\n${leaveLink}\n`,
    ].join('\n\n'),
    html: frame(
      subject,
      blocks.map(block).join('\n'),
      signature,
      `<br>Você recebe esta carta porque pediu. ${link(viewLink, 'Ver no navegador')} · ${link(leaveLink, 'Sair da carta')}`,
    ),
  };
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
  /** True if no log may contain `link`. */
  secret?: true;
  /** True if the mail must not say what the site is about: REMINDER_FROM_NAME replaces the clinic's name. */
  neutral?: true;
  /** Mail programs show a button that opens this link with one click (RFC 8058). */
  leaveLink?: string;
  /** An alternative action, as a plain link. */
  secondAction?: { action: string; link: string };
};

/** Reads the colours and radii of the site from the build's copy. The dark theme follows the light one. */
function readTokens() {
  const css = readFileSync(join(programFolder, 'dist', 'tokens.css'), 'utf8');
  const themes = css.split('@media (prefers-color-scheme: dark)');
  const valueIn =
    (theme = '') =>
    (token: string) => {
      const value = theme.split(`--${token}: `)[1]?.split(';')[0];
      if (value === undefined) throw new Error(`web/styles/tokens.css has no --${token}.`);
      return value;
    };
  return { light: valueIn(themes[0]), dark: valueIn(themes[1]) };
}
