import { Text, Title } from '@mantine/core';
import type { Report, ReportFigure } from '../../api/reports.js';
import { formatCount } from '../../format/count.js';
import { toPageLink } from '../../ui/page-link.js';
import { TextLink } from '../../ui/text-link.js';
import classes from './report-preview.module.css';

/** Shows a report with the same content and in the same order as the email. */
export function ReportPreview({ report }: { report: Report }) {
  const { hint, changes, days, figures, lists } = report;
  return (
    <article className={classes['report']} aria-label="Report">
      <div>
        <Title order={3} size="h2">
          {report.project}: {report.period}
        </Title>
        <Text size="sm" c="dimmed">
          Compared with {report.compared_with}
        </Text>
      </div>
      {hint !== null && (
        <Text size="sm">
          {hint.text} <PageLink url={hint.url}>{hint.label}</PageLink>
        </Text>
      )}
      {changes.length > 0 && (
        <div>
          <Title order={4} size="h3" mb={6}>
            What changed
          </Title>
          <ul className={classes['changes']}>
            {changes.map(({ text, url }) => (
              <li key={`${text} ${url}`}>
                <PageLink url={url}>{text}</PageLink>
              </li>
            ))}
          </ul>
        </div>
      )}
      {hint === null && <DayChart days={days} />}
      <FigureTable caption="Summary" heading="Metric" rows={figures} />
      {lists.map(({ title, rows }) => (
        <div key={title}>
          <Title order={4} size="h3">
            {title}
          </Title>
          <FigureTable caption={title} heading="Name" rows={rows} />
        </div>
      ))}
    </article>
  );
}

function DayChart({ days }: { days: Report['days'] }) {
  const highest = Math.max(1, ...days.map(({ visits }) => visits));
  const total = days.reduce((sum, { visits }) => sum + visits, 0);
  return (
    <figure style={{ margin: 0 }}>
      <Title order={4} size="h3" mb={6}>
        Agent visits by day
      </Title>
      <div
        className={classes['bars']}
        role="img"
        aria-label={`${formatCount(total)} agent visits from ${days[0]?.day} to ${days.at(-1)?.day}, ${formatCount(highest)} on the busiest day`}
      >
        {days.map(({ day, visits }) => (
          <div
            key={day}
            className={classes['bar']}
            style={{ height: `${(visits / highest) * 100}%` }}
            title={`${day}: ${formatCount(visits)}`}
          />
        ))}
      </div>
      <div className={classes['axis']} aria-hidden="true">
        <span>{days[0]?.day}</span>
        <span>Busiest day: {formatCount(highest)}</span>
        <span>{days.at(-1)?.day}</span>
      </div>
    </figure>
  );
}

interface FigureTableProps {
  caption: string;
  /** Label of the first column. */
  heading: string;
  rows: readonly ReportFigure[];
}

const FigureTable = ({ caption, heading, rows }: FigureTableProps) => (
  <table className={classes['table']}>
    <caption className="unseen">{caption}</caption>
    <thead>
      <tr>
        <th scope="col">{heading}</th>
        <th scope="col">Value</th>
        <th scope="col">Change</th>
      </tr>
    </thead>
    <tbody>
      {rows.map(({ label, value, change, url }) => (
        <tr key={`${label} ${url}`}>
          <th scope="row">
            <PageLink url={url}>{label}</PageLink>
          </th>
          <td>{value}</td>
          <td>{change}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

/** Link to a dashboard page. The email's links contain the public URL, which can differ from the current one. */
function PageLink({ url, children }: { url: string; children: string }) {
  const { pathname, search } = new URL(url);
  return (
    <TextLink {...toPageLink(`${pathname}${search}`)} underline="hover" c="inherit">
      {children}
    </TextLink>
  );
}
