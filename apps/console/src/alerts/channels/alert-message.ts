import type { AlertEvent } from '#libs/contracts';
import { mailText } from './mail-text.js';

/** What is sent, whatever the channel; as it is stored until it is sent. */
export interface AlertMessage {
  type: 'alert.fired' | 'alert.recovered' | 'alert.test' | 'channel.disabled';
  project: { id: string; name: string };
  title: string;
  /** Sentences, each for a line. */
  lines: string[];
  /** The page about it. */
  url: string;
  /** What programs read. */
  alert?: { id: string; kind: string; label: string };
  events?: Pick<AlertEvent, 'subject' | 'subject_name' | 'fired_at' | 'recovered_at' | 'value' | 'usual'>[];
}

/** Characters of a message on Discord. */
const MAX_DISCORD_LENGTH = 2_000;

/** The body of Standard Webhooks 1.0. */
export const webhookBody = ({ type, ...data }: AlertMessage, createdAt: Date): string =>
  JSON.stringify({ type, timestamp: createdAt.toISOString(), data });

/** Slack reads `<` as the begin of a link or a mention. */
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

/** Subject, text and HTML of a mail. */
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
