import { escapeHtml as html } from '../alerts/channels/alert-message.js';
import { mailText } from '../alerts/channels/mail-text.js';
import { barChart } from './bar-chart.js';
import type { ReportedNumber, WeeklyReport } from './report.js';

/** Content ID of the chart. */
const PICTURE = 'visits-by-day@agent-traffic';

/**
 * Returns the subject, text, HTML and chart of a weekly report.
 *
 * @param unsubscribeUrl opens a page, or unsubscribes with a one-click POST.
 */
export async function reportMail(report: WeeklyReport, unsubscribeUrl: string) {
  const { week, numbers, hint, overviewUrl, days } = report;
  const project = mailText(report.project, 80);
  const [agents, pages] = [report.agents, report.pages].map((list) =>
    list.map((row) => ({ ...row, label: mailText(row.label) })),
  ) as [ReportedNumber[], ReportedNumber[]];
  const lists = [
    ['Most frequent agents', agents],
    ['Most visited pages', pages],
  ] as const;
  const why = 'You get this report every Monday because you subscribed to it on your account page.';
  const visitsByDay = `Agent visits by day, from Monday: ${days.map((visits) => visits.toLocaleString('en-US')).join(', ')}`;
  return {
    subject: `[${project}] ${numbers[0]!.value} agent visits, ${week}`,
    text: [
      `${project}: ${week}, compared with the week before`,
      ...(hint === null ? [] : ['', hint.text, `${hint.label}: ${hint.url}`]),
      '',
      ...numbers.map(textLine),
      ...(hint === null ? ['', visitsByDay] : []),
      ...lists.flatMap(([title, list]) => (list.length === 0 ? [] : ['', `${title}:`, ...list.map(textLine)])),
      '',
      `Overview: ${overviewUrl}`,
      '',
      why,
      `Unsubscribe: ${unsubscribeUrl}`,
    ].join('\n'),
    html: [
      '<!doctype html><html lang="en"><body style="font-family:sans-serif;line-height:1.5;max-width:560px">',
      `<h1 style="font-size:18px">${html(project)}: ${html(week)}</h1>`,
      ...(hint === null ? [] : [`<p>${html(hint.text)} ${link(hint.url, hint.label)}</p>`]),
      table(numbers),
      ...(hint === null
        ? [`<p><img src="cid:${PICTURE}" width="560" height="120" alt="${html(visitsByDay)}"></p>`]
        : []),
      ...lists.flatMap(([title, list]) =>
        list.length === 0 ? [] : [`<h2 style="font-size:15px">${title}</h2>`, table(list)],
      ),
      `<p>${link(overviewUrl, 'Open the overview')}</p>`,
      `<p style="color:#666;font-size:12px">${why} Changes are from the week before. ${link(unsubscribeUrl, 'Unsubscribe')}</p>`,
      '</body></html>',
    ].join('\n'),
    attachments:
      hint === null
        ? [{ filename: 'visits.png', content: await barChart(days), cid: PICTURE, contentType: 'image/png' }]
        : [],
    headers: {
      // RFC 8058: mail clients offer to unsubscribe with a POST.
      'List-Unsubscribe': `<${unsubscribeUrl}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  };
}

const textLine = ({ label, value, change, url }: ReportedNumber): string =>
  `${label}: ${value}${change === '' ? '' : ` (${change})`}\n  ${url}`;

const link = (url: string, text: string): string => `<a href="${html(url)}">${html(text)}</a>`;

const CELL = 'style="padding:2px 12px 2px 0;text-align:left;overflow-wrap:anywhere"';

function table(numbers: readonly ReportedNumber[]): string {
  const rows = numbers.map(
    ({ label, value, change, url }) =>
      // Inside our link, mail clients don't turn the label into another one.
      `<tr><th scope="row" ${CELL.replace('style="', 'style="font-weight:normal;')}>${link(url, label)}</th>` +
      `<td ${CELL}>${html(value)}</td><td ${CELL}>${html(change)}</td></tr>`,
  );
  return `<table style="border-collapse:collapse">${rows.join('')}</table>`;
}
