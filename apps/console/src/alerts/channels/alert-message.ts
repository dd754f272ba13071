import type { AlertEvent } from '#libs/contracts';
import { mailText } from './mail-text.js';

/** Message for any kind of channel. Stored as JSON until it's delivered. */
export interface AlertMessage {
  type: 'alert.fired' | 'alert.recovered' | 'alert.test' | 'channel.disabled';
  project: { id: string; name: string };
  title: string;
  /** Sentences, one per line. */
  lines: string[];
  /** Dashboard page to link to. */
  url: string;
  /** For programs that receive webhooks. */
  alert?: { id: string; kind: string; label: string };
  events?: Pick<AlertEvent, 'subject' | 'subject_name' | 'fired_at' | 'recovered_at' | 'value' | 'usual'>[];
}

const MAX_DISCORD_LENGTH = 2_000;

/** Returns a body in the format of Standard Webhooks 1.0. */
export const webhookBody = ({ type, ...data }: AlertMessage, createdAt: Date): string =>
  JSON.stringify({ type, timestamp: createdAt.toISOString(), data });

/** Escapes text for Slack, where `<` starts a link or a mention. */
const slackText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

export function slackBody({ project, title, lines, url }: AlertMessage): string {
  const text = [`*${slackText(title)}*`, ...lines.map(slackText), `${slackText(project.name)}: <${url}|Open alerts>`];
  return JSON.stringify({ text: text.join('\n'), unfurl_links: false });
}

const discordText = (text: string): string => text.replaceAll(/[\\*_~`|>#[\]<@-]/g, '\\$&');

export function discordBody({ project, title, lines, url }: AlertMessage): string {
  const end = `\n${discordText(project.name)}: <${url}>`;
  const text = [`**${discordText(title)}**`, ...lines.map(discordText)].join('\n');
  const content = text.slice(0, MAX_DISCORD_LENGTH - end.length).toWellFormed() + end;
  return JSON.stringify({ content, allowed_mentions: { parse: [] } });
}

const HTML_ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (character) => HTML_ENTITIES[character]!);

/** Returns the subject, headers, text and HTML of a mail. @param stopUrl URL for unsubscribing the recipient. */
export function mailOf({ project, title: given, lines: all, url }: AlertMessage, stopUrl: string) {
  const [name, title] = [mailText(project.name, 80), mailText(given, 150)];
  const lines = all.map((line) => mailText(line, 500));
  const footer = `You get this because you confirmed that you want the alerts of ${name}, on Agent Traffic.`;
  return {
    subject: `[${name}] ${title}`,
    headers: {
      'List-Unsubscribe': `<${stopUrl}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
    text: [...lines, '', `Open alerts: ${url}`, '', footer, `Stop them: ${stopUrl}`].join('\n'),
    html: [
      '<!doctype html><html lang="en"><body style="font-family:sans-serif;line-height:1.5">',
      `<h1 style="font-size:18px">${escapeHtml(title)}</h1>`,
      ...lines.map((line) => `<p>${escapeHtml(line)}</p>`),
      `<p><a href="${escapeHtml(url)}">Open alerts</a></p>`,
      `<p style="color:#666;font-size:12px">${escapeHtml(footer)} <a href="${escapeHtml(stopUrl)}">Stop them</a></p></body></html>`,
    ].join('\n'),
  };
}
