import { Text, Title } from '@mantine/core';
import type { Report, ReportFigure, ReportSection } from '../../api/reports.js';
import { Brand } from '../../shell/brand.js';
import { toPageLink } from '../../ui/page-link.js';
import { TextLink } from '../../ui/text-link.js';
import { DayChart } from './day-chart.js';
import classes from './report-preview.module.css';

interface ReportPreviewProps {
  report: Report;
  /** Whether another period is being loaded. */
  isBusy: boolean;
}

/** Shows a report with the same content and in the same order as the email. Also the layout for printing. */
export function ReportPreview({ report, isBusy }: ReportPreviewProps) {
  const { hint, summary, days, figures, changes, sections } = report;
  return (
    <article className={classes['report']} aria-label="Report" aria-busy={isBusy}>
      <header className={classes['header']}>
        <div>
          <Title order={2} className={classes['title']}>
            {report.title}
          </Title>
          <Text size="sm" c="dimmed">
            {report.project}
            {report.compared_with !== null && `, compared with ${report.compared_with}`}
          </Text>
        </div>
        <div className={classes['brand']}>
          <Brand />
        </div>
      </header>
      <p className={classes['summary']}>
        {hint === null ? (
          summary
        ) : (
          <>
            {hint.text}{' '}
            <TextLink {...toReportLink(hint.url)} className={classes['action'] ?? ''}>
              {hint.label}
            </TextLink>
          </>
        )}
      </p>
      <dl className={classes['tiles']}>
        {figures.map(({ label, value, change, url }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd className={classes['value']}>
              <PageLink url={url}>{value}</PageLink>
            </dd>
            <dd className={classes['change']}>{change}</dd>
          </div>
        ))}
      </dl>
      <div className={classes['news']}>
        {changes !== null && <SectionPart {...changes} />}
        {hint === null && <DayChart days={days} />}
      </div>
      <div className={classes['sections']}>
        {sections.map((section) => (
          <SectionPart key={section.title} {...section} />
        ))}
      </div>
    </article>
  );
}

function SectionPart({ title, text, items, unit, rows }: ReportSection) {
  return (
    <section className={classes['section']}>
      <Title order={3}>{title}</Title>
      {text !== '' && <p>{text}</p>}
      {items.length > 0 && (
        <ul>
          {items.map((item) => (
            <li key={`${item.text} ${item.url}`}>
              <PageLink url={item.url}>{item.text}</PageLink>
              <Detail text={item.detail} />
            </li>
          ))}
        </ul>
      )}
      {rows.length > 0 && <FigureTable caption={title} unit={unit} rows={rows} />}
    </section>
  );
}

interface FigureTableProps {
  caption: string;
  /** Label of the values. */
  unit: string;
  rows: readonly ReportFigure[];
}

function FigureTable({ caption, unit, rows }: FigureTableProps) {
  const hasChanges = rows.some(({ change }) => change !== '');
  return (
    <table className={classes['table']}>
      <caption className="unseen">{caption}</caption>
      <thead>
        <tr>
          <td />
          <th scope="col">{unit}</th>
          {hasChanges && <th scope="col">Change</th>}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ label, value, change, detail, url }) => (
          <tr key={`${label} ${url}`}>
            <th scope="row">
              <PageLink url={url}>{label}</PageLink>
              <Detail text={detail} />
            </th>
            <td>{value}</td>
            {hasChanges && <td className={classes['change']}>{change}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const Detail = ({ text }: { text: string }) => (text === '' ? null : <div className={classes['detail']}>{text}</div>);

/** Returns a link to a dashboard page. The email's links contain the public URL, which can differ from the current one. */
export function toReportLink(url: string) {
  const { pathname, search } = new URL(url);
  return toPageLink(`${pathname}${search}`);
}

const PageLink = ({ url, children }: { url: string; children: string }) => (
  <TextLink {...toReportLink(url)} className={classes['link'] ?? ''} underline="hover" c="inherit" inherit>
    {children}
  </TextLink>
);
