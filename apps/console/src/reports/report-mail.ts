import type { Report, ReportFigure, ReportSchedule, ReportSection } from '#libs/contracts';
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
 * Builds the subject, headers, text, HTML and chart of a report email.
 *
 * @param attachments From {@link renderChart}.
 */
export function buildReportMail(
  report: Report,
  { unsubscribeUrl, isMember, frequency }: Recipient,
  attachments: ChartImage[],
) {
  const { subject, title, summary, figures, hint, overview_url: overviewUrl, days } = report;
  const project = mailText(report.project, 80);
  const toMailSection = (section: ReportSection): ReportSection => ({
    ...section,
    rows: section.rows.map((row) => ({ ...row, label: mailText(row.label) })),
  });
  const changes = report.changes === null ? [] : [toMailSection(report.changes)];
  const sections = report.sections.map(toMailSection);
  const subtitle = report.compared_with === null ? project : `${project}, compared with ${report.compared_with}`;
  const reason = `You're receiving this report every ${frequency === 'monthly' ? 'month' : 'week'} because you ${
    isMember ? 'subscribed to it in Agent Traffic' : 'confirmed that you want it'
  }.`;
  const counts = days.map(({ visits }) => visits);
  const dayText = `Agent visits by day, from ${days[0]?.day}: ${counts.map((visits) => visits.toLocaleString('en-US')).join(', ')}`;
  const altText =
    days.length <= MAX_LISTED_DAYS ? dayText : `Agent visits by day, from ${days[0]?.day} to ${days.at(-1)?.day}`;
  return {
    subject,
    text: [
      title,
      subtitle,
      '',
      ...(hint === null ? [summary] : [hint.text, `${hint.label}: ${hint.url}`]),
      '',
      ...figures.map(toTextLine),
      ...changes.flatMap(toTextSection),
      ...(hint === null ? ['', dayText] : []),
      ...sections.flatMap(toTextSection),
      '',
      `Overview: ${overviewUrl}`,
      '',
      reason,
      `Unsubscribe: ${unsubscribeUrl}`,
    ].join('\n'),
    html: [
      '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
      `<meta name="color-scheme" content="light"><title>${html(subject)}</title></head>`,
      `<body style="margin:0;padding:16px 8px;background:#f1f3f5;${FONT};color:${TEXT}">`,
      `<div style="max-width:600px;margin:0 auto;padding:24px;box-sizing:border-box;border:1px solid ${LINE};border-radius:8px;background:#fff">`,
      `<p style="margin:0 0 16px;font-size:13px;font-weight:600;color:${TEXT}">${LOGO}Agent Traffic</p>`,
      `<h1 style="margin:0;font-size:22px;line-height:1.3">${html(title)}</h1>`,
      `<p style="margin:2px 0 16px;font-size:13px;color:${DIMMED}">${html(subtitle)}</p>`,
      hint === null
        ? `<p style="margin:0 0 16px;font-size:17px;line-height:1.4">${html(summary)}</p>`
        : `<p>${html(hint.text)} ${toLink(hint.url, hint.label)}</p>`,
      toTiles(figures),
      ...changes.map(toSection),
      ...(hint === null ? [toChart(days, altText)] : []),
      ...sections.map(toSection),
      `<p style="margin:28px 0 0"><a href="${html(overviewUrl)}" style="display:inline-block;padding:9px 16px;border-radius:6px;background:${ACCENT};font-size:14px;font-weight:600;text-decoration:none;color:#fff">Open the overview</a></p>`,
      '</div>',
      `<p style="max-width:600px;margin:12px auto;padding:0 16px;box-sizing:border-box;font-size:12px;color:${DIMMED}">${reason} ${toLink(unsubscribeUrl, 'Unsubscribe')}</p>`,
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

const toTextLine = ({ label, value, change, detail, url }: ReportFigure): string =>
  `${label}: ${value}${change === '' ? '' : ` (${change})`}${detail === '' ? '' : `, ${detail}`}\n  ${url}`;

const toTextSection = ({ title, text, items, rows }: ReportSection): string[] => [
  '',
  `${title}:`,
  ...(text === '' ? [] : [text]),
  ...items.map((item) => `- ${item.text}${item.detail === '' ? '' : ` (${item.detail})`}\n  ${item.url}`),
  ...rows.map(toTextLine),
];

const FONT = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;line-height:1.5";
const TEXT = '#1f2328';
const DIMMED = '#5f6771';
const LINE = '#e3e6e9';
const ACCENT = '#3b5bdb';
const LOGO_BAR = 'display:inline-block;width:3px;margin-right:2px;border-radius:2px;background:';
const LOGO = `<span style="display:inline-block;margin-right:8px;padding:4px 3px 4px 5px;border-radius:5px;background:#2f3ccb;line-height:0;vertical-align:middle" aria-hidden="true"><span style="${LOGO_BAR}#fff;height:8px"></span><span style="${LOGO_BAR}#fff;height:6px"></span><span style="${LOGO_BAR}#fff;height:10px"></span><span style="${LOGO_BAR}#6ef0b0;height:12px"></span></span>`;
const CELL = `padding:7px 0 7px 12px;border-top:1px solid ${LINE};text-align:right;vertical-align:top;white-space:nowrap`;
const HEAD_CELL = `padding:0 0 4px 12px;font-size:12px;font-weight:400;text-align:right;color:${DIMMED}`;

const toLink = (url: string, text: string): string =>
  `<a href="${html(url)}" style="color:${ACCENT}">${html(text)}</a>`;

/** Link that looks like text. Mail clients turn text that looks like an address into a link of their own, except in links. */
const toQuietLink = (url: string, text: string): string =>
  `<a href="${html(url)}" style="text-decoration:none;color:${TEXT}">${html(text)}</a>`;

const toDetail = (detail: string): string =>
  detail === '' ? '' : `<div style="font-size:12px;color:${DIMMED}">${html(detail)}</div>`;

/** Renders the figures next to each other, three per line, or two on phones. */
function toTiles(figures: readonly ReportFigure[]): string {
  const tiles = figures.map(
    ({ label, value, change, url }) =>
      '<div style="display:inline-block;width:32%;min-width:140px;margin:0 0 12px;vertical-align:top">' +
      `<div style="font-size:12px;color:${DIMMED}">${html(label)}</div>` +
      `<div style="font-size:20px;font-weight:600;line-height:1.3">${toQuietLink(url, value)}</div>` +
      `<div style="font-size:12px;color:${DIMMED}">${html(change) || '&nbsp;'}</div></div>`,
  );
  return `<div style="padding-top:12px;border-top:1px solid ${LINE}">${tiles.join('')}</div>`;
}

function toChart(days: Report['days'], altText: string): string {
  const highest = Math.max(...days.map(({ visits }) => visits));
  const cells =
    days.length <= MAX_LISTED_DAYS
      ? days.map(({ day, visits }) => toChartCell('center', `${day.slice(0, 3)}<br>${visits.toLocaleString('en-US')}`))
      : [
          toChartCell('left', html(days[0]?.day ?? '')),
          toChartCell('center', `Busiest day: ${highest.toLocaleString('en-US')}`),
          toChartCell('right', html(days.at(-1)?.day ?? '')),
        ];
  return [
    '<h2 style="margin:28px 0 8px;font-size:15px">Agent visits by day</h2>',
    `<img src="cid:${CHART_CONTENT_ID}" width="560" height="120" alt="${html(altText)}" style="display:block;width:100%;height:auto;border-bottom:1px solid ${LINE}">`,
    `<table role="presentation" style="width:100%;border-collapse:collapse;table-layout:fixed;font-size:12px;color:${DIMMED}"><tr>${cells.join('')}</tr></table>`,
  ].join('\n');
}

const toChartCell = (align: string, content: string): string =>
  `<td style="padding:0;text-align:${align}">${content}</td>`;

function toSection({ title, text, items, unit, rows }: ReportSection): string {
  const listItems = items.map(
    (item) => `<li style="margin:0 0 6px">${toQuietLink(item.url, item.text)}${toDetail(item.detail)}</li>`,
  );
  return [
    `<h2 style="margin:28px 0 4px;font-size:15px">${html(title)}</h2>`,
    ...(text === '' ? [] : [`<p style="margin:0 0 8px;font-size:14px">${html(text)}</p>`]),
    ...(items.length === 0 ? [] : [`<ul style="margin:0;padding-left:18px;font-size:14px">${listItems.join('')}</ul>`]),
    ...(rows.length === 0 ? [] : [toTable(rows, unit)]),
  ].join('\n');
}

function toTable(rows: readonly ReportFigure[], unit: string): string {
  const hasChanges = rows.some(({ change }) => change !== '');
  const lines = rows.map(
    ({ label, value, change, detail, url }) =>
      `<tr><th scope="row" style="padding:7px 0;border-top:1px solid ${LINE};font-weight:400;text-align:left;overflow-wrap:anywhere">` +
      `${toQuietLink(url, label)}${toDetail(detail)}</th><td style="${CELL}">${html(value)}</td>` +
      `${hasChanges ? `<td style="${CELL};width:88px;color:${DIMMED}">${html(change)}</td>` : ''}</tr>`,
  );
  const head = `<tr><td></td><th scope="col" style="${HEAD_CELL}">${html(unit)}</th>${hasChanges ? `<th scope="col" style="${HEAD_CELL}">Change</th>` : ''}</tr>`;
  return `<table style="width:100%;border-collapse:collapse;font-size:14px">${head}${lines.join('')}</table>`;
}
