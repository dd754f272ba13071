import { escapeHtml as html } from '../alerts/channels/alert-message.js';
import { mailText } from '../alerts/channels/mail-text.js';
import { renderBarChart } from './bar-chart.js';
import type { ReportFigure, WeeklyReport } from './report.js';

/** Content ID of the chart image. */
const CHART_CONTENT_ID = 'visits-by-day@agent-traffic';

/**
 * Builds the subject, headers, text, HTML and chart of a weekly report email.
 *
 * @param unsubscribeUrl Opens a page, or unsubscribes on a one-click POST.
 */
export async function buildReportMail(report: WeeklyReport, unsubscribeUrl: string) {
  const { week, numbers, hint, overviewUrl, days } = report;
  const project = mailText(report.project, 80);
  const [agents, pages] = [report.agents, report.pages].map((list) =>
    list.map((row) => ({ ...row, label: mailText(row.label) })),
  ) as [ReportFigure[], ReportFigure[]];
  const lists = [
    ['Top agents', agents],
    ['Top pages', pages],
  ] as const;
  const reason = "You're receiving this report every Monday because you subscribed to it on your account page.";
  const visitsByDay = `Agent visits by day, from Monday: ${days.map((visits) => visits.toLocaleString('en-US')).join(', ')}`;
  return {
    subject: `[${project}] ${numbers[0]!.value} agent visits, ${week}`,
    text: [
      `${project}: ${week}, compared with the previous week`,
      ...(hint === null ? [] : ['', hint.text, `${hint.label}: ${hint.url}`]),
      '',
      ...numbers.map(toTextLine),
      ...(hint === null ? ['', visitsByDay] : []),
      ...lists.flatMap(([title, list]) => (list.length === 0 ? [] : ['', `${title}:`, ...list.map(toTextLine)])),
      '',
      `Overview: ${overviewUrl}`,
      '',
      reason,
      `Unsubscribe: ${unsubscribeUrl}`,
    ].join('\n'),
    html: [
      '<!doctype html><html lang="en"><body style="font-family:sans-serif;line-height:1.5;max-width:560px">',
      `<h1 style="font-size:18px">${html(project)}: ${html(week)}</h1>`,
      ...(hint === null ? [] : [`<p>${html(hint.text)} ${toLink(hint.url, hint.label)}</p>`]),
      toTable(numbers),
      ...(hint === null
        ? [`<p><img src="cid:${CHART_CONTENT_ID}" width="560" height="120" alt="${html(visitsByDay)}"></p>`]
        : []),
      ...lists.flatMap(([title, list]) =>
        list.length === 0 ? [] : [`<h2 style="font-size:15px">${title}</h2>`, toTable(list)],
      ),
      `<p>${toLink(overviewUrl, 'Open the overview')}</p>`,
      `<p style="color:#666;font-size:12px">${reason} Changes are relative to the previous week. ${toLink(unsubscribeUrl, 'Unsubscribe')}</p>`,
      '</body></html>',
    ].join('\n'),
    attachments:
      hint === null
        ? [
            {
              filename: 'visits.png',
              content: await renderBarChart(days),
              cid: CHART_CONTENT_ID,
              contentType: 'image/png',
            },
          ]
        : [],
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
