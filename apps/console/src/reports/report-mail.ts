import type { Report, ReportFigure, ReportSchedule } from '#libs/contracts';
import { escapeHtml as html } from '../alerts/channels/alert-message.js';
import { mailText } from '../alerts/channels/mail-text.js';
import { renderBarChart } from './bar-chart.js';

/** Content ID of the chart image. */
const CHART_CONTENT_ID = 'visits-by-day@agent-traffic';
/** Maximum number of days listed in the text version. */
const MAX_LISTED_DAYS = 7;

export interface ChartImage {
  filename: string;
  content: Buffer;
  cid: string;
  contentType: string;
}

interface Recipient {
  /** Opens a page, or unsubscribes on a one-click POST. */
  unsubscribeUrl: string;
  /** Whether the recipient has an account. */
  isMember: boolean;
  frequency: ReportSchedule['frequency'];
}

/** Renders the chart of a report email. Returns an empty list for reports without a chart. */
export async function renderChart({ hint, days }: Report): Promise<ChartImage[]> {
  if (hint !== null) return [];
  const content = await renderBarChart(days.map(({ visits }) => visits));
  return [{ filename: 'visits.png', content, cid: CHART_CONTENT_ID, contentType: 'image/png' }];
}

/**
 * Builds the subject, headers, text, HTML and chart of a report email. It starts with the changes.
 *
 * @param attachments From {@link renderChart}.
 */
export function buildReportMail(
  report: Report,
  { unsubscribeUrl, isMember, frequency }: Recipient,
  attachments: ChartImage[],
) {
  const { subject, period, figures, hint, overview_url: overviewUrl, days, changes } = report;
  const project = mailText(report.project, 80);
  const lists = report.lists.map(({ title, rows }) => ({
    title,
    rows: rows.map((row) => ({ ...row, label: mailText(row.label) })),
  }));
  const reason = `You're receiving this report every ${frequency === 'monthly' ? 'month' : 'week'} because you ${
    isMember ? 'subscribed to it in Agent Traffic' : 'confirmed that you want it'
  }.`;
  const counts = days.map(({ visits }) => visits);
  const dayText = `Agent visits by day, from ${days[0]?.day}: ${counts.map((visits) => visits.toLocaleString('en-US')).join(', ')}`;
  const altText =
    days.length <= MAX_LISTED_DAYS ? dayText : `Agent visits by day, from ${days[0]?.day} to ${days.at(-1)?.day}`;
  const heading = `${project}: ${period}, compared with ${report.compared_with}`;
  return {
    subject,
    text: [
      heading,
      ...(hint === null ? [] : ['', hint.text, `${hint.label}: ${hint.url}`]),
      ...(changes.length === 0 ? [] : ['', 'What changed:', ...changes.map(({ text, url }) => `- ${text}\n  ${url}`)]),
      '',
      ...figures.map(toTextLine),
      ...(hint === null ? ['', dayText] : []),
      ...lists.flatMap(({ title, rows }) => ['', `${title}:`, ...rows.map(toTextLine)]),
      '',
      `Overview: ${overviewUrl}`,
      '',
      reason,
      `Unsubscribe: ${unsubscribeUrl}`,
    ].join('\n'),
    html: [
      '<!doctype html><html lang="en"><body style="font-family:sans-serif;line-height:1.5;max-width:560px">',
      `<h1 style="font-size:18px">${html(project)}: ${html(period)}</h1>`,
      ...(hint === null ? [] : [`<p>${html(hint.text)} ${toLink(hint.url, hint.label)}</p>`]),
      ...(changes.length === 0
        ? []
        : [
            '<h2 style="font-size:15px">What changed</h2>',
            `<ul style="padding-left:20px">${changes.map(({ text, url }) => `<li>${toLink(url, text)}</li>`).join('')}</ul>`,
          ]),
      ...(hint === null
        ? [`<p><img src="cid:${CHART_CONTENT_ID}" width="560" height="120" alt="${html(altText)}"></p>`]
        : []),
      toTable(figures),
      ...lists.flatMap(({ title, rows }) => [`<h2 style="font-size:15px">${html(title)}</h2>`, toTable(rows)]),
      `<p>${toLink(overviewUrl, 'Open the overview')}</p>`,
      `<p style="color:#666;font-size:12px">${reason} Changes are relative to ${report.compared_with}. ${toLink(unsubscribeUrl, 'Unsubscribe')}</p>`,
      '</body></html>',
    ].join('\n'),
    attachments,
    headers: {
      // RFC 8058: mail clients show an unsubscribe button that sends a POST request.
      'List-Unsubscribe': `<${unsubscribeUrl}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  };
}

const toTextLine = ({ label, value, change, url }: ReportFigure): string =>
  `${label}: ${value}${change === '' ? '' : ` (${change})`}\n  ${url}`;

const toLink = (url: string, text: string): string => `<a href="${html(url)}">${html(text)}</a>`;

const CELL = 'style="padding:2px 12px 2px 0;text-align:left;overflow-wrap:anywhere"';

function toTable(numbers: readonly ReportFigure[]): string {
  const rows = numbers.map(
    ({ label, value, change, url }) =>
      // The label can be a path or host name. It's enclosed in a link, because mail clients would otherwise turn it
      // into a link of their own.
      `<tr><th scope="row" ${CELL.replace('style="', 'style="font-weight:normal;')}>${toLink(url, label)}</th>` +
      `<td ${CELL}>${html(value)}</td><td ${CELL}>${html(change)}</td></tr>`,
  );
  return `<table style="border-collapse:collapse">${rows.join('')}</table>`;
}
