import type { AlertEvent } from '#libs/contracts';
import { mailText } from './mail-text.js';

/** Channel-independent message. Stored as JSON until it is delivered. */
export interface AlertMessage {
  type: 'alert.fired' | 'alert.recovered' | 'alert.test' | 'channel.disabled';
  project: { id: string; name: string };
  title: string;
  /** Message text. Each element is one sentence on its own line. */
  lines: string[];
  /** URL of the project's alerts page in the dashboard. */
  url: string;
  /** Structured data for webhook receivers. Other channels ignore it. */
  alert?: { id: string; kind: string; label: string };
  events?: Pick<AlertEvent, 'subject' | 'subject_name' | 'fired_at' | 'recovered_at' | 'value' | 'usual'>[];
}

const MAX_DISCORD_LENGTH = 2_000;

/** Returns a JSON body in the Standard Webhooks 1.0 format. */
export const buildWebhookBody = ({ type, ...data }: AlertMessage, createdAt: Date): string =>
  JSON.stringify({ type, timestamp: createdAt.toISOString(), data });

/** In Slack messages, `<` starts a link or a mention. */
const escapeSlack = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

export function buildSlackBody({ project, title, lines, url }: AlertMessage): string {
  const text = [
    `*${escapeSlack(title)}*`,
    ...lines.map(escapeSlack),
    `${escapeSlack(project.name)}: <${url}|Open alerts>`,
  ];
  return JSON.stringify({ text: text.join('\n'), unfurl_links: false });
}

const escapeDiscord = (text: string): string => text.replaceAll(/[\\*_~`|>#[\]<@-]/g, '\\$&');

export function buildDiscordBody({ project, title, lines, url }: AlertMessage): string {
  const footer = `\n${escapeDiscord(project.name)}: <${url}>`;
  const text = [`**${escapeDiscord(title)}**`, ...lines.map(escapeDiscord)].join('\n');
  const content = text.slice(0, MAX_DISCORD_LENGTH - footer.length).toWellFormed() + footer;
  return JSON.stringify({ content, allowed_mentions: { parse: [] } });
}

const HTML_ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (character) => HTML_ENTITIES[character]!);

/**
 * Builds the subject, headers, text and HTML of an alert email.
 *
 * @param unsubscribeUrl URL that unsubscribes the recipient.
 */
export function buildAlertMail(
  { project, title: rawTitle, lines: rawLines, url }: AlertMessage,
  unsubscribeUrl: string,
) {
  const [name, title] = [mailText(project.name, 80), mailText(rawTitle, 150)];
  const lines = rawLines.map((line) => mailText(line, 500));
  const footer = `You're receiving this email because you confirmed that you want alerts for ${name} from Agent Traffic.`;
  return {
    subject: `[${name}] ${title}`,
    headers: {
      'List-Unsubscribe': `<${unsubscribeUrl}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
    text: [...lines, '', `Open alerts: ${url}`, '', footer, `Unsubscribe: ${unsubscribeUrl}`].join('\n'),
    html: [
      '<!doctype html><html lang="en"><body style="font-family:sans-serif;line-height:1.5">',
      `<h1 style="font-size:18px">${escapeHtml(title)}</h1>`,
      ...lines.map((line) => `<p>${escapeHtml(line)}</p>`),
      `<p><a href="${escapeHtml(url)}">Open alerts</a></p>`,
      `<p style="color:#666;font-size:12px">${escapeHtml(footer)} <a href="${escapeHtml(unsubscribeUrl)}">Unsubscribe</a></p></body></html>`,
    ].join('\n'),
  };
}
